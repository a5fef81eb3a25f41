package scenario

import (
	"context"

	"kneepoint/experiments/results"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// AddRegret adds to the outcome of a scenario what a sample of its requests lost since they were not sent
// to another replica, where that is asked for. For each the run is repeated as often as there
// are replicas, up to its end.
func (b *Builder) AddRegret(ctx context.Context, s Scenario, o *results.Outcome) error {
	var looked []metrics.Hindsight
	fresh := func() (sim.Config, error) {
		built, err := b.Build(s)
		if err != nil {
			return sim.Config{}, err
		}
		return built.Config, nil
	}
	for _, request := range s.sample(s.Fleet.RegretSamples, int(o.Metrics.Offered())) {
		h, completed, err := sim.LookBack(ctx, fresh, request)
		if err != nil {
			return err
		}
		if completed {
			looked = append(looked, h)
		}
	}
	o.Metrics.SetRegret(looked)
	return nil
}

// sample is some of n requests, all if there are no more: one by random of each of equal parts of a run.
func (s *Scenario) sample(size, n int) []int {
	random := workloads.Stream(s.Seed, s.Replication, workloads.StreamRegret)
	size = min(size, n)
	all := make([]int, size)
	for i := range all {
		from, to := i*n/size, (i+1)*n/size
		all[i] = from + random.IntN(to-from)
	}
	return all
}
