package plots

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// expecting is an experiment whose values are held against bounds; NaN is no value.
func expecting(expected []results.Expected, values ...float64) *results.Results {
	res := madeUp(rates, chatSLO, static)
	res.Expected = expected
	for i, x := range expected {
		o := results.Expectation{What: x.Metric + " in words", Low: x.Low, High: x.High, Source: x.Source}
		if v := values[i]; !math.IsNaN(v) {
			o.Value, o.Met = &v, v >= x.Low && v <= x.High
		}
		res.Expectations = append(res.Expectations, o)
	}
	return res
}

func expected(metric, strategies string, at any, low, high float64) results.Expected {
	return results.Expected{Metric: metric, Strategies: strings.Fields(strategies), At: results.Place{Value: results.ValueOf(at)},
		Low: low, High: high, Source: "published: " + metric}
}

// TestPublished: values of all units share an axis, on which 1 is the middle of the bounds or
// the only one, and each is beside its bounds in its own unit.
func TestPublished(t *testing.T) {
	ratio := expected(metrics.MeanE2EL, "static", 64, 3, 5)
	ratio.Over = &results.Place{Value: results.ValueOf(1)}
	res := expecting([]results.Expected{
		expected(metrics.MeanTTFT, "static", 8, 344, 716),
		expected(metrics.OutputThroughput, "static", 8, 0, 900),
		expected(metrics.MeanTTFT, "static", 16, 870, 1e9),
		expected(metrics.MeanTPOT, "a b", 8, 0.5, 1.5),
		ratio,
		expected(metrics.Attainment, "static", 8, 0.9, 1),
		expected(metrics.Preemptions, "static", 8, 0, 0),
	}, 632, 1000, 1290, math.NaN(), 4.31, 0.95, 0)
	f := figureOf(t, res, "published")
	rows := f.body.(*expectedPlot).rows
	want := []expectedRow{
		{name: "mean TTFT, static, 8 req/s", value: 632, low: 344, high: 716, scale: 530, met: true, label: "632 ms (344–716 ms)"},
		{name: "output throughput, static, 8 req/s", value: 1000, high: 900, scale: 900, label: "missed: 1,000 tok/s (≤ 900 tok/s)"},
		{name: "mean TTFT, static, 16 req/s", value: 1290, low: 870, high: math.Inf(1), scale: 870, met: true, label: "1.29 s (≥ 870 ms)"},
		{name: "mean TPOT, a / b, 8 req/s", value: math.NaN(), low: 0.5, high: 1.5, scale: 1, label: "missed: no value (0.5–1.5×)"},
		{name: "mean E2EL, static, 64 req/s over 1 req/s", value: 4.31, low: 3, high: 5, scale: 4, met: true, label: "4.31× (3–5×)"},
		{name: "SLO attainment, static, 8 req/s", value: 0.95, low: 0.9, high: 1, scale: 0.95, met: true, label: "95 % (90–100 %)"},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d: %+v", len(rows), len(want), rows)
	}
	for i, r := range rows {
		w := want[i]
		if r.value != w.value && !(math.IsNaN(r.value) && math.IsNaN(w.value)) || r.name != w.name || r.low != w.low || r.high != w.high ||
			r.scale != w.scale || r.met != w.met || r.label != w.label {
			t.Errorf("row %d is %+v, want %+v", i, r, w)
		}
	}
	if f.Title != "5 of 7 values are where they are expected" {
		t.Errorf("title %q", f.Title)
	}
	for _, note := range []string{"mean TTFT, static, 8 req/s: published: mean_ttft_ms", "not drawn: preemptions in words, expected to be 0"} {
		if !slices.Contains(f.Notes, note) {
			t.Errorf("no note %q in %q", note, f.Notes)
		}
	}
	if line := "output_throughput in words,tok/s,1000,0,900,false,published: output_throughput\n"; !strings.Contains(string(f.Data.CSV()), line) {
		t.Errorf("no line %q in\n%s", line, f.Data.CSV())
	}
	for _, size := range chart.Sizes {
		legible(t, chart.NewStyle(size, chart.Themes[0], nil), f)
	}
}

// TestAllMet: few values are said as people say it.
func TestAllMet(t *testing.T) {
	for n, want := range map[int]string{1: "The value is where it is expected", 2: "Both values are where they are expected",
		3: "All 3 values are where they are expected"} {
		if got := allMet(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// TestPublishedNamesWhatDiffers: what all rows have in common is said once.
func TestPublishedNamesWhatDiffers(t *testing.T) {
	res := expecting([]results.Expected{expected(metrics.MeanTTFT, "a b", 8, 1, 2), expected(metrics.MeanTTFT, "b c", 8, 1, 2)}, 1, 2)
	names, common := expectedNames(res)
	if !slices.Equal(names, []string{"a / b", "b / c"}) || common != "mean TTFT, 8 req/s" {
		t.Errorf("%q, in common %q", names, common)
	}
	res = expecting([]results.Expected{expected(metrics.MeanTTFT, "a", 8, 1, 2), expected(metrics.MeanTTFT, "a", 8, 1, 3)}, 1, 2)
	if names, _ := expectedNames(res); slices.Contains(names, "") {
		t.Errorf("a row without a name: %q", names)
	}
}

// TestMissedIsHollow: without colour one sees what is missed.
func TestMissedIsHollow(t *testing.T) {
	res := expecting([]results.Expected{expected(metrics.MeanTTFT, "a", 8, 1, 2), expected(metrics.MeanTPOT, "a", 8, 1, 2)}, 1, 2)
	met := svg(t, figureOf(t, res, "published"))
	res.Expectations[0].Met = false
	if missed := svg(t, figureOf(t, res, "published")); bytes.Equal(met, missed) || bytes.Contains(met, []byte("missed:")) || !bytes.Contains(missed, []byte("missed: 1 ms")) {
		t.Error("what is missed looks like what is met")
	} else if filled := []byte("fill:#0072B2"); bytes.Count(met, filled) != bytes.Count(missed, filled)+1 {
		t.Errorf("%d dots are filled, and %d where one is missed", bytes.Count(met, filled), bytes.Count(missed, filled))
	}
}

// TestPublishedUnasked: one value is a line of the terminal, and no figure.
func TestPublishedUnasked(t *testing.T) {
	res := expecting([]results.Expected{expected(metrics.MeanTTFT, "static", 8, 1, 2)}, 1)
	if slices.ContainsFunc(Figures(res), func(f Figure) bool { return f.Name == "published" }) {
		t.Error("a figure of one value")
	}
	res.Plots = []results.PlotSpec{{Kind: results.PlotPublished, File: "published"}}
	figureOf(t, res, "published")
	res.Expectations, res.Expected = nil, nil // of an edited file, or an interrupted run
	if figures := Figures(res); len(figures) > 0 {
		t.Errorf("%d figures of what is not known", len(figures))
	}
}
