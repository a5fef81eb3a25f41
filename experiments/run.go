package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"kneepoint/sim"
	"kneepoint/sim/metrics"
)

// Options say how an experiment is run; the results do not depend on them.
type Options struct {
	Workers int // simulations at a time; 0: one per core

	// Reference simulates step by step instead of in stretches; results agree to
	// rounding, and it takes several times as long.
	Reference bool

	// Streaming keeps no request once it has ended: percentiles of latencies are
	// within metrics.HistogramResolution, and memory does not grow with the number
	// of requests. Requests must be nil.
	Streaming bool

	// Progress is called when a simulation ends, one call at a time.
	Progress func(done, total int)

	// Requests receives the record of every run, in the order of Results.Runs.
	// It is called one call at a time; a nil func receives nothing.
	Requests func(run *Run, rec *metrics.Record) error
}

// Runs is the number of simulations that the experiment consists of.
func (e *Experiment) Runs() int { return len(e.jobs) }

// Run simulates every strategy at every point with every replication. A run that
// fails does not take the others down: the results hold those that were
// finished, marked incomplete, and the error names those that failed. Likewise
// when ctx is cancelled; the error is then the context's.
func (e *Experiment) Run(ctx context.Context, o Options) (*Results, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &collector{options: o, runs: make([]*Run, len(e.jobs)), records: make([]*metrics.Record, len(e.jobs))}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Workers, len(e.jobs)) {
		workers.Go(func() {
			for i := range next {
				c.add(e.runJob(ctx, c, i))
			}
		})
	}
	e.feed(ctx, next)
	workers.Wait()
	c.pass(true)
	return e.results(c.runs), errors.Join(ctx.Err(), errors.Join(c.failures...))
}

// feed hands out the jobs, the long ones first so that none is left for the end.
func (e *Experiment) feed(ctx context.Context, next chan<- int) {
	defer close(next)
	order := make([]int, len(e.jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(e.jobs[j].size(), e.jobs[i].size()) })
	for _, i := range order {
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}

// finished is a run that ended, or failed; without either it was interrupted.
type finished struct {
	index int
	run   *Run
	rec   *metrics.Record
	err   error
}

// runJob simulates one run. A panic becomes an error that names the run.
func (e *Experiment) runJob(ctx context.Context, c *collector, i int) (f finished) {
	j := &e.jobs[i]
	f.index = i
	defer func() {
		if p := recover(); p != nil {
			f.err = fmt.Errorf("%s: %v\n%s", j.describe(), p, debug.Stack())
		}
	}()
	config, err := j.config()
	if err == nil {
		config.Reference = c.options.Reference
		if c.options.Streaming {
			config.Stream = metrics.NewStream(j.spec.SLO.Objective(), j.spec.objectives()...)
		}
		f.rec, err = sim.Run(ctx, config)
	}
	switch {
	case err == nil:
		f.run = j.summarize(f.rec, config.Cost)
	case ctx.Err() == nil:
		f.err = fmt.Errorf("%s: %w", j.describe(), err)
	}
	return f
}

// collector gathers runs as they end and passes their records on in order.
type collector struct {
	options  Options
	mutex    sync.Mutex
	runs     []*Run            // by job; nil where one is missing
	records  []*metrics.Record // that were not passed on yet
	passed   int
	done     int
	failures []error
}

func (c *collector) add(f finished) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if f.err != nil {
		c.failures = append(c.failures, f.err)
	}
	if f.run == nil {
		return
	}
	c.runs[f.index] = f.run
	c.done++
	if c.options.Progress != nil {
		c.options.Progress(c.done, len(c.runs))
	}
	if c.options.Requests != nil {
		c.records[f.index] = f.rec
		c.pass(false)
	}
}

// pass passes records on as far as they have come in without a gap, or, at the
// end, all that there are.
func (c *collector) pass(all bool) {
	for ; c.passed < len(c.runs) && (all || c.records[c.passed] != nil); c.passed++ {
		rec := c.records[c.passed]
		if rec == nil {
			continue
		}
		if err := c.options.Requests(c.runs[c.passed], rec); err != nil {
			c.failures = append(c.failures, err)
		}
		c.records[c.passed] = nil
	}
}
