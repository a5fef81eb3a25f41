package experiments

import (
	"context"
	"fmt"
	"math"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
)

// TestSaturatedDeployment holds the verdicts against the quickstart's continuous
// strategy, of which the capacity is measured: what it serves when far more is
// offered. docs/metrics.md has the table.
func TestSaturatedDeployment(t *testing.T) {
	effort.Whole(t)
	seeds := effort.Times(t, 8)
	served := verdictsOf(t, 3, 16000, 100)
	capacity := served[0].Points[0].Metrics[metrics.RequestThroughput].Mean
	t.Logf("capacity %.2f req/s", capacity)
	slack := 2 / math.Sqrt(float64(seeds)) // of a share, for few seeds
	for _, load := range []float64{0.5, 0.8, 0.9, 1.05, 1.2} {
		for _, n := range []int{100, 300, 1000, 4000, 16000} {
			t.Run(fmt.Sprintf("%v/%d", load, n), func(t *testing.T) {
				saturated, known := 0.0, 0.0
				for _, s := range verdictsOf(t, seeds, n, load*capacity) {
					at := s.Points[0].Metrics[metrics.Saturated]
					known = float64(at.N) / float64(seeds)
					if at.N > 0 {
						saturated = at.Mean * known
					}
				}
				t.Logf("saturated %.3f, not %.3f, too short to tell %.3f", saturated, known-saturated, 1-known)
				if load < 1 && saturated > 0.01+slack/10 || load > 1 && known-saturated > 0.01+slack/10 {
					t.Errorf("saturated %.3f, not %.3f", saturated, known-saturated)
				}
				if n == 16000 && known < 0.8-slack/2 {
					t.Errorf("%.3f of the runs are too short to tell", 1-known)
				}
			})
		}
	}
}

// verdictsOf are the curves of the quickstart's continuous strategy at one rate.
func verdictsOf(t *testing.T, seeds, n int, rate float64) []results.Series {
	t.Helper()
	f, err := Load("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	delete(f.tree, "sweep")
	f.axes = nil
	strategies := f.tree["strategy"].([]map[string]any)
	f.tree["strategy"] = strategies[1:]
	err = f.Override([]string{fmt.Sprintf("replications=%d", seeds), fmt.Sprintf("workload.num_requests=%d", n),
		fmt.Sprintf("workload.arrival.rate=%v", rate)})
	if err != nil {
		t.Fatal(err)
	}
	e, err := f.Check()
	if err != nil {
		t.Fatal(err)
	}
	res, err := e.Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Series
}
