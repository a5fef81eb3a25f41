package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/workloads"
)

// TestMissedHoweverLow: what misses the target at every load does not meet it where hardly a request comes, none of
// which was late.
func TestMissedHoweverLow(t *testing.T) {
	for seed := range uint64(20) {
		sampler := func(_ context.Context, rate float64, _, first, count int) ([]sample, error) {
			runs := make([]sample, count)
			for r := range runs {
				random := rand.New(rand.NewPCG(seed, uint64(first+r)))
				for at := random.ExpFloat64(); at < 100*rate; at += random.ExpFloat64() {
					met := 0.0
					if random.Float64() < 0.82 {
						met = 1
					}
					runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, 1)
				}
			}
			return runs, nil
		}
		found, err := find(context.Background(), Question{Target: 0.9, Met: 0.75, Missed: 0.75, Basis: results.Horizon, Length: 75},
			Limits{Tolerance: 0.02, Requests: 100_000}, sampler)
		if k := found.Knee(); err != nil || k == nil || k.Kind != results.KneeBelow {
			t.Errorf("seed %d: knee %+v, %v", seed, k, err)
		}
	}
}

// TestBasis: a fleet whose replicas fail or restart is searched in runs as they are stated.
func TestBasis(t *testing.T) {
	traffic := workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "poisson", Rate: 1}}
	for name, c := range map[string]struct {
		pool scenario.Pool
		want results.Basis
	}{
		"undisturbed": {scenario.Pool{}, results.SteadyState},
		"failures":    {scenario.Pool{Failures: []scenario.Failure{{At: 600}}}, results.Horizon},
		"restarts":    {scenario.Pool{Restart: &scenario.Restart{At: 600}}, results.Horizon},
	} {
		s := scenario.Scenario{Pools: []scenario.Pool{{}, c.pool}, Traffic: traffic}
		if got := BasisOf(&s); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestRunsWithoutRequests: over a short horizon a low rate may bring none, which tell nothing.
func TestRunsWithoutRequests(t *testing.T) {
	sampler := func(_ context.Context, rate float64, _, first, count int) ([]sample, error) {
		runs := make([]sample, count)
		for r := range runs {
			for i := range int(rate * float64((first+r)%3)) { // none, one or two
				met := 1.0
				if i >= 8 {
					met = 0
				}
				runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, 1)
			}
		}
		return runs, nil
	}
	for _, start := range []float64{0.1, 4, 40} {
		found, err := find(context.Background(), Question{Target: 0.9, Met: start, Missed: start, Basis: results.Horizon, Length: 4},
			Limits{Tolerance: 0.1, Requests: 100_000}, sampler)
		if k := found.Knee(); err != nil || !(k.Value > 4 && k.Value < 12) {
			t.Errorf("from %v: knee %+v, %v", start, k, err)
		}
	}
}
