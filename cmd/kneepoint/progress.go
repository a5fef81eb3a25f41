package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// quietFor is how long work may take before it has to show progress: a bar that
// flashes up for less is only noise.
const quietFor = time.Second

// linesEvery is the time between two lines of progress in a log, which keeps them all.
const linesEvery = 5 * time.Second

// progress says on stderr how far a long command is: a bar on a terminal, a line now
// and then elsewhere, nothing for what is done within a second.
type progress struct {
	out      io.Writer
	total    int // simulations
	started  time.Time
	lastLine time.Time     // when a line was written; started when none was
	bars     *mpb.Progress // nil until the bar is needed, as is bar
	bar      *mpb.Bar
}

// newProgress starts the clock of work of total simulations; nothing is shown yet.
func newProgress(out io.Writer, total int) *progress {
	now := time.Now()
	return &progress{out: out, total: total, started: now, lastLine: now}
}

// update says that done of total simulations have ended.
func (p *progress) update(done, total int) {
	if time.Since(p.started) < quietFor {
		return
	}
	if isTerminal(p.out) {
		p.showBar(done)
		return
	}
	if time.Since(p.lastLine) >= linesEvery || p.lastLine.Equal(p.started) {
		p.lastLine = time.Now()
		fmt.Fprintf(p.out, "simulated %d of %d runs\n", done, total)
	}
}

// search says how many simulations the search for a curve's knee has taken: nobody knows how
// many more there will be.
func (p *progress) search(curve string, runs int) {
	p.close()
	if time.Since(p.started) >= quietFor && time.Since(p.lastLine) >= linesEvery {
		p.lastLine = time.Now()
		fmt.Fprintf(p.out, "searching the knee of %s: %d runs\n", curve, runs)
	}
}

// showBar draws the bar, which is made when it is first needed: its library then owns
// the line of the terminal until close.
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

// close removes the bar, so that it is not left half drawn above the results.
func (p *progress) close() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
		p.bar = nil
	}
}

// messages is where a command writes progress and messages: nowhere if quiet, which
// keeps stderr for errors alone.
func messages(cmd *cobra.Command, quiet bool) io.Writer {
	if quiet {
		return io.Discard
	}
	return cmd.ErrOrStderr()
}
