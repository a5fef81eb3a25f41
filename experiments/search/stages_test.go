package search

import (
	"context"
	"math"
	"testing"

	"kneepoint/experiments/results"
)

// TestFarFromTheTarget: a load that meets the target by far, or misses it by far, takes a few runs, and one near it all.
func TestFarFromTheTarget(t *testing.T) {
	q := queue{service: constant, bound: 5, seed: 3} // whose knee is .7996
	runs, seen := map[float64]int{}, map[float64]float64{}
	observe := func(ctx context.Context, load float64, requests, first, count int) ([]sample, error) {
		all, err := q.sample(ctx, load, requests, first, count)
		if first < firstReplication+pilotReplications { // the pilot's
			runs[load] += count
			seen[load] = all[0].share()
		}
		return all, err
	}
	_, err := find(t.Context(), Question{Target: 0.9, Met: 0.1, Missed: 4, Basis: results.SteadyState, Length: FirstRequests},
		Limits{0.04, MostRequests}, observe)
	if err != nil {
		t.Fatal(err)
	}
	few, all := 0, 0
	for load, count := range runs {
		switch far := math.Abs(logit(min(max(seen[load], 1e-6), 1-1e-6)) - logit(0.9)); {
		case far > 3 && count > pilotReplications/2:
			t.Errorf("%d runs at %.3g, of whose requests %.3g met the objective", count, load, seen[load])
		case far > 3:
			few++
		case far < 1 && count >= pilotReplications:
			all++
		}
	}
	if few < 2 || all < 1 {
		t.Errorf("%d loads had few runs and %d all: %v", few, all, runs)
	}
}

// share is the share of a run's requests that met the objective.
func (s *sample) share() float64 {
	met := 0.0
	for _, x := range s.attained {
		met += x
	}
	return met / float64(len(s.attained))
}

// TestLongerRuns: half the interval falls with the root of the length, so that what is a third of it takes sixteen times as long in
// doublings, of which there are two at a time, and none beyond the longest.
func TestLongerRuns(t *testing.T) {
	l := look{counted: 1000, requests: 10_000, correlation: 1, shares: []float64{0.8, 0.85, 0.9, 0.95, 0.8, 0.85, 0.9, 0.95, 0.85, 0.9}}
	for _, c := range []struct{ part, longest, want float64 }{{0.99, 1e6, 2000}, {0.6, 1e6, 4000}, {0.33, 1e6, 4000}, {0.33, 3000, 2000}} {
		if got := l.longer(c.part*l.half(surer), surer, 1000, int(c.longest)); got != int(c.want) {
			t.Errorf("%d requests for %v of the interval, want %v", got, c.part, c.want)
		}
	}
}

// TestLongestRuns: ten runs of a length, of twice it, and so on have no more requests in all than are allowed.
func TestLongestRuns(t *testing.T) {
	for allowed, want := range map[int]int{10_000: 1000, 29_999: 1000, 30_000: 2000, 69_999: 2000, 100_000: 4000} {
		if got := longestOf(1000, allowed); got != want {
			t.Errorf("runs of %d requests where %d are allowed, want %d", got, allowed, want)
		}
	}
}
