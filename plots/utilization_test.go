package plots

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// used gives every point utilizations, and all but the first two another bottleneck.
func used(res *results.Results) *results.Results {
	for _, s := range res.Series {
		for k := range s.Points {
			p := &s.Points[k]
			p.Metrics[metrics.MFU] = metrics.Estimate{Mean: 0.05 * float64(k), Half: 0.01, N: 3}
			p.Metrics[metrics.MBU] = metrics.Estimate{Mean: 0.6, Half: 0.01, N: 3}
			p.Metrics[metrics.MeanKVUtilization] = metrics.Estimate{Mean: 0.1 * float64(k), Half: 0.01, N: 3}
			p.Why = &metrics.Why{Bottleneck: metrics.ByBandwidth}
			if k > 1 {
				p.Why.Bottleneck = metrics.BySlots
			}
		}
	}
	return res
}

func figureNamed(t *testing.T, res *results.Results, name string) (Figure, bool) {
	t.Helper()
	figures := Figures(res)
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		return Figure{}, false
	}
	return figures[i], true
}

// TestUtilization: a panel for each strategy, with lines for what is recorded, and every
// bottleneck named in the strip and in the key.
func TestUtilization(t *testing.T) {
	f, ok := figureNamed(t, used(madeUp(rates, chatSLO, static, continuous)), "utilization")
	if !ok {
		t.Fatal("no figure")
	}
	drawn := string(svg(t, f))
	for text, n := range map[string]int{"static": 1, "continuous": 1, "MFU": 1, "MBU": 1, "KV cache": 1, "link": 0, "B memory bandwidth": 1,
		"S batch slots": 1, "C compute": 0, "batch slots": 2, "100 %": 2, "Request rate (req/s)": 1} {
		if got := strings.Count(drawn, ">"+text+"</text>"); got != n {
			t.Errorf("%q is there %d times, want %d", text, got, n)
		}
	}
	const want = "curve,workload.arrival.rate,bottleneck,mfu,mbu,kv_utilization_mean\nstatic,1,memory bandwidth,0,0.6,0\n"
	if data := string(f.Data.CSV()); !strings.HasPrefix(data, want) {
		t.Errorf("data\n%s\nwant\n%s", data, want)
	}
	for name, res := range map[string]*results.Results{
		"nothing recorded": madeUp(rates, chatSLO, static),
		"no sweep":         used(atOnePoint(4, chatSLO, static)),
		"thirteen":         used(madeUp(rates, chatSLO, append(eight(), eight()[:5]...)...)),
	} {
		if _, ok := figureNamed(t, res, "utilization"); ok {
			t.Errorf("%s: drawn", name)
		}
	}
}

// TestStripOfBottlenecks: it covers the axis without gaps, and changes half the way between
// two points, along the axis.
func TestStripOfBottlenecks(t *testing.T) {
	for _, log := range []bool{false, true} {
		p := plot.New()
		chart.Swept(&p.X, []float64{1, 4, 16}, log, exact)
		panel := utilizationPanel{bounds: []boundAt{{1, metrics.ByLoad}, {4, metrics.ByLoad}, {16, metrics.ByKV}}}
		want := map[bool]float64{false: 10, true: 8}[log]
		if got := panel.edge(&p.X, 2); math.Abs(got-want) > 1e-9 {
			t.Errorf("log %t: changes at %g, want %g", log, got, want)
		}
		if low, high := panel.edge(&p.X, 0), panel.edge(&p.X, 3); low != p.X.Min || high != p.X.Max {
			t.Errorf("log %t: from %g to %g, want %g to %g", log, low, high, p.X.Min, p.X.Max)
		}
	}
}

// TestBottlenecksHaveLetters of their own, all of them.
func TestBottlenecksHaveLetters(t *testing.T) {
	seen := map[string]bool{}
	for _, by := range []metrics.Bottleneck{metrics.ByCompute, metrics.ByBandwidth, metrics.ByLink, metrics.ByLatency, metrics.ByCPU, metrics.ByKV,
		metrics.BySlots, metrics.ByRouter, metrics.BySteps, metrics.ByLoad} {
		i := slices.IndexFunc(bottlenecks, func(b bottleneck) bool { return b.by == by })
		if i < 0 || seen[bottlenecks[i].letter] {
			t.Errorf("%s has no letter of its own", by)
			continue
		}
		seen[bottlenecks[i].letter] = true
	}
}

// TestLatencyParts: a bar for each strategy at its own knee, in ms that sum to the
// percentile of the SLO.
func TestLatencyParts(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	for i := range res.Series {
		for k := range res.Series[i].Points {
			split := metrics.Split{"mean": {metrics.Decode: 9}, "p90": {metrics.Queue: 0.1, metrics.Prefill: 0.3}, "p99": {metrics.Decode: 9}}
			res.Series[i].Points[k].Why = &metrics.Why{TTFT: split, E2EL: split}
		}
	}
	spec := results.PlotSpec{Kind: results.PlotLatencyParts, Metric: "ttft", At: results.Place{Word: results.AtKnee}, File: "parts"}
	figures := asked(res, spec)
	if len(figures) != 1 {
		t.Fatalf("%d figures", len(figures))
	}
	drawn := svg(t, figures[0])
	for text, want := range map[string]bool{"What p90 TTFT is made of at the knee": true, "static, 4 req/s": true, "continuous, 8 req/s": true,
		"400 ms": true, "100 ms": true, "300 ms": true, "queue": true, "prefill": true, "decode": false, "SLO ≤ 500 ms": true} {
		if got := bytes.Contains(drawn, []byte(">"+text+"</text>")); got != want {
			t.Errorf("%q is shown: %t, want %t", text, got, want)
		}
	}
	if data := string(figures[0].Data.CSV()); !strings.Contains(data, "continuous,8,p90,prefill,300\n") {
		t.Errorf("data\n%s", data)
	}
	slow := *res
	slow.Series = slices.Clone(res.Series)
	least := 1.0
	slow.Series[0].Knee = &results.Knee{Kind: results.KneeBelow, Value: least, High: &least}
	below := asked(&slow, spec)[0]
	if !slices.Contains(below.Notes, "SLO not met at any point, so at the lowest: static") || !bytes.Contains(svg(t, below), []byte(">static, 1 req/s<")) {
		t.Errorf("without a knee: %q", below.Notes)
	}
	spec.At, spec.Metric = results.Place{Value: results.ValueOf(16)}, "e2el"
	if f := asked(res, spec); len(f) != 1 || !bytes.Contains(svg(t, f[0]), []byte(">What p90 E2EL is made of at 16 req/s<")) {
		t.Error("not at the value that was asked for")
	}
	res.SLO.Attainment = 0.92 // of which there are no parts
	if f := asked(res, spec); len(f) != 1 || f[0].Title != "What mean E2EL is made of at 16 req/s" {
		t.Errorf("without the parts of a percentile: %+v", f)
	}
	if f, ok := figureNamed(t, explained(atOnePoint(4, results.SLO{}, static), metrics.Parts{metrics.Decode: 1}), "latency-parts"); !ok ||
		f.Title != "What mean E2EL is made of" {
		t.Errorf("of one point: %t, %q", ok, f.Title)
	}
	if asked(madeUp(rates, chatSLO, static), spec) != nil {
		t.Error("drawn without parts")
	}
}

// TestBarsOfPartsReachTheWhole: the last part ends at the sum of all.
func TestBarsOfPartsReachTheWhole(t *testing.T) {
	style, _ := Options{}.style()
	l := latencyPlot{rows: []latencyRow{
		{"a", metrics.Parts{metrics.Queue: 1, metrics.Decode: 2}, 3000}, {"b", metrics.Parts{metrics.Decode: 1}, 1000},
	}}
	l.shown = l.seen()
	p := style.NewPlot()
	l.addBars(style, p)
	l.rows[0].parts[metrics.Prefill] = 0.5
	l.shown = l.seen()
	if all := l.lengths(); len(all) != 6 || all[2].Min.X != 1500 || all[2].Max.X != 3500 || all[5].Max.X != 1000 || all[5].Max.Y > all[2].Min.Y {
		t.Errorf("lengths at %+v", all)
	}
	l.shown = l.shown[1:]
	if p.X.Max != 3000 || len(l.shown) != 2 {
		t.Errorf("bars end at %g, parts %v", p.X.Max, l.shown)
	}
}
