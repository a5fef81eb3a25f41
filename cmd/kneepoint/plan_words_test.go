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
	if got, want := headroomText(&alone, 1), " It bears 20% more load; at 25% more it misses the objective."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for h, want := range map[results.Headroom]string{
		{Met: 1, Missed: 1.04}:   " They bear no more load: at 4% more they miss the objective.",
		{Met: 1.2, Missed: 1.25}: " They bear 20% more load; at 25% more they miss the objective.",
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
	a := &results.Answer{Least: "cost", Demand: results.Demand{Spare: 1}, Unlimited: &results.WhatIf{Best: "cheap", Units: 3, Fleet: 8, USD: &usd, KW: 5.6,
		Beyond: []string{"max_usd_per_hour", "max_kw"}}}
	a.Pruned = []results.Option{{Name: "slow", Out: results.OutUnreachable, Alone: &results.Alone{}}}
	want := "No candidate serves the demand. The cheapest fleet that does is beyond plan.max_usd_per_hour and plan.max_kw: " +
		"3 units and 1 spare of cheap, 8 accelerators for $32.0 an hour, 5.60 kW."
	if got := planWords(a)[0]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for want, w := range map[string]results.WhatIf{
		"x: no candidate is within plan.max_usd_per_hour":                            {What: "x", Beyond: []string{"max_usd_per_hour"}},
		"x: no candidate serves it":                                                  {What: "x"},
		"x: the whole fleet is lost with it, and nothing is served until it is back": {What: "x", Best: "b"},
		"x: no h100 is left, and nothing is served until it is back":                 {What: "x", Best: "b", Lost: "h100"},
		"x: the h100 of 1 unit left beside all others, and the backlog grows until it is back": {
			What: "x", Best: "b", Lost: "h100", Units: 1, Judged: &results.Judgement{Saturated: true}},
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

// Shares are told with their intervals, of which nothing is below 0 or above 100 %.
func TestSharesAreWithinThemselves(t *testing.T) {
	for want, j := range map[string]results.Judgement{
		"99.1% ±0.2":      {Attainment: 0.991, Half: 0.002},
		"99.0% ±1.0":      {Attainment: 0.99, Half: 0.01},
		"99.8% −0.5 +0.2": {Attainment: 0.998, Half: 0.005},
		"100.0% −0.4":     {Attainment: 1, Half: 0.004},
		"0.0% +0.3":       {Attainment: 0, Half: 0.003},
		"9.3% −9.3 +20.1": {Attainment: 0.093, Half: 0.201},
	} {
		if got := percentText(&j); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A scaler that would save nothing is said to.
func TestScalersThatSaveNothing(t *testing.T) {
	usd := 2.0
	option := func(name string, units int, following ...int) results.Option {
		return results.Option{Name: name, Units: units, Unit: results.Unit{USDPerHour: &usd}, Following: following}
	}
	a := &results.Answer{Demand: results.Demand{Peak: &results.Peak{}, Levels: []results.Level{{Factor: 0.5, Share: 0.5}, {Factor: 1, Share: 0.5}}}}
	a.Options = []results.Option{option("a", 1, 1, 1)}
	if got := strings.Join(peakWords(a)[1:], " "); got != "A scaler that followed the rate would save nothing of a: it takes 1 unit at all times." {
		t.Errorf("%q", got)
	}
	a.Options = append(a.Options, option("b", 2, 1, 2))
	if got := strings.Join(peakWords(a)[2:], " "); !strings.HasPrefix(got, "A scaler that followed the rate would have 1 to 2 units of b for $3.00 an hour in the mean, 25% less. That takes") {
		t.Errorf("%q", got)
	}
}

// A fleet of several accelerators is told by each of them, and what wins by the price of each that decides.
func TestWordsOfMixedFleets(t *testing.T) {
	unit := func(parts ...results.Part) results.Unit {
		u := results.Unit{Of: parts}
		usd := 0.0
		var names []string
		for _, p := range parts {
			usd, names = usd+p.USDPerHour, append(names, p.Accelerator)
		}
		u.USDPerHour, u.Accelerator = &usd, strings.Join(names, " + ")
		return u
	}
	h100, a100 := results.Part{Accelerator: "h100", Accelerators: 1, USDPerHour: 10}, results.Part{Accelerator: "a100", Accelerators: 2, USDPerHour: 8}
	judged := &results.Judgement{Attainment: 0.95, Half: 0.01, Surer: 0.013}
	a := &results.Answer{Least: "cost", Target: 0.9, Options: []results.Option{
		{Name: "mixed", Units: 2, Unit: unit(a100, h100), Judged: judged}, {Name: "pure", Units: 4, Unit: unit(h100), Judged: judged}}}
	want := "Runner-up: 4 units of pure (4 × h100) for $40.0 an hour, 11% more; it wins where a100 costs over 25% more, or h100 over 20% less."
	if got := runnerUpText(a, &a.Options[0]); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := acceleratorsText(a, &a.Options[0]), "4 × a100 + 2 × h100"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := acceleratorsRange(&results.UncertainOption{Low: 2, High: 3}, &a.Options[0].Unit), " (4 to 6 × a100 + 2 to 3 × h100)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b := &results.Uncertainty{Options: []results.UncertainOption{{Option: "mixed"}, {Option: "pure", OverBest: &results.Spread{Low: 1, Median: 2, High: 3}}}}
	if got := breakEvenWords(a, b); got != nil {
		t.Errorf("%q, where the price of h100 concerns both", got)
	}
	a.Options[1].Unit = unit(results.Part{Accelerator: "b200", Accelerators: 1, USDPerHour: 20})
	if got, want := breakEvenWords(a, b)[0], "pure comes to cost as little where a100 and h100 cost ×2.00 as much (×1.00 to ×3.00 in 90% of the draws)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
