package main

import (
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// TestKneeRatio: a ratio is said only of knees that are known to differ, and on both sides.
func TestKneeRatio(t *testing.T) {
	low, high := 3.0, 5.0
	within := &results.Knee{Kind: results.KneeSearched, Value: 4, Low: &low, High: &high}
	beyond := &results.Knee{Kind: results.KneeBeyond, Value: 8, Low: &high}
	difference := func(relative float64, apart bool) results.KneeDifference {
		return results.KneeDifference{Strategy: "b", Baseline: "a", Relative: metrics.NewEstimate([]float64{relative}), Distinguishable: apart}
	}
	for name, c := range map[string]struct {
		knee        *results.Knee
		differences []results.KneeDifference
		want        string
	}{
		"known":          {within, []results.KneeDifference{difference(0.5, true)}, "×1.50"},
		"not told apart": {within, []results.KneeDifference{difference(0.5, false)}, "unclear"},
		"bounded, more":  {beyond, []results.KneeDifference{difference(0.5, true)}, "more"},
		"bounded, less":  {beyond, []results.KneeDifference{difference(-0.5, true)}, "less"},
		"of several":     {within, []results.KneeDifference{difference(0.5, true), difference(0.6, true)}, ""},
		"none":           {within, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			res := &results.Results{KneeDifferences: c.differences, Series: []results.Series{{Strategy: "a", Knee: within}, {Strategy: "b", Knee: c.knee}}}
			if got := kneeRatio(res, &res.Series[1]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSummaryTellsOfAll: strategies that find no room are counted, and what was missed is named
// before the others.
func TestSummaryTellsOfAll(t *testing.T) {
	m := madeUps["large"]
	m.expected = 2 // of which one is missed
	text := strings.Join(summary(page{width: 80}, m.results(), false), "\n")
	for _, want := range []string{"strategy a", "more: above, and in tables.txt", "expectations: 1 of 2 missed", "MISSED p99_ttft_ms", "estimated: gemm",
		"claims, by places: ", "or --verbose"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestKneeMeaning: it names every share of requests that is asked for, and no highest of names.
func TestKneeMeaning(t *testing.T) {
	half, most := &results.Knee{Kind: results.KneeBeyond, Target: 0.5}, &results.Knee{Kind: results.KneeBeyond, Target: 0.9}
	res := &results.Results{Series: []results.Series{{Strategy: "a", Knee: half}, {Strategy: "b", Knee: most}}}
	res.Sweep = []results.Axis{{Label: "request rate"}}
	if got, want := kneeMeaning(res), "knee: up to there 50% or 90% of requests meet the SLO"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	res.Sweep[0].Label = "accelerator"
	res.Series = []results.Series{{Strategy: "a", Points: []results.Point{{Value: results.ValueOf("h100-sxm")}, {Value: results.ValueOf("l40s")}}}}
	if got, want := kneeMeaning(res), "at accelerator l40s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
