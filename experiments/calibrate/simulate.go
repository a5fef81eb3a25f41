package calibrate

import (
	"context"
	"fmt"

	"kneepoint/experiments"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// simulator repeats benchmarks with engine profiles.
type simulator struct {
	deployment Deployment
	benches    []Bench
	scenarios  []scenario.Scenario // by benchmark, with the profile that the fit starts from
	options    runner.Options      // with a store, since a descent comes back to profiles
	progress   func(done int)      // called one call at a time
	done       int
}

// newSimulator makes the scenario of every benchmark, and finds what is wrong with the
// input before anything is simulated.
func newSimulator(benches []Bench, d Deployment, workers int) (*simulator, error) {
	traces := &scenario.Traces{}
	s := &simulator{deployment: d, benches: benches, progress: func(int) {},
		options: runner.Options{Workers: workers, Builder: scenario.NewBuilder(traces), Store: &runner.Memory{}}}
	for i := range benches {
		x, err := d.scenario(&benches[i], traces)
		if err == nil {
			_, err = s.options.Builder.Check(x, 1)
		}
		if err != nil {
			return nil, err
		}
		s.scenarios = append(s.scenarios, x)
	}
	return s, nil
}

// scenario is the simulation that repeats a benchmark.
func (d *Deployment) scenario(b *Bench, traces *scenario.Traces) (scenario.Scenario, error) {
	file := experiments.FromTree("", ".", d.tree(b))
	if len(b.Requests) > 0 {
		trace, err := b.trace()
		if err != nil {
			return scenario.Scenario{}, badinput.In(b.Name, err)
		}
		file.Traces = map[string]*workloads.Trace{requestsPath: trace}
	}
	if err := file.Override(d.Set); err != nil {
		return scenario.Scenario{}, err
	}
	e, err := file.Resolve(traces)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return e.Scenario(0), nil
}

// withEngine is a scenario with another engine, which must have the same kernels: these
// are constants of the deployment. The given scenario is not changed.
func withEngine(engine hardware.Engine, s scenario.Scenario) scenario.Scenario {
	pool := s.Pools[0]
	if pool.Deployment.Roofline != nil {
		roofline := *pool.Deployment.Roofline
		roofline.Engine = engine
		pool.Deployment.Roofline = &roofline
	}
	s.Pools = []scenario.Pool{pool}
	return s
}

// run simulates the benchmarks of the given numbers with every engine, and
// returns the metrics by engine and position in which.
func (s *simulator) run(ctx context.Context, engines []hardware.Engine, which []int) ([][]metrics.Values, error) {
	found := make([]runner.Result, len(engines)*len(which))
	options := s.options
	options.Done = func(r runner.Result) {
		found[r.Index] = r
		s.done++
		s.progress(s.done)
	}
	scenarios := func(yield func(scenario.Scenario) bool) {
		for _, engine := range engines {
			for _, number := range which {
				if !yield(withEngine(engine, s.scenarios[number])) {
					return
				}
			}
		}
	}
	if err := runner.Run(ctx, scenarios, options); err != nil {
		return nil, err
	}
	results := make([][]metrics.Values, len(engines))
	for i, r := range found {
		if r.Err != nil {
			return nil, fmt.Errorf("%s: %w", s.benches[which[i%len(which)]].Name, r.Err)
		}
		results[i/len(which)] = append(results[i/len(which)], r.Outcome.Metrics)
	}
	return results, nil
}
