package main

import (
	"testing"

	"kneepoint/experiments/results"
)

// The best that can be reached is the candidate that most requests are served by as they should be, and where as few are by any, the one
// that comes nearest to the bounds.
func TestBestThatCanBeReached(t *testing.T) {
	at := func(name string, attainment, ttft, tpot float64) results.Option {
		return results.Option{Name: name, Alone: &results.Alone{Attainment: attainment, TTFTms: ttft, TPOTms: tpot}}
	}
	a := &results.Answer{Target: 0.9, SLO: results.SLO{TTFTms: 10, TPOTms: 50}}
	a.Pruned = []results.Option{at("slow", 0, 856, 20), at("quick", 0, 116, 30), at("stumbling", 0, 20, 5000)}
	want := "The best that can be reached is 0%, where a request has a unit of quick for itself; TTFT is what bounds it: 90% of the requests have up to 116 ms."
	if got := reachableText(a); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	a.Pruned = append(a.Pruned, at("steady", 0.5, 900, 60))
	want = "The best that can be reached is 50%, where a request has a unit of steady for itself; TTFT is what bounds it: " +
		"90% of the requests have up to 900 ms; TPOT is what bounds it: 90% of the requests have up to 60.0 ms."
	if got := reachableText(a); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	a.SLO = results.SLO{ITLp99ms: 5}
	a.Pruned = []results.Option{{Name: "stalling", Alone: &results.Alone{TTFTms: 900, ITLp99ms: 7}}}
	want = "The best that can be reached is 0%, where a request has a unit of stalling for itself; p99 ITL is what bounds it: 99% of all gaps between tokens are up to 7.00 ms."
	if got := reachableText(a); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
