package main

import (
	"fmt"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestWordsOfPlans: numbers are as people say them.
func TestWordsOfPlans(t *testing.T) {
	alone := results.Headroom{Met: 1.2, Missed: 1.25}
	if got, want := headroomText(&alone, 1), " It bears 20% more load, and misses the objective at 25% more load."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for h, want := range map[results.Headroom]string{
		{Met: 1, Missed: 1.04}:   " They bear no more load, and miss the objective at 4% more load.",
		{Met: 1.2, Missed: 1.25}: " They bear 20% more load, and miss the objective at 25% more load.",
		{Met: 8}:                 " They bear over 700% more load.",
	} {
		if got := headroomText(&h, 2); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, want := range []string{"1 client", "2 clients", "1 req/s"} {
		demand := results.Demand{Factor: 1}
		if _, err := fmt.Sscan(want, &demand.Load, &demand.Unit); err != nil {
			t.Fatal(err)
		}
		if demand.Unit == "client" {
			demand.Unit += "s"
		}
		if got, _, _ := strings.Cut(demandText(&results.Answer{Demand: demand}), ";"); got != "demand: "+want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRangesOfAccelerators: units are told as accelerators, which people buy.
func TestRangesOfAccelerators(t *testing.T) {
	unit := &results.Unit{Accelerators: 4, Accelerator: "h100-sxm"}
	for want, o := range map[string]results.UncertainOption{
		" (8 to 12 × h100-sxm)":    {Low: 2, High: 3},
		" (8 × h100-sxm)":          {Low: 2, High: 2},
		" (8 and more × h100-sxm)": {Low: 2},
		"":                         {},
	} {
		if got := acceleratorsRange(&o, unit); got != want {
			t.Errorf("%+v: %q, want %q", o, got, want)
		}
	}
}

// TestPlansWithoutAnAnswer: where no fleet is within the limits, the cheapest one beyond them is told, and which of them it is beyond.
func TestPlansWithoutAnAnswer(t *testing.T) {
	usd := 32.0
	a := &results.Answer{Least: "cost", Demand: results.Demand{Spare: 1}, Unlimited: &results.WhatIf{Best: "cheap", Units: 3, Fleet: 8, USD: &usd,
		Beyond: []string{"max_usd_per_hour", "max_kw"}}}
	a.Pruned = []results.Option{{Name: "slow", Out: results.OutUnreachable, Alone: &results.Alone{}}}
	want := "No candidate serves the demand. The cheapest fleet that does is beyond plan.max_usd_per_hour and plan.max_kw: " +
		"3 units and 1 spare of cheap, 8 accelerators for $32.0 an hour."
	if got := planWords(a)[0]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for want, w := range map[string]results.WhatIf{
		"x: no candidate is within plan.max_usd_per_hour": {What: "x", Beyond: []string{"max_usd_per_hour"}},
		"x: no candidate serves it":                       {What: "x"},
		"x: no candidate serves it within the limits. The cheapest fleet that does is beyond plan.max_kw: 1 unit and 1 spare of b, 2 accelerators": {
			What: "x", Best: "b", Units: 1, Fleet: 2, Beyond: []string{"max_kw"}},
	} {
		if got := whatIfText(a, &w); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	o := results.Option{Out: results.OutDearer, Units: 2, Judged: &results.Judgement{Saturated: true}}
	if got, want := outText(a, &o), "2 units: overload; more are dearer than two others of the same accelerator"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
