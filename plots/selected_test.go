package plots

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// ofTwoVariables is an experiment of rates at two batch sizes.
func ofTwoVariables() *results.Results {
	small, large := madeUp(rates, chatSLO, static, continuous), madeUp(rates, chatSLO, server{"static", 9, 160, 9}, server{"continuous", 20, 60, 8})
	res := *small
	res.Sweep = append(res.Sweep, results.Axis{Path: "strategy.size", Label: "size", Values: swept(32, 64)})
	res.Points = nil
	for _, rate := range rates {
		for _, size := range []any{32, 64} {
			res.Points = append(res.Points, results.PlannedPoint{Values: swept(rate, size)})
		}
	}
	res.Series = nil
	for i, of := range []*results.Results{small, large} {
		for _, s := range of.Series {
			s.Fixed = results.Setting{"strategy.size": results.ValueOf([]int{32, 64}[i])}
			s.Label = s.Strategy + ", size " + s.Fixed["strategy.size"].String()
			res.Series = append(res.Series, s)
		}
	}
	return &res
}

// TestSelected: a filter leaves strategies and values, another variable can be along x, and
// curves are named by what tells them apart.
func TestSelected(t *testing.T) {
	rate := rates[2].(int)
	tests := []struct {
		spec   results.PlotSpec
		labels []string
		values []string // of the first curve
	}{
		{results.PlotSpec{}, []string{"static, size 32", "continuous, size 32", "static, size 64", "continuous, size 64"},
			[]string{"1", "2", "4", "8", "16", "32"}},
		{results.PlotSpec{Filter: map[string][]results.Value{"strategy": swept("static"), "workload.arrival.rate": swept(2, 4)}, By: "strategy.size"},
			[]string{"size 32", "size 64"}, []string{"2", "4"}},
		{results.PlotSpec{Filter: map[string][]results.Value{"strategy.size": swept(64)}},
			[]string{"static", "continuous"}, []string{"1", "2", "4", "8", "16", "32"}},
		{results.PlotSpec{X: "strategy.size", Filter: map[string][]results.Value{"workload.arrival.rate": swept(rate)}},
			[]string{"static", "continuous"}, []string{"32", "64"}},
	}
	of64 := selected(ofTwoVariables(), &results.PlotSpec{Filter: map[string][]results.Value{"strategy.size": swept(64)}})
	if text := subtitle(of64, ""); !strings.Contains(text, "size 64") {
		t.Errorf("%q does not say what all curves share", text)
	}
	for _, tt := range tests {
		got := selected(ofTwoVariables(), &tt.spec)
		var labels, values []string
		for _, s := range got.Series {
			labels = append(labels, s.Label)
		}
		for _, p := range got.Series[0].Points {
			values = append(values, p.Value.String())
		}
		if !slices.Equal(labels, tt.labels) || !slices.Equal(values, tt.values) {
			t.Errorf("%+v: curves %q over %q, want %q over %q", tt.spec, labels, values, tt.labels, tt.values)
		}
	}
}

// TestFilterOfOneStrategysKey: the values of a strategy's own key say nothing of the
// others, which stay.
func TestFilterOfOneStrategysKey(t *testing.T) {
	res := ofTwoVariables()
	const path = "strategy.static.size"
	res.Sweep[1].Path = path
	res.Strategies = []string{"static", "continuous"}
	res.Series = res.Series[:3] // static at 32 and 64, and continuous once
	for i := range res.Series {
		s := &res.Series[i]
		s.Fixed = nil
		if s.Strategy == "static" {
			s.Fixed = results.Setting{path: results.ValueOf([]int{32, 0, 64}[i])}
		}
	}
	got := selected(res, &results.PlotSpec{Filter: map[string][]results.Value{path: swept(64)}})
	var labels []string
	for _, s := range got.Series {
		labels = append(labels, s.Label)
	}
	if want := []string{"continuous, size 32", "static, size 64"}; !slices.Equal(labels, want) {
		t.Errorf("curves %q, want %q", labels, want)
	}
}
