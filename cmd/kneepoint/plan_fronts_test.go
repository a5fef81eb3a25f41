package main

import (
	"slices"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// A front of several candidates is told in words, with the best of each respect; a front of one is the answer.
func TestFrontWords(t *testing.T) {
	cost, ttft := results.Respect{Metric: metrics.PricePerHour, Unit: "$/h"}, results.Respect{Metric: metrics.P99TTFT, Unit: "ms"}
	user := results.Respect{Metric: results.Interactivity, Unit: "tok/s/user", Higher: true}
	point := func(name string, x, y float64, by string) results.FrontPoint {
		return results.FrontPoint{Option: name, X: x, Y: y, Dominated: by}
	}
	a := &results.Answer{Fronts: []results.Front{
		{X: cost, Y: ttft, Points: []results.FrontPoint{point("a", 10, 1500, ""), point("b", 20, 1600, "a"), point("c", 30, 120, "")}},
		{X: user, Y: results.Respect{Metric: metrics.OutputThroughput, Unit: "tok/s/accelerator", Higher: true},
			Points: []results.FrontPoint{point("a", 10, 1500, ""), point("b", 9, 1400, "a")}},
	}}
	want := []string{"Pareto front of cost and p99 TTFT: a ($10.0 an hour, 1.50 s); c ($30.0 an hour, 120 ms)."}
	if got := frontWords(a); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	a.Fronts[1].Points[1].Dominated = ""
	if got := frontWords(a)[1]; got != "Pareto front of tokens a second of a user and of an accelerator: "+
		"a (10.0 tok/s/user, 1500 tok/s/accelerator); b (9.00 tok/s/user, 1400 tok/s/accelerator)." {
		t.Errorf("%q", got)
	}
}
