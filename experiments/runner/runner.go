package runner

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/internal/crash"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
)

// Options say how scenarios are run; their outcomes do not depend on them.
type Options struct {
	Workers int               // simulations at a time; 0: one per core
	Builder *scenario.Builder // nil: one without traces

	// Store keeps the outcomes; nil: a Memory for this sequence, which grows with it
	// by about 5 KB for each scenario.
	Store Store

	// Done is called with every scenario that has an outcome, or failed, one call at a
	// time, in the order in which they end; nil: it is not called.
	Done func(Result)

	// Records receives the record of every simulation in the order of the sequence,
	// after Done was called with it, and is not called while Done is; nil: records are
	// dropped. With it every scenario is simulated, since a store keeps no records.
	Records func(index int, o results.Outcome, rec *metrics.Record) error

	// Glance is for those who ask Records about single requests alone, for less time: outcomes say
	// of a run no more than whether it is saturated, parts of latencies are coarse, closed loops have no steady
	// state, and nothing is kept.
	Glance bool
}

// Result is what became of a scenario.
type Result struct {
	Index   int    // in the sequence, from 0 on
	Key     string // of the scenario
	Outcome results.Outcome
	Kept    bool  // the store had it, perhaps since an equal scenario of the sequence has ended
	Err     error // why there is no outcome; nil when there is one
}

// lookAhead is how many scenarios for each worker may be under way, or wait for
// one before them to be recorded.
const lookAhead = 4

// Run runs scenarios until the sequence or ctx ends. A simulation that fails is a
// Result with an error, and the others go on; an error of the store ends the run, since
// everything after it would be lost. Run returns that, the context's error, and what
// Records returned. The sequence is asked for a scenario only when a worker is free.
func Run(ctx context.Context, scenarios iter.Seq[scenario.Scenario], o Options) error {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Builder == nil {
		o.Builder = scenario.NewBuilder(&scenario.Traces{})
	}
	if o.Store == nil {
		o.Store = &Memory{}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &runner{Options: o, stop: stop, twins: map[string][]int{}}
	r.log = newRecordLog(&o, &r.mutex)
	jobs := make(chan job)
	var workers sync.WaitGroup
	for range o.Workers {
		workers.Go(func() {
			for j := range jobs {
				r.runJob(ctx, j)
			}
		})
	}
	r.feedWorkers(ctx, scenarios, jobs)
	workers.Wait()
	return errors.Join(context.Cause(ctx), errors.Join(r.log.failures...))
}

// job is a scenario with its index in the sequence.
type job struct {
	index    int
	scenario scenario.Scenario
}

// runner is a sequence that is being run.
type runner struct {
	Options
	stop  context.CancelCauseFunc
	mutex sync.Mutex       // of calls of Done and Records, and of the fields after it
	twins map[string][]int // by key of a scenario that is being simulated: indices of those equal to it
	log   recordLog
}

// feedWorkers hands out the scenarios one by one. It asks the sequence for the next one
// only when a worker has the last one.
func (r *runner) feedWorkers(ctx context.Context, scenarios iter.Seq[scenario.Scenario], jobs chan<- job) {
	defer close(jobs)
	index := 0
	for s := range scenarios {
		if !r.log.reserve(ctx) {
			return
		}
		select {
		case jobs <- job{index, s}:
			index++
		case <-ctx.Done():
			return
		}
	}
}

// runJob finds the outcome of a scenario, which is that of all that are equal to it.
func (r *runner) runJob(ctx context.Context, j job) {
	key := j.scenario.Key()
	if r.Records == nil && r.joinTwin(key, j.index) {
		return
	}
	o, rec, err := r.outcome(ctx, key, j)
	r.tell(Result{j.index, key, o, err == nil && rec == nil, err}, ctx.Err() != nil)
	r.log.add(j.index, o, rec)
}

// tell passes on what became of a scenario, and of all that are equal to it. What
// was interrupted has neither an outcome nor an error.
func (r *runner) tell(result Result, interrupted bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	indices := append([]int{result.Index}, r.twins[result.Key]...)
	delete(r.twins, result.Key)
	if r.Done == nil || result.Err != nil && interrupted {
		return
	}
	for _, result.Index = range indices {
		r.Done(result)
	}
}

// joinTwin tells whether an equal scenario is being simulated, whose outcome this
// one will then share.
func (r *runner) joinTwin(key string, index int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	waiting, running := r.twins[key]
	if running {
		r.twins[key] = append(waiting, index)
	} else {
		r.twins[key] = nil
	}
	return running
}

// outcome is what the store has, or what a simulation finds and the store keeps.
// The record is nil where nothing was simulated.
func (r *runner) outcome(ctx context.Context, key string, j job) (results.Outcome, *metrics.Record, error) {
	var o results.Outcome
	if r.Records == nil {
		if known, err := r.Store.Get(key, &o); err != nil || known {
			return o, nil, r.stopOnFailure(err)
		}
	}
	o, rec, err := r.simulate(ctx, j.scenario)
	if err == nil && !r.Glance {
		err = r.stopOnFailure(r.Store.Put(key, o))
	}
	return o, rec, err
}

// stopOnFailure ends the run where the store failed: what it does not keep is lost.
func (r *runner) stopOnFailure(err error) error {
	if err != nil {
		r.stop(err)
	}
	return err
}

// simulate runs one scenario. A panic becomes an error.
func (r *runner) simulate(ctx context.Context, s scenario.Scenario) (o results.Outcome, rec *metrics.Record, err error) {
	defer crash.Catch(&err)
	built, err := r.Builder.Build(s)
	if err != nil {
		return o, nil, err
	}
	built.Config.Coarse = r.Glance
	if r.Glance {
		if rec, err = sim.Run(ctx, built.Config); err != nil {
			return o, nil, err
		}
		return built.Glance(rec), rec, nil
	}
	if rec, err = r.Builder.Run(ctx, built); err != nil {
		return o, nil, err
	}
	o = built.Summarize(rec)
	return o, rec, r.Builder.AddRegret(ctx, s, &o)
}
