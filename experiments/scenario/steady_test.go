package scenario_test

import (
	"math"
	"slices"
	"testing"

	"kneepoint/experiments/scenario"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// closedLoop is clients of some replicas whose steps take longer with more in them, as at the start, when all come at once.
func closedLoop(clients, replicas int) scenario.Scenario {
	pool := replicasOf(replicas)
	s := of(pool)
	s.Traffic.NumRequests = 400
	s.Traffic.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: clients, ThinkTime: workloads.Thinking(0.3), Start: "at_once"}
	s.Traffic.Output = &workloads.LengthSpec{Type: "exponential", Mean: 10, Min: 1, Max: 40}
	return s
}

func replicasOf(n int) scenario.Pool {
	pool := replicas("", n, 0.1)
	pool.Deployment.Synthetic.PerContextToken, pool.Deployment.Synthetic.PerPrefillToken = 0.0013, 0.0171
	pool.Strategy.MaxNumSeqs = 16
	return pool
}

// TestSteadyStateIsTheWindow: a run of a closed loop has in its measuring window what one has
// that was told the steady state before.
func TestSteadyStateIsTheWindow(t *testing.T) {
	short := closedLoop(20, 1)
	short.Pools[0].Deployment.Bare.KVTokens = 100 // sequences are preempted, and requests rejected
	cut := closedLoop(20, 1)
	cut.Measure.MaxTime = 40 // fewer requests come
	sessions := closedLoop(1, 2)
	sessions.Traffic.Arrival = nil
	sessions.Traffic.Session = &workloads.SessionSpec{Users: 30, Turns: workloads.Turns{Type: "uniform", Min: 1, Max: 4},
		ThinkTime: workloads.Thinking(1)}
	for name, s := range map[string]scenario.Scenario{
		"one replica": closedLoop(20, 1), "three replicas": closedLoop(60, 3), "memory is short": short, "cut": cut, "sessions": sessions,
	} {
		t.Run(name, func(t *testing.T) {
			b := scenario.NewBuilder(&scenario.Traces{})
			got, err := b.Run(t.Context(), build(t, b, s))
			if err != nil {
				t.Fatal(err)
			}
			steady, ok := got.FindSteady(s.Traffic.Clients())
			if !ok || steady.First == 0 {
				t.Fatalf("the steady state is %+v (%t)", steady, ok)
			}
			told := build(t, b, s)
			told.Config.InWindow = func(r workloads.Request) bool { return steady.Contains(r.ID) }
			want, err := sim.Run(t.Context(), told.Config)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Requests, want.Requests) {
				t.Error("other requests are in the window")
			}
			sameGaps(t, &got.ITLIn, &want.ITLIn)
		})
	}
}

// TestNoSteadyState: without one no request is in the window.
func TestNoSteadyState(t *testing.T) {
	s := closedLoop(20, 1)
	s.Traffic.NumRequests = 60
	b := scenario.NewBuilder(&scenario.Traces{})
	got, err := b.Run(t.Context(), build(t, b, s))
	if err != nil {
		t.Fatal(err)
	}
	if got.ITLIn.Count() > 0 || slices.ContainsFunc(got.Requests, func(r metrics.Request) bool { return r.InWindow }) {
		t.Errorf("%d gaps of 60 requests of 20 clients count for a steady state", got.ITLIn.Count())
	}
}

func build(t *testing.T, b *scenario.Builder, s scenario.Scenario) *scenario.Simulation {
	t.Helper()
	built, err := b.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// sameGaps compares gaps: counts exactly, sums but for rounding.
func sameGaps(t *testing.T, got, want *metrics.Histogram) {
	t.Helper()
	if got.Count() != want.Count() || math.Abs(got.Mean()/want.Mean()-1) > 1e-9 || math.Abs(got.Std()/want.Std()-1) > 1e-6 {
		t.Errorf("%d gaps of %v ± %v s, want %d of %v ± %v s", got.Count(), got.Mean(), got.Std(), want.Count(), want.Mean(), want.Std())
	}
	for p := 0.0; p <= 1; p += 1. / 64 {
		if x, y := got.Quantile(p), want.Quantile(p); x != y {
			t.Errorf("the %v-quantile is %v, want %v", p, x, y)
		}
	}
}
