package search

import (
	"context"
	"testing"

	"kneepoint/experiments/results"
)

// TestRunsWithoutRequests: over a short horizon a low rate may bring none, which nobody served late.
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
