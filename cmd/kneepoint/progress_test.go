package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kneepoint/experiments"
	"kneepoint/experiments/planner"
	"kneepoint/experiments/results"
)

// TestTimeLeft: the rest takes as long as what is done, in proportion; little that is done
// says nothing of it.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		meanwhile time.Duration
		done      int
		share     float64
		want      string
	}{
		{10 * time.Second, 50, 0.25, ", about 30 s left for these"},
		{11 * time.Second, 50, 0.25, ", about 40 s left for these"},
		{time.Minute, 50, 0.25, ", about 3 min left for these"},
		{time.Hour, 50, 0.25, ", about 3 h left for these"},
		{30 * time.Second, 99, 0.8, ", some seconds left for these"},
		{10 * time.Second, 7, 0.25, ""},
		{10 * time.Second, 50, 0.05, ""},
		{10 * time.Second, 50, 0, ""},
		{10 * time.Second, 100, 1, ""},
	} {
		if got := timeLeft(c.meanwhile, c.done, c.share); got != c.want {
			t.Errorf("%v of %d runs, %v of all: %q, want %q", c.meanwhile, c.done, c.share, got, c.want)
		}
	}
}

// TestPlanProgress: what took no time, or is not to come, tells nothing of the rest, each stage has a clock of its own,
// and the best comes last.
func TestPlanProgress(t *testing.T) {
	var out bytes.Buffer
	p := newPlanProgress(newProgress(&out))
	p.started = p.started.Add(-time.Hour)
	best := &results.Option{Name: "b200", Units: 4}
	at := func(since time.Duration, s planner.Progress) {
		if s.Stage == p.stage {
			p.since = time.Now().Add(-since)
		}
		p.lastLine = time.Now().Add(-linesEvery)
		p.tell(s)
	}
	at(0, planner.Progress{Done: 3, Total: 200})
	at(0, planner.Progress{Stage: planner.Sizing, Done: 90, Total: 100, Timed: 40, Left: 10, Pruned: 40})
	at(39*time.Second, planner.Progress{Stage: planner.Sizing, Done: 70, Total: 100, Timed: 40, Left: 60, Pruned: 60, Best: best})
	at(39*time.Second, planner.Progress{Stage: planner.Sizing, Done: 57, Total: 100, Timed: 7, Left: 30, Pruned: 50, Best: best})
	at(0, planner.Progress{Stage: planner.Sizing, Total: 3, Looked: "h200", Units: 30, Runs: 12})
	at(0, planner.Progress{Stage: planner.Drawing, Done: 90, Total: 100, Timed: 90, Left: 10, Best: best})
	want := "first looks: 3 of 200 runs\n90 of 100 candidates, 40 out, some seconds left for these\n" +
		"70 of 100 candidates, 60 out, about 60 s left for these; best so far: 4 × b200\n" +
		"57 of 100 candidates, 50 out; best so far: 4 × b200\n" +
		"0 of 3 candidates, 0 out; at 30 × h200: 12 runs\n" +
		"how sure: 90 of 100 sizings, some seconds left for these; best so far: 4 × b200\n"
	if got := out.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestProgressLines: a log has a line every few seconds, and none of what takes no second.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.updateRuns(experiments.Progress{Done: 10, Total: 100, DoneRequests: 100, TotalRequests: 1000})
	if out.Len() > 0 {
		t.Errorf("at once: %q", out.String())
	}
	p.started = p.started.Add(-19 * time.Second)
	p.lastLine = p.started
	p.updateRuns(experiments.Progress{Done: 60, Kept: 20, Total: 120, DoneRequests: 410, KeptRequests: 10, TotalRequests: 1010})
	p.updateRuns(experiments.Progress{Done: 61, Kept: 20, Total: 120, DoneRequests: 420, KeptRequests: 10, TotalRequests: 1010})
	p.lastLine = p.lastLine.Add(-linesEvery)
	p.search(experiments.Searching{Curve: "static", Number: 2, Curves: 3, Runs: 17})
	p.close()
	want := "simulated 40 of 100 runs, about 30 s left for these\nsearching knee 2 of 3, static: 17 runs\n"
	if got := out.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("escape sequences in a log")
	}
}
