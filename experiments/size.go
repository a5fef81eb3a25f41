package experiments

import (
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// Bounds of an experiment, so that one that nobody could read is refused before it takes all
// memory: a strategy at a point takes some 80 kB with its results, a further run some 10 kB, and a
// request whose record is kept 165 B.
const (
	mostCells = 20_000
	mostRuns  = 200_000
	mostKept  = 50_000_000
)

// checkPoints refuses a sweep of more points than can be shown, without making them.
func (f *File) checkPoints(axes []results.Axis, zip bool) error {
	strategies, _ := f.tree["strategy"].([]map[string]any)
	each := max(1, len(strategies))
	n := each
	for i, axis := range axes {
		if zip && i > 0 {
			break
		}
		if n *= len(axis.Values); n > mostCells {
			return &badinput.Error{
				Key:     fmt.Sprintf("sweep.%q", axis.Path),
				Problem: fmt.Sprintf("makes %d or more points and strategies", n),
				Allowed: fmt.Sprintf("at most %d strategies at points, %d points here", mostCells, mostCells/each),
			}
		}
	}
	return nil
}

// checkRuns refuses more simulations than can be kept.
func (e *Experiment) checkRuns() error {
	cells := len(e.points) * len(e.Spec.Strategies)
	if runs := cells * e.Spec.Replications; runs > mostRuns {
		return &badinput.Error{
			Key:     "replications",
			Value:   e.Spec.Replications,
			Problem: fmt.Sprintf("makes %d simulations, with %d strategies at %d points", runs, len(e.Spec.Strategies), len(e.points)),
			Allowed: fmt.Sprintf("at most %d simulations, %d replications here", mostRuns, mostRuns/cells),
		}
	}
	return nil
}

// checkKept refuses runs of so many requests that their records do not fit in memory.
func (e *Experiment) checkKept(o Options) error {
	for i := range e.cells {
		c := &e.cells[i]
		n := e.builder.Requests(&c.scenario)
		if o.Streaming || n <= mostKept {
			continue
		}
		err := &badinput.Error{
			Key:     "workload.num_requests",
			Value:   n,
			Problem: "more requests than a run keeps one by one, so that percentiles are exact",
			Allowed: fmt.Sprintf("at most %d, or more with --metrics streaming", mostKept),
		}
		return e.File.locate(e.withCauses(&e.Spec.Strategies[i%len(e.Spec.Strategies)], c.point, err))
	}
	return nil
}
