package validate

import (
	"context"
	"errors"
	"sync"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
)

// Run simulates the cases, workers at a time (0: one per core), and returns
// their rows and what was skipped, in the order of the cases. progress is
// called, one call at a time, when a case is done. A case that fails for another reason
// than its input is an error, joined to those of the others. It ends early, with the
// context's error, when ctx is cancelled.
func Run(ctx context.Context, cases []Case, workers int, progress func(done, total int)) ([]Row, []Skipped, error) {
	v := &validation{cases: cases, outcomes: make([]outcome, len(cases)), progress: progress}
	err := runner.Run(ctx, v.scenarios, runner.Options{Workers: workers, Builder: scenario.NewBuilder(&v.traces), Done: v.noteResult})
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	rows, skipped, failures := collect(v.outcomes)
	return rows, skipped, errors.Join(err, failures)
}

// validation is cases that are being simulated.
type validation struct {
	cases    []Case
	progress func(done, total int)
	traces   scenario.Traces

	mutex     sync.Mutex // of the fields after it: cases are read while others end
	outcomes  []outcome  // by case
	simulates []int      // the case of each scenario of the sequence
	done      int
}

// outcome is what became of one case: rows, or why it was skipped, or an error.
type outcome struct {
	rows    []Row
	skipped *Skipped
	err     error
}

// scenarios makes the scenarios of the cases that can be simulated, when a worker asks
// for the next one. The other cases end here.
func (v *validation) scenarios(yield func(scenario.Scenario) bool) {
	for i := range v.cases {
		s, err := v.cases[i].Scenario(&v.traces)
		if err != nil {
			v.noteOutcome(i, v.cases[i].outcomeOfError(err))
			continue
		}
		v.mutex.Lock()
		v.simulates = append(v.simulates, i)
		v.mutex.Unlock()
		if !yield(s) {
			return
		}
	}
}

// noteResult ends the case of a scenario that was simulated, or failed.
func (v *validation) noteResult(r runner.Result) {
	v.mutex.Lock()
	i := v.simulates[r.Index]
	v.mutex.Unlock()
	c := &v.cases[i]
	if r.Err != nil {
		v.noteOutcome(i, c.outcomeOfError(r.Err))
		return
	}
	v.noteOutcome(i, c.compare(r.Outcome.Metrics))
}

// noteOutcome notes what became of a case.
func (v *validation) noteOutcome(i int, o outcome) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.outcomes[i] = o
	v.done++
	v.progress(v.done, len(v.cases))
}

// collect puts the outcomes of all cases together, in their order.
func collect(outcomes []outcome) (rows []Row, skipped []Skipped, err error) {
	rows, skipped = []Row{}, []Skipped{} // lists in JSON, even when there is nothing
	for _, o := range outcomes {
		rows = append(rows, o.rows...)
		if o.skipped != nil {
			skipped = append(skipped, *o.skipped)
		}
		err = errors.Join(err, o.err)
	}
	return rows, skipped, err
}
