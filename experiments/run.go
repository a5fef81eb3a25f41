package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/sim/metrics"
)

// Options say how an experiment is run; the results do not depend on them.
type Options struct {
	Workers int // simulations at a time; 0: one per core

	// Reference simulates step by step instead of in stretches; results agree to
	// rounding, and a run lasts several times as long.
	Reference bool

	// Store keeps outcomes by the keys of their scenarios, knees that were searched, and
	// timelines; what it has is not simulated again. nil: nothing is kept.
	Store runner.Store

	// Only are the numbers of the runs that are simulated, in order; of the others there are no results,
	// and nothing is made that takes all of them: knees, timelines. nil: all.
	Only []int

	// Streaming keeps no request once it has ended: percentiles of latencies are
	// within metrics.HistogramResolution, and memory does not grow with the number
	// of requests. Requests must be nil.
	Streaming bool

	// Progress is called when a simulation ends, one call at a time; nil: it is not called.
	Progress func(p Progress)

	// Search searches the knee of every curve whose points lie on both sides of it, which
	// takes further simulations. Searching is called when one of them ends; nil: it is not
	// called.
	Search    bool
	Searching func(s Searching)

	// Requests receives the record of every run, in the order of the results' runs.
	// It is called one call at a time, and its errors are joined to Run's; a nil func
	// receives nothing.
	Requests func(run *results.Run, rec *metrics.Record) error
}

// Runs is the number of simulations that the experiment consists of.
func (e *Experiment) Runs() int { return len(e.cells) * e.Spec.Replications }

// Scenario is the simulation of a run, whose number is from 0 to Runs()-1: by points,
// at each by strategies, of each the replications. Replications of different
// strategies have the same random draws, so that their differences have less noise.
func (e *Experiment) Scenario(run int) scenario.Scenario {
	s := e.cells[run/e.Spec.Replications].scenario
	s.Replication = run % e.Spec.Replications
	return s
}

// Run simulates every strategy at every point with every replication. A run that
// fails leaves the others alone: the results hold those that were finished, marked
// incomplete, and the error names those that failed. Likewise when ctx is cancelled;
// the error is then the context's. The results are never nil.
func (e *Experiment) Run(ctx context.Context, o Options) (*results.Results, error) {
	if err := e.checkKept(o); err != nil {
		return results.Aggregate(e.Plan(), results.ByKey(nil)), err
	}
	// The plan knows its cells without their keys: hashing all of them first would
	// keep the workers waiting.
	order := e.wanted(o)
	plan := e.Plan()
	outcomes := map[string]*results.Outcome{}
	var failures []error
	p := Progress{Total: len(order), TotalRequests: e.requests(order)}
	options := runner.Options{Workers: o.Workers, Builder: e.builder, Store: o.Store}
	simulated := map[string]bool{} // keys that were not kept before this run
	options.Done = func(r runner.Result) {
		i := order[r.Index]
		if r.Err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", e.Describe(i), r.Err))
			return
		}
		plan.Cells[i].Key = r.Key
		outcomes[r.Key] = &r.Outcome
		simulated[r.Key] = simulated[r.Key] || !r.Kept
		p.add(!simulated[r.Key], e.size(i))
		if o.Progress != nil {
			o.Progress(p)
		}
	}
	if o.Requests != nil {
		options.Records = func(index int, outcome results.Outcome, rec *metrics.Record) error {
			i := order[index]
			run := plan.Run(&plan.Cells[i], &outcome)
			return o.Requests(&run, rec)
		}
	}
	err := errors.Join(runner.Run(ctx, e.scenarios(order, o), options), errors.Join(failures...))
	if err != nil || o.Only != nil {
		return results.Aggregate(plan, results.ByKey(outcomes)), err
	}
	return e.complete(ctx, plan, results.ByKey(outcomes), o)
}

// wanted are the numbers of the runs that are simulated, in their order.
func (e *Experiment) wanted(o Options) []int {
	order := e.simulationOrder(o.Requests != nil)
	if o.Only == nil {
		return order
	}
	return slices.DeleteFunc(order, func(run int) bool {
		_, wanted := slices.BinarySearch(o.Only, run)
		return !wanted
	})
}

// complete makes the results of all runs, with what is simulated once these are known: knees that
// are searched, the timelines of figures, and the requests that they draw.
func (e *Experiment) complete(ctx context.Context, plan *results.Plan, outcomes results.Lookup, o Options) (*results.Results, error) {
	res := results.Aggregate(plan, outcomes)
	var err error
	if o.Search {
		if plan.Searched, err = e.searchKnees(ctx, res, o); plan.Searched != nil {
			res = results.Aggregate(plan, outcomes)
		}
	}
	if err != nil {
		return res, err
	}
	if plan.Timelines, err = e.timelines(ctx, res, o); plan.Timelines != nil {
		res = results.Aggregate(plan, outcomes)
	}
	if err == nil {
		res.Drawn, err = e.drawn(ctx, res)
	}
	return res, err
}

// simulationOrder is the numbers of the runs in the order in which they are simulated:
// the long ones first, so that no worker begins one when the others are done, unless
// their records are wanted in order. Runs of equal length, of which those under more load take
// longer, are spread by the golden ratio, so that any part of them is like all: multiples
// of it lie evenly between whole numbers, however many there are. The results do not depend
// on it.
func (e *Experiment) simulationOrder(recorded bool) []int {
	order := make([]int, e.Runs())
	for i := range order {
		order[i] = i
	}
	if !recorded {
		spread := func(run int) float64 { _, part := math.Modf(float64(run) * math.Phi); return part }
		slices.SortFunc(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(e.size(j), e.size(i)), cmp.Compare(spread(i), spread(j)))
		})
	}
	return order
}

// size is how many requests a run has.
func (e *Experiment) size(run int) int {
	return e.builder.Requests(&e.cells[run/e.Spec.Replications].scenario)
}

// requests is how many runs have together.
func (e *Experiment) requests(runs []int) int {
	n := 0
	for _, run := range runs {
		n += e.size(run)
	}
	return n
}

// scenarios makes the scenarios of the runs one by one. How they are simulated is
// part of them, since it changes the last digits of what they find.
func (e *Experiment) scenarios(order []int, o Options) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		for _, run := range order {
			if !yield(e.simulated(run, o)) {
				return
			}
		}
	}
}

// simulated is the scenario of a run, as it is simulated.
func (e *Experiment) simulated(run int, o Options) scenario.Scenario {
	s := e.Scenario(run)
	s.Measure.Reference, s.Measure.Streaming = o.Reference, o.Streaming
	return s
}

// Describe names the i-th run in messages, by strategy, swept values and
// replication.
func (e *Experiment) Describe(i int) string {
	c := &e.cells[i/e.Spec.Replications]
	parts := []string{fmt.Sprintf("strategy %q", c.strategy)}
	for n, axis := range e.Axes {
		parts = append(parts, fmt.Sprintf("%s = %v", axis.Path, c.point[n]))
	}
	return strings.Join(append(parts, fmt.Sprintf("replication %d", i%e.Spec.Replications)), ", ")
}
