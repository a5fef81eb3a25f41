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

// distributed gives every point the distribution of an exponential latency with the mean of
// its TTFT's p90.
func distributed(res *results.Results) *results.Results {
	for i := range res.Series {
		for _, p := range res.Series[i].Points {
			mean := p.Metrics["p90_ttft_ms"].Mean
			for _, name := range []string{"ttft", "tpot", "itl", "e2el"} {
				for _, q := range metrics.Distribution {
					value := -mean * math.Log(1-q/100)
					p.Metrics[metrics.PercentileKey(name, q)] = metrics.Estimate{Mean: value, Half: value / 10, N: 3}
				}
			}
			p.Metrics["ttft_at_attainment_ms"] = metrics.Estimate{Mean: -mean * math.Log(0.03), Half: 1, N: 3}
		}
	}
	return res
}

// specFigure is the figure of a table.
func specFigure(t *testing.T, res *results.Results, spec results.PlotSpec) Figure {
	t.Helper()
	f, ok := draw(res, spec)
	if !ok {
		t.Fatalf("no figure of %+v", spec)
	}
	return f
}

func TestDistribution(t *testing.T) {
	res := distributed(madeUp(rates, chatSLO, static, continuous))
	spec := results.PlotSpec{Kind: results.PlotCDF, Metric: "ttft", By: "strategy", At: results.Place{Value: results.ValueOf(4)}, File: "cdf-ttft"}
	f := specFigure(t, res, spec)
	if f.Title != "Distribution of the time to first token at 4 req/s" {
		t.Error(f.Title)
	}
	wants := []string{"p10", "p50", "p90", "p99", "p99.9", "SLO: p90", "SLO ≤ 500 ms", "static", "continuous", "Percentile of the requests", "Time to first token"}
	image := svg(t, f)
	for _, want := range wants {
		if !bytes.Contains(image, []byte(">"+want+"</text>")) {
			t.Errorf("the figure does not say %q", want)
		}
	}
	body := f.body.(*curvePlot)
	if d := body.curves[0].dots; len(d) != len(metrics.Distribution) || math.Abs(d[len(d)-1].x-3) > 1e-9 || math.Abs(d[6].x-1) > 1e-9 {
		t.Errorf("dots %+v", d)
	}
	if got := string(f.Data.CSV()); !strings.HasPrefix(got, "curve,at,percentile,ttft,unit,low,high\nstatic,4,1,") || strings.Count(got, "\n") != 21 {
		t.Errorf("data:\n%s", got)
	}

	// Of what is no number there is neither a highest nor a lowest one.
	names := distributed(madeUp([]any{"h100-sxm", "l40s"}, chatSLO, static))
	names.Sweep[0] = results.Axis{Path: "hardware.accelerator", Label: "accelerator", Values: names.Sweep[0].Values}
	if title := specFigure(t, names, results.PlotSpec{Kind: results.PlotCDF, Metric: "ttft", At: results.Place{Word: results.Highest}, File: "x"}).Title; title !=
		"Distribution of the time to first token with accelerator l40s" {
		t.Error(title)
	}

	// At the knee each curve has a load of its own, and says so.
	spec.At = results.Place{Word: results.AtKnee}
	f = specFigure(t, res, spec)
	if c := f.body.(*curvePlot).curves; f.Title != "Distribution of the time to first token at the knee" || c[0].name != "static, 4 req/s" || c[1].name != "continuous, 8 req/s" {
		t.Errorf("%q: %+v", f.Title, c)
	}
	if !slices.Contains(f.Notes, "each curve at the swept value nearest to its knee") {
		t.Errorf("notes %q", f.Notes)
	}

	// A share that is no percentile of every run has its own dot.
	res.SLO.Attainment = 0.97
	f = specFigure(t, res, spec)
	if c := f.body.(*curvePlot); len(c.curves[0].dots) != len(metrics.Distribution)+1 || c.across[0].label != "SLO: p97" {
		t.Errorf("%+v", c)
	}
	// Percentiles of too few requests leave no gap.
	for _, p := range res.Series[0].Points {
		delete(p.Metrics, "p75_ttft_ms")
		delete(p.Metrics, "p99.9_ttft_ms")
	}
	spec.At = results.Place{Word: results.Lowest}
	f = specFigure(t, res, spec)
	if c := f.body.(*curvePlot).curves[0]; len(c.dots) != len(metrics.Distribution)-1 || f.Title != "Distribution of the time to first token at 1 req/s" {
		t.Errorf("%q, %+v", f.Title, c.dots)
	}
	// All of the requests are beyond every nine.
	res.SLO.Attainment = 1
	f = specFigure(t, res, spec)
	if c := f.body.(*curvePlot); len(c.curves[1].dots) != len(metrics.Distribution) || c.across != nil {
		t.Errorf("%+v", c)
	}
}

func TestFan(t *testing.T) {
	res := distributed(madeUp(rates, chatSLO, static, continuous))
	spec := results.PlotSpec{Kind: results.PlotPercentiles, Metric: "ttft", X: "workload.arrival.rate", By: "strategy", File: "percentiles-ttft"}
	f := specFigure(t, res, spec)
	if f.Title != "Percentiles of the time to first token by request rate" || !slices.Contains(f.Notes, "thick: the percentile that the SLO asks for") {
		t.Errorf("%q, %q", f.Title, f.Notes)
	}
	body := f.body.(*fanPlot)
	for i, panel := range body.panels {
		var names []string
		for _, c := range panel.curves {
			names = append(names, c.name)
			if c.look != i || c.thick != (c.name == "p90") || (c.knee != nil) != c.thick {
				t.Errorf("panel %d: %+v", i, c)
			}
		}
		if want := []string{"p50", "p90", "p99"}; !slices.Equal(names, want) {
			t.Errorf("panel %d has %q", i, names)
		}
	}
	image := svg(t, f)
	for _, want := range []string{"static", "continuous", "p50", "p90", "p99", "SLO ≤ 500 ms", "Request rate (req/s)"} {
		if !bytes.Contains(image, []byte(">"+want+"</text>")) {
			t.Errorf("the figure does not say %q", want)
		}
	}
	if got := string(f.Data.CSV()); !strings.HasPrefix(got, "curve,workload.arrival.rate,percentile,ttft,unit,low,high,saturated\nstatic,1,50,") {
		t.Errorf("data:\n%s", got)
	}
	res.SLO.Attainment = 0.97
	if f = specFigure(t, res, spec); len(f.body.(*fanPlot).panels[0].curves) != 4 {
		t.Error("the percentile of the SLO has no curve")
	}
	res.SLO = results.SLO{}
	for _, c := range specFigure(t, res, spec).body.(*fanPlot).panels[0].curves {
		if c.thick {
			t.Errorf("without an objective %s is thick", c.name)
		}
	}
}

// TestDistributionsOfOddResults: of nothing there is no figure, and whatever there is can be
// read in all sizes.
func TestDistributionsOfOddResults(t *testing.T) {
	odd := oddResults()
	for name, res := range odd {
		distributed(res)
		if len(res.Series) > 8 {
			continue // too many to name beside each other
		}
		for i, kind := range []string{results.PlotCDF, results.PlotPercentiles} {
			for k, metric := range []string{"ttft", "itl"} {
				for _, at := range []string{results.AtKnee, results.Highest} {
					spec := results.PlotSpec{Kind: kind, Metric: metric, By: "strategy", At: results.Place{Word: at}, File: "x"}
					if f, ok := draw(res, spec); ok {
						t.Run(name+" "+kind+" "+metric+" "+at, func(t *testing.T) {
							legible(t, chart.NewStyle(chart.Sizes[(i+k)%len(chart.Sizes)], chart.Themes[i], nil), f)
						})
					}
				}
			}
		}
	}
	empty := madeUp(rates, chatSLO, static)
	for _, kind := range []string{results.PlotCDF, results.PlotPercentiles} {
		if _, ok := draw(empty, results.PlotSpec{Kind: kind, Metric: "e2el", File: "x"}); ok {
			t.Errorf("%s of nothing", kind)
		}
	}
}

// TestCrowdedFan: percentiles whose names do not fit at the ends of their curves have a number each.
func TestCrowdedFan(t *testing.T) {
	res := distributed(madeUp(rates, chatSLO, static, continuous))
	res.SLO.Attainment = 0.97
	for i := range res.Series { // which ends below the highest rate
		last := res.Series[i].Points[4].Metrics
		for key := range last {
			last[key] = metrics.Estimate{Mean: 20, Half: 1, N: 3}
		}
		clear(res.Series[i].Points[5].Metrics)
	}
	spec := results.PlotSpec{Kind: results.PlotPercentiles, Metric: "ttft", X: "workload.arrival.rate", By: "strategy", File: "percentiles-ttft"}
	image := svg(t, specFigure(t, res, spec))
	for _, want := range []string{"1 p50", "2 p90", "3 p97", "4 p99"} {
		if !bytes.Contains(image, []byte(">"+want+"</text>")) {
			t.Errorf("the key does not say %q", want)
		}
	}
}
