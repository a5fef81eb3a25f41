package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// TestCorrelation: where always twenty requests in a row meet the objective or miss it, twenty tell as much as one.
func TestCorrelation(t *testing.T) {
	const together, requests, replications = 20, 16_000, 10
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		runs := make([]sample, replications)
		for r := range runs {
			for range requests / together {
				met := 0.0
				if random.Float64() < 0.9 {
					met = 1
				}
				runs[r].attained = append(runs[r].attained, slices.Repeat([]float64{met}, together)...)
			}
		}
		if l := newLook(1, 0, runs, 0); math.Abs(l.correlation/together-1) > 0.4 {
			t.Errorf("seed %d: correlation %.1f, want %d", seed, l.correlation, together)
		}
	}
}

// TestJudgementsEnd: a target near 1 has more requests to be judged by, but no more than a search has.
func TestJudgementsEnd(t *testing.T) {
	for target, want := range map[float64]int{0.9: 100_000, 0.99: 100_000, 0.9999: 800_000, 0.999999: MostRequests} {
		t.Run(fmt.Sprint(target), func(t *testing.T) {
			if got := allowedAt(target, 100_000); math.Abs(float64(got-want)) > 1000 {
				t.Errorf("%d requests, want %d", got, want)
			}
		})
	}
}
