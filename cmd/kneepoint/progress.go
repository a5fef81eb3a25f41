package main

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// quietFor is how long work may take before it has to show progress.
const quietFor = time.Second

// progress tells on stderr how far a long command is: a bar on a terminal, a
// line now and then elsewhere, nothing for what is done within a second.
type progress struct {
	out     io.Writer
	total   int
	started time.Time
	told    time.Time
	bars    *mpb.Progress
	bar     *mpb.Bar
}

func newProgress(out io.Writer, total int) *progress {
	now := time.Now()
	return &progress{out: out, total: total, started: now, told: now}
}

// update tells that done of total simulations have ended.
func (p *progress) update(done, total int) {
	if time.Since(p.started) < quietFor {
		return
	}
	if isTerminal(p.out) {
		p.showBar(done)
		return
	}
	if time.Since(p.told) >= 5*time.Second || p.told.Equal(p.started) {
		p.told = time.Now()
		fmt.Fprintf(p.out, "simulated %d of %d runs\n", done, total)
	}
}

func (p *progress) showBar(done int) {
	if p.bar == nil {
		p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(48))
		p.bar = p.bars.AddBar(int64(p.total),
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name("simulating "), decor.CountersNoUnit("%d of %d runs")),
			mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_MMSS)))
	}
	p.bar.SetCurrent(int64(done))
}

// close ends the display.
func (p *progress) close() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
