package experiments

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
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

	// Progress is called when a simulation ends, one call at a time.
	Progress func(done, total int)

	// Requests receives the record of every run, in the order of Results.Runs.
	// It is called one call at a time; a nil func receives nothing.
	Requests func(run *Run, rec *metrics.Record) error
}

// Runs is the number of simulations that the experiment consists of.
func (e *Experiment) Runs() int { return len(e.jobs) }

// Run simulates every strategy at every point with every replication. When ctx
// is cancelled it returns what was finished, marked incomplete, with the
// context's error.
func (e *Experiment) Run(ctx context.Context, o Options) (*Results, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &collector{options: o, runs: make([]*Run, len(e.jobs)), records: make([]*metrics.Record, len(e.jobs))}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Workers, len(e.jobs)) {
		workers.Go(func() {
			for i := range next {
				if err := e.runJob(ctx, c, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range e.jobs {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return nil, cause
	}
	return e.results(c.finished()), ctx.Err()
}

// runJob simulates one run and hands it to the collector. A panic becomes an
// error that names the run.
func (e *Experiment) runJob(ctx context.Context, c *collector, i int) (err error) {
	j := &e.jobs[i]
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v\n%s", j.describe(), p, debug.Stack())
		}
	}()
	config, err := j.config()
	if err != nil {
		return err
	}
	config.Reference = c.options.Reference
	rec, err := sim.Run(ctx, config)
	if err != nil {
		if ctx.Err() != nil {
			return nil // interrupted: the run is missing from the results
		}
		return fmt.Errorf("%s: %w", j.describe(), err)
	}
	return c.add(i, j.summarize(rec), rec)
}

// collector gathers runs as they end and passes their records on in order.
type collector struct {
	options Options
	mutex   sync.Mutex
	runs    []*Run
	records []*metrics.Record // that wait for an earlier one
	passed  int
	done    int
}

func (c *collector) add(i int, run *Run, rec *metrics.Record) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs[i] = run
	c.done++
	if c.options.Progress != nil {
		c.options.Progress(c.done, len(c.runs))
	}
	if c.options.Requests == nil {
		return nil
	}
	c.records[i] = rec
	for c.passed < len(c.runs) && c.records[c.passed] != nil {
		if err := c.options.Requests(c.runs[c.passed], c.records[c.passed]); err != nil {
			return err
		}
		c.records[c.passed] = nil
		c.passed++
	}
	return nil
}

// finished lists the runs that ended, in order; nil where one is missing.
func (c *collector) finished() []*Run { return c.runs }
