package main

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kneepoint/experiments"
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
	started  time.Time
	lastLine time.Time // when a line was written; started when none was
	bars     *mpb.Progress
	bar      *mpb.Bar     // nil until it is needed
	text     atomic.Value // a string: what the bar is of
}

// newProgress starts the clock of some work; nothing is shown yet.
func newProgress(out io.Writer) *progress {
	now := time.Now()
	return &progress{out: out, started: now, lastLine: now}
}

// update says that done of total simulations have ended.
func (p *progress) update(done, total int) {
	p.show(done, total, fmt.Sprintf("simulated %d of %d runs", done, total))
}

// updateRuns says besides, where that is known, how much longer it takes. Runs that were kept
// took no time, and those still to come are taken to be none of them.
func (p *progress) updateRuns(r experiments.Progress) {
	done, total := r.Done-r.Kept, r.Total-r.Kept
	share := float64(r.DoneRequests-r.KeptRequests) / float64(r.TotalRequests-r.KeptRequests)
	p.show(done, total, fmt.Sprintf("simulated %d of %d runs", done, total)+timeLeft(time.Since(p.started), done, share))
}

// refit says how many groups a validation has left out.
func (p *progress) refit(done, total int) {
	p.show(done, total, fmt.Sprintf("refitted without %d of %d groups", done, total))
}

// sought is what a search is for.
func sought(s experiments.Searching) string {
	if s.BreakEven {
		return "break-even"
	}
	return "knee"
}

// search says how far the search for knees is.
func (p *progress) search(s experiments.Searching) {
	p.show(s.Number-1, s.Curves, fmt.Sprintf("searching %s %d of %d, %s: %d runs", sought(s), s.Number, s.Curves, s.Curve, s.Runs))
}

// show draws the bar, or writes a line where there is no terminal.
func (p *progress) show(done, total int, text string) {
	switch {
	case time.Since(p.started) < quietFor:
	case isTerminal(p.out):
		p.showBar(done, total, text)
	case time.Since(p.lastLine) >= linesEvery || p.lastLine.Equal(p.started):
		p.lastLine = time.Now()
		fmt.Fprintln(p.out, text)
	}
}

// showBar draws the bar, which is made when it is first needed: its library then owns
// the line of the terminal until close.
func (p *progress) showBar(done, total int, text string) {
	p.text.Store(text)
	if p.bar != nil && p.bar.Completed() { // of the work before this
		p.close()
	}
	if p.bar == nil {
		p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(24))
		p.bar = p.bars.AddBar(int64(total), mpb.BarRemoveOnComplete(),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.text.Load().(string) })))
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

// What must have been done before anything is said of the rest: runs under different loads
// take different times, and of few of them nobody knows which they are.
const (
	leastDone  = 8
	leastShare = 0.1
)

// timeLeft is how much longer work takes of which a share was done meanwhile: as long for the
// same share, in few digits and rounded up, since nobody minds if it takes less. It is
// empty where that is a guess.
func timeLeft(meanwhile time.Duration, done int, share float64) string {
	if done < leastDone || share < leastShare || share >= 1 {
		return ""
	}
	left := meanwhile.Seconds() * (1 - share) / share
	switch {
	case left <= 10:
		return ", some seconds left for these"
	case left <= 90:
		return fmt.Sprintf(", about %.0f s left for these", 10*math.Ceil(left/10))
	case left <= 90*60:
		return fmt.Sprintf(", about %.0f min left for these", math.Ceil(left/60))
	}
	return fmt.Sprintf(", about %.0f h left for these", math.Ceil(left/3600))
}

// messages is where a command writes progress and messages: nowhere if quiet, which
// keeps stderr for errors alone.
func messages(cmd *cobra.Command, quiet bool) io.Writer {
	if quiet {
		return io.Discard
	}
	return cmd.ErrOrStderr()
}
