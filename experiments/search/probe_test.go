package search

import (
	"testing"

	"kneepoint/experiments/results"
)

// TestProbesAreManyEnough: where a few runs are as long as the tolerance asks for there are eight at each load all the same, since three
// tell neither how far runs are from each other nor how skewed they are.
func TestProbesAreManyEnough(t *testing.T) {
	const least = 8
	q := exact[4].queue
	q.seed = 3
	found, err := find(t.Context(), Question{Target: 0.9, Met: 0.25, Missed: 1, Basis: results.SteadyState, Length: FirstRequests},
		Limits{Tolerance: 0.1, Requests: MostRequests}, q.sample)
	if err != nil || len(found.Probes) == 0 {
		t.Fatalf("%d probes, %v", len(found.Probes), err)
	}
	for _, p := range found.Probes {
		if len(p.Attained) < least {
			t.Errorf("%d runs at %v, want %d at least", len(p.Attained), p.Load, least)
		}
	}
}

// TestProbesForgetTheStart: where the pilot saw no warm-up at all probes leave out twice the correlation, after which e⁻⁴ of an empty start
// is left where it is forgotten at one rate; where it saw a longer one they leave out that.
func TestProbesForgetTheStart(t *testing.T) {
	const correlation = 50
	for _, before := range []int{0, 1000} {
		like := look{load: 1, warmUp: before, counted: 10_000, shares: []float64{0.9, 0.9, 0.9}, settled: true, correlation: correlation}
		s := searcher{Question: Question{Target: 0.9, Basis: results.SteadyState}, looks: []look{like}, settled: []look{like}}
		if got := s.warmUp(); got < 2*correlation || got < before {
			t.Errorf("%d requests are left out, want %d at least", got, max(2*correlation, before))
		}
	}
}
