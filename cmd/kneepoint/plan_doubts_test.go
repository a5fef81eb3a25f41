package main

import (
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestDoubts: what would cost less than the answer, were it enough, is named where that is not settled; nothing else is.
func TestDoubts(t *testing.T) {
	price := 10.
	unit := results.Unit{Accelerators: 2, USDPerHour: &price}
	unclear := &results.Judgement{Attainment: 0.899, Half: 0.01, Surer: 0.013, Enough: 0.4, Needed: 2_345_678}
	clear := &results.Judgement{Attainment: 0.5, Half: 0.01, Surer: 0.013}
	answer := func(best int, fewer, judged *results.Judgement) *results.Answer {
		return &results.Answer{Target: 0.9, Least: "cost", Options: []results.Option{
			{Name: "best", Unit: unit, Units: best, Judged: clear}, {Name: "second", Unit: unit, Units: 4, Judged: clear, Fewer: fewer}},
			Pruned: []results.Option{{Name: "out", Unit: unit, Units: 2, Judged: judged}, {Name: "unfit"}}}
	}
	for want, a := range map[string]*results.Answer{
		"": answer(4, clear, clear),
		"enough: 3 units of second for $30.0 an hour, 89.9% ±1.0, which": answer(4, unclear, clear),
		"of out for $20.0 an hour, 89.9% ±1.0, which is not settled: it is enough with probability 0.40 (plan.max_requests = 2300000 would tell, " +
			"about).": answer(3, unclear, unclear),
		"; 2 units of out": answer(4, unclear, unclear),
	} {
		if got := doubtsText(a); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
	many := &results.Judgement{Unsettled: true, Needed: 1_310_000_000}
	if got := unsettledText(many); got != ", which is not settled: longer runs would have to tell (about 1,300 million requests would tell, "+
		"which are more than may be)" {
		t.Error(got)
	}
}
