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

// TestPlansWithoutAnAnswer: what a limit leaves out is told with what the cheapest of it takes, by its throughput or by what was not enough, spares included,
// before what no unit reaches.
func TestPlansWithoutAnAnswer(t *testing.T) {
	limited := func(name string, usd float64) results.Option {
		return results.Option{Name: name, Out: results.OutLimited, Detail: "max_usd_per_hour", Asked: 3,
			Unit: results.Unit{Accelerators: 2, USDPerHour: &usd}}
	}
	a := &results.Answer{Pruned: []results.Option{limited("dear", 20), limited("cheap", 8), limited("missed", 5)}, Demand: results.Demand{Spare: 1}}
	a.Pruned[2].Units, a.Pruned[2].Judged = 9, &results.Judgement{Attainment: 0.004}
	a.Pruned = append(a.Pruned, results.Option{Name: "slow", Out: results.OutUnreachable, Alone: &results.Alone{}})
	want := "No candidate serves the demand. plan.max_usd_per_hour allows too few units of 3 candidates; the cheapest of them takes about " +
		"3 units and 1 spare of cheap, 8 accelerators for $32.0 an hour."
	if got := planWords(a)[0]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o := results.Option{Out: results.OutDearer, Units: 2, Judged: &results.Judgement{Saturated: true}}
	if got, want := outText(a, &o), "2 units: overload; more are dearer than two others of the same accelerator"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
