package calibrate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"kneepoint/experiments"
	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// simulator repeats benchmarks with engine profiles. It keeps the requests and
// the profiles that are tried in a folder of its own.
type simulator struct {
	deployment Deployment
	benches    []Bench
	base       profile
	moved      []parameter
	folder     string
	traces     []string // by benchmark
	workers    int
	progress   func(done int) // called one call at a time
	done       int
}

func newSimulator(benches []Bench, d Deployment, base profile, moved []parameter, workers int) (*simulator, error) {
	folder, err := os.MkdirTemp("", "kneepoint-calibrate-")
	if err != nil {
		return nil, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := &simulator{deployment: d, benches: benches, base: base, moved: moved, folder: folder, workers: workers,
		traces: make([]string, len(benches)), progress: func(int) {}}
	for i := range benches {
		if s.traces[i], err = benches[i].writeTrace(folder, i); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

func (s *simulator) close() error { return os.RemoveAll(s.folder) }

// run simulates the benchmarks of the given numbers with every engine, and
// returns the metrics by engine and position in which.
func (s *simulator) run(ctx context.Context, engines []hardware.Engine, which []int) ([][]metrics.Values, error) {
	paths := make([]string, len(engines))
	results := make([][]metrics.Values, len(engines))
	for i := range engines {
		var err error
		if paths[i], err = s.writeEngine(i, &engines[i]); err != nil {
			return nil, err
		}
		results[i] = make([]metrics.Values, len(which))
	}
	err := s.each(ctx, len(engines)*len(which), func(i int) (err error) {
		e, k := i/len(which), i%len(which)
		results[e][k], err = s.simulate(ctx, which[k], paths[e])
		return err
	})
	return results, err
}

// writeEngine writes a profile that is tried.
func (s *simulator) writeEngine(number int, e *hardware.Engine) (path string, err error) {
	path = filepath.Join(s.folder, fmt.Sprintf("engine-%d.toml", number))
	text, err := s.base.with(s.moved, e)
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, []byte(text), 0o600)
}

// each does jobs on all workers, and returns the first job's error that failed.
func (s *simulator) each(ctx context.Context, jobs int, do func(i int) error) error {
	failures := make([]error, jobs)
	var next atomic.Int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	for range min(s.workers, jobs) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= jobs {
					return
				}
				failures[i] = do(i)
				mutex.Lock()
				s.done++
				s.progress(s.done)
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkAll finds what is wrong with the input before anything is simulated.
func (s *simulator) checkAll(start *hardware.Engine) error {
	path, err := s.writeEngine(0, start)
	for i := range s.benches {
		if err == nil {
			_, err = s.check(i, path)
		}
	}
	return err
}

// simulate repeats one benchmark.
func (s *simulator) simulate(ctx context.Context, number int, engine string) (metrics.Values, error) {
	e, err := s.check(number, engine)
	if err != nil {
		return nil, err
	}
	res, err := e.Run(ctx, experiments.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	return res.Runs[0].Metrics, nil
}

// check builds the experiment of one benchmark.
func (s *simulator) check(number int, engine string) (*experiments.Experiment, error) {
	tree := s.deployment.tree(&s.benches[number], s.traces[number], engine)
	file := experiments.FromTree("", s.folder, tree)
	if err := file.Override(s.deployment.Set); err != nil {
		return nil, err
	}
	e, err := file.Check()
	if err == nil && e.Runs() != 1 {
		return nil, &badinput.Error{Key: "--set", Problem: "makes several runs of one benchmark", Allowed: "single values, no sweep and no replications"}
	}
	return e, err
}
