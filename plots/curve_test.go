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
	"kneepoint/units"
)

func TestKneeLiesOnTheTarget(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	res.Series[0].Knee.Value *= 1.05 // where a search found it, off the line between dots
	s, ok := newSweep(res)
	if !ok || !s.log {
		t.Fatalf("sweep of %v: curves %t, log %t", rates, ok, s.log)
	}
	p := plot.New()
	s.axis()(&p.X)
	chart.Fractions(&p.Y, percent)
	for i, c := range curvesOver(res, s, "slo_attainment") {
		at, ok := c.kneeAt(p)
		if !ok {
			t.Fatalf("%s has no knee", c.name)
		}
		if want := res.Series[i].Knee.Value; math.Abs(at.X/want-1) > 1e-9 || at.Y != 0.9 {
			t.Errorf("%s: knee at %v, want (%g, 0.9)", c.name, at, want)
		}
	}
}

// TestKneeOfGoodput: at the knee the target's share of the rate is good. The line and its band go there, the axis covers
// it, and the title has it where it is the most; rates divided by something else leave it on the line between dots.
func TestKneeOfGoodput(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	for i := range res.Series {
		k := res.Series[i].Knee
		low, high := 0.99*k.Value, 1.01*k.Value
		k.Kind, k.Low, k.High = results.KneeSearched, &low, &high
	}
	f := asked(res, results.PlotSpec{Kind: results.PlotCurve, Metric: metrics.Goodput, File: "a"})[0]
	body := f.body.(*curvePlot)
	p := plot.New()
	body.x(&p.X)
	body.y(&p.Y)
	for i, c := range body.curves {
		k := res.Series[i].Knee
		at, _ := c.kneeAt(p)
		if want := 0.9 * k.Value; math.Abs(at.X/k.Value-1) > 1e-9 || math.Abs(at.Y/want-1) > 1e-9 || at.Y > p.Y.Max {
			t.Errorf("%s: knee at %v, want (%g, %g) up to %g", c.name, at, k.Value, want, p.Y.Max)
		}
		if line := c.throughKnee(p); len(line) != len(c.dots)+1 || line[c.knee.from+1].y != at.Y || line[c.knee.from+1].low != at.Y {
			t.Errorf("%s: line through %+v", c.name, line)
		}
	}
	if want := units.Short(0.9*res.Series[1].Knee.Value) + " req/s with " + continuous.name; !strings.Contains(f.Title, want) {
		t.Errorf("title %q, want %q", f.Title, want)
	}
	divided := asked(fleet(1, 4), results.PlotSpec{Kind: results.PlotCurve, Metric: metrics.Goodput, Per: results.PerAccelerator, File: "a"})[0]
	for _, c := range divided.body.(*curvePlot).curves {
		if c.knee == nil || finite(c.knee.height) {
			t.Errorf("%s: knee %+v", c.name, c.knee)
		}
	}
}

func TestKneeLabels(t *testing.T) {
	low, high := 11.5, 12.1
	tests := []struct {
		knee  *results.Knee
		label string
		shape chart.Shape
	}{
		{&results.Knee{Kind: results.KneeInterpolated, Value: 11.79}, "≈ 11.8", chart.Circle},
		{&results.Knee{Kind: results.KneeSearched, Value: 11.79, Low: &low, High: &high}, "11.8", chart.Circle},
		{&results.Knee{Kind: results.KneeBeyond, Value: 32}, "≥ 32", chart.Circle},
		{&results.Knee{Kind: results.KneePower, Value: 8}, "8", chart.Square},
		{&results.Knee{Kind: results.KneeBelow, Value: 1}, "", 0},
		{nil, "", 0},
	}
	res := madeUp(rates, chatSLO, continuous)
	s, _ := newSweep(res)
	for _, tt := range tests {
		res.Series[0].Knee = tt.knee
		got := curvesOver(res, s, "p90_ttft_ms")[0].knee
		switch {
		case got == nil && tt.label == "":
		case got == nil || got.label != tt.label || got.shape != tt.shape:
			t.Errorf("knee %+v is marked %+v, want %q", tt.knee, got, tt.label)
		}
	}
}

func TestIntervalsStayPossible(t *testing.T) {
	res := madeUp(rates, chatSLO, static)
	s, _ := newSweep(res)
	for _, d := range curvesOver(res, s, "slo_attainment")[0].dots {
		if d.low < 0 || d.high > 1 {
			t.Errorf("attainment %g has the interval %g to %g", d.y, d.low, d.high)
		}
	}
	for i := range res.Series[0].Points {
		m := res.Series[0].Points[i].Metrics
		m["p90_ttft_ms"] = metrics.Estimate{Mean: 100, Half: 250, N: 3}
	}
	for _, d := range curvesOver(res, s, "p90_ttft_ms")[0].dots {
		if !(d.low > 0 && d.low*d.high > 0.99*d.y*d.y && d.low*d.high < 1.01*d.y*d.y) {
			t.Errorf("a time of %g has the interval %g to %g", d.y, d.low, d.high)
		}
	}
}

func TestSweepAxes(t *testing.T) {
	tests := []struct {
		name   string
		values []any
		log    bool
		ticks  []string
	}{
		{"doubling", rates, true, []string{"1", "2", "4", "8", "16", "32"}},
		{"even", []any{2, 4, 6, 8, 10}, false, []string{"0", "2", "4", "6", "8", "10"}},
		{"unordered", []any{8.0, 2.0, 4.0}, false, []string{"2", "4", "8"}},
		{"names", []any{"h100-sxm", "l40s"}, false, []string{"h100-sxm", "l40s"}},
		{"mixed", []any{1, 2, "inf"}, false, []string{"1", "2", "inf"}},
		{"yes or no", []any{true, false}, false, []string{"true", "false"}},
	}
	for _, tt := range tests {
		s, _ := newSweep(madeUp(tt.values, chatSLO, static))
		a := plot.New().X
		s.axis()(&a)
		var ticks []string
		for _, tk := range a.Tick.Marker.Ticks(a.Min, a.Max) {
			ticks = append(ticks, tk.Label)
		}
		if chart.IsLog(&a) != tt.log || !slices.Equal(ticks, tt.ticks) {
			t.Errorf("%s: log %t, ticks %q; want log %t, %q", tt.name, chart.IsLog(&a), ticks, tt.log, tt.ticks)
		}
	}
}

func TestTargetIsOnTheAxisUnlessFar(t *testing.T) {
	for _, tt := range []struct {
		slo     float64
		onScale bool
	}{{500, true}, {20, true}, {1e6, true}, {1e9, false}, {1e-3, false}} {
		res := madeUp(rates, results.SLO{TTFTms: tt.slo, Attainment: 0.9}, static, continuous)
		f := figureOf(t, res, "ttft-p90")
		body := f.body.(*curvePlot)
		if (len(body.targets) == 1) != tt.onScale {
			t.Fatalf("SLO of %g ms: targets %+v", tt.slo, body.targets)
		}
		a := plot.New().Y
		body.y(&a)
		for _, v := range ys(body.curves) {
			if at := a.Norm(v); at < 0 || at > 1 {
				t.Errorf("SLO of %g ms: %g ms is at %g of the axis", tt.slo, v, at)
			}
		}
		if off := "SLO ≤ " + latency(tt.slo) + " is off the scale"; tt.onScale {
			if at := a.Norm(tt.slo); at < 0 || at > 1 {
				t.Errorf("SLO of %g ms is at %g of the axis", tt.slo, at)
			}
		} else if !slices.Contains(f.Notes, off) {
			t.Errorf("SLO of %g ms: no note %q in %q", tt.slo, off, f.Notes)
		}
	}
}

// TestSaturatedDotsAreDashedByThemselves: a point in the middle that is saturated says
// nothing of those after it.
func TestSaturatedDotsAreDashedByThemselves(t *testing.T) {
	res := madeUp(rates, chatSLO, continuous)
	for i := range res.Series[0].Points {
		res.Series[0].Points[i].Saturated = results.No
	}
	plain := drawn(t, res)
	res.Series[0].Points[2].Saturated = results.Yes
	if got := drawn(t, res) - plain; got != 1 {
		t.Errorf("%d dashed lines for one saturated point", got)
	}
	res.Series[0].Points[4].Saturated = results.Yes
	if got := drawn(t, res) - plain; got != 2 {
		t.Errorf("%d dashed lines for two saturated points", got)
	}
}

// drawn is the number of dashed lines in the first figure.
func drawn(t *testing.T, res *results.Results) int {
	t.Helper()
	return bytes.Count(svg(t, Figures(res)[0]), []byte("stroke-dasharray"))
}

// TestAmountsStayBelowTheOfferedLoad: no straight line between two dots of the goodput is
// above what is offered there, whatever the range of rates: the axes are both linear or both
// logarithmic.
func TestAmountsStayBelowTheOfferedLoad(t *testing.T) {
	for name, swept := range map[string][]any{"linear": {1, 2, 3, 4}, "ratios": rates, "decades": {0.01, 0.1, 1, 10, 100}} {
		res := madeUp(swept, chatSLO, server{name: "roomy", capacity: 1e9, ttft: 1, tpot: 1})
		s, _ := newSweep(res)
		for _, m := range measures(res) {
			if m.kind != amountAxis {
				continue
			}
			body := m.overSweep(res, s, "").body.(*curvePlot)
			if wide := name == "decades"; isLog(body.x) != wide || isLog(body.y) != wide {
				t.Errorf("%s, %s: log x is %v, log y is %v", name, m.key, isLog(body.x), isLog(body.y))
			}
		}
	}
}

// TestBeyondSaturation: where runs are too short to tell, more load than one at which the
// service is saturated decides it, and nothing else does.
func TestBeyondSaturation(t *testing.T) {
	yes, no, open := results.Yes, results.No, results.Unknown
	for _, tt := range []struct{ found, want []results.Finding }{
		{[]results.Finding{no, open, yes, open, open}, []results.Finding{no, open, yes, yes, yes}},
		{[]results.Finding{open, yes, no, open}, []results.Finding{open, yes, no, open}},
	} {
		var c curve
		for _, f := range tt.found {
			c.dots = append(c.dots, dot{saturated: f})
		}
		c.decide()
		for i, d := range c.dots {
			if d.saturated != tt.want[i] {
				t.Errorf("%v: dot %d is %v, want %v", tt.found, i, d.saturated, tt.want[i])
			}
		}
	}
}

// TestSweptAttainment: a figure whose curves are asked for different shares of requests names all.
func TestSweptAttainment(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	res.Series[0].Knee.Target = 0.5
	figures := 0
	for _, f := range Figures(res) {
		for _, note := range f.Notes {
			if !strings.Contains(note, "of the requests meet the SLO") {
				continue
			}
			figures++
			if !strings.HasSuffix(note, "at which 50 % or 90 % of the requests meet the SLO") {
				t.Errorf("%s: %q", f.Name, note)
			}
		}
	}
	if figures < 3 {
		t.Errorf("%d figures say what a knee is", figures)
	}
}

// TestNoKneeInTitle: where no curve meets the SLO, no title says that a figure is at the knee.
func TestNoKneeInTitle(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	r := &request{res: res, whole: res, PlotSpec: results.PlotSpec{At: results.Place{Word: results.AtKnee}}}
	if got := r.where(); got != " at the knee" {
		t.Errorf("%q", got)
	}
	for i := range res.Series {
		res.Series[i].Knee = &results.Knee{Kind: results.KneeBelow, Value: 1}
	}
	if got := r.where(); got != " at the lowest request rate" {
		t.Errorf("%q", got)
	}
}
