package plots

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"pgregory.net/rapid"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// TestFrontIsWhatNothingBeats: a dot is on the front just where no other is at least as good
// in both metrics and better in one; and the steps never lie on the good side of one.
func TestFrontIsWhatNothingBeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.SampledFrom([]preference{more, less}).Draw(t, "x"), rapid.SampledFrom([]preference{more, less}).Draw(t, "y")
		value := rapid.SampledFrom([]float64{1, 2, 3, 4, 5, math.NaN()})
		var curves []curve
		for range rapid.IntRange(1, 3).Draw(t, "curves") {
			c := curve{}
			for range rapid.IntRange(0, 6).Draw(t, "dots") {
				c.dots = append(c.dots, dot{x: value.Draw(t, "x"), y: value.Draw(t, "y")})
			}
			curves = append(curves, c)
		}
		f := markFront(curves, x, y)
		var all []dot
		for _, c := range curves {
			all = append(all, c.dots...)
		}
		beats := func(a, b dot) bool {
			atX, atY := float64(x)*(a.x-b.x), float64(y)*(a.y-b.y)
			return atX >= 0 && atY >= 0 && atX+atY > 0
		}
		for _, d := range all {
			known := finite(d.x) && finite(d.y)
			beaten := slices.ContainsFunc(all, func(other dot) bool { return beats(other, d) })
			there := slices.Contains(f.XYs, plotter.XY{X: d.x, Y: d.y})
			if there != (known && !beaten) || d.front && !there {
				t.Fatalf("%+v: on the front %v of %+v, beaten %v", d, there, f.XYs, beaten)
			}
		}
		if !slices.IsSortedFunc(f.XYs, func(a, b plotter.XY) int { return int(a.X - b.X) }) {
			t.Fatalf("%v is not in order", f.XYs)
		}
	})
}

// fleet is an experiment whose strategies have so many accelerators each.
func fleet(counts ...int) *results.Results {
	var servers []server
	for _, n := range counts {
		servers = append(servers, server{fmt.Sprintf("%d GPUs", n), 4 * float64(n), 60, 16 / float64(n)})
	}
	res := madeUp(rates, chatSLO, servers...)
	for i, n := range counts {
		for _, p := range res.Series[i].Points {
			p.Metrics[metrics.Accelerators] = metrics.Estimate{Mean: float64(n), N: 3}
			p.Metrics[metrics.PricePerHour] = metrics.Estimate{Mean: 3 * float64(n), N: 3}
			p.Metrics[metrics.MeanPower] = metrics.Estimate{Mean: 500 * float64(n), N: 3}
			p.Metrics[metrics.CostPerMillionTokens] = metrics.Estimate{Mean: 2, Half: 0.1, N: 3}
			p.Metrics[metrics.EnergyPerToken] = metrics.Estimate{Mean: 0.5, Half: 0.1, N: 3}
		}
	}
	return res
}

// asked are the figures of one [[plot]] table.
func asked(res *results.Results, spec results.PlotSpec) []Figure {
	one := *res
	one.Plots = []results.PlotSpec{spec}
	return Figures(&one)
}

// TestRatesAreDivided: by accelerators, dollars an hour and watts, interval and all, and
// nothing else is.
func TestRatesAreDivided(t *testing.T) {
	res := fleet(1, 4)
	for per, by := range map[string]float64{"": 1, results.PerAccelerator: 4, results.PerDollar: 12, results.PerWatt: 2000} {
		for i, s := range selected(res, &results.PlotSpec{Per: per}).Series[1:] {
			for k, p := range s.Points {
				whole := res.Series[i+1].Points[k].Metrics
				for key, e := range p.Metrics {
					want := whole[key]
					if slices.Contains([]string{metrics.OutputThroughput, metrics.Goodput, metrics.OfferedRate}, key) {
						want.Mean, want.Half = want.Mean/by, want.Half/by
					}
					if math.Abs(e.Mean-want.Mean) > 1e-9*want.Mean || math.Abs(e.Half-want.Half) > 1e-9*want.Half {
						t.Errorf("per %q: %s is %v, want %v", per, key, e, want)
					}
				}
			}
		}
	}
	delete(res.Series[1].Points[0].Metrics, metrics.Accelerators)
	if p := selected(res, &results.PlotSpec{Per: results.PerAccelerator}).Series[1].Points[0]; finite(estimate(p, metrics.Goodput).Mean) {
		t.Error("a rate per accelerator, whose number is not known")
	}
}

// TestFiguresOfRatesPerUnit: their titles, axes, data and marks.
func TestFiguresOfRatesPerUnit(t *testing.T) {
	res := fleet(1, 2, 4)
	res.Warnings = []results.Warning{{Kind: results.EnergyEstimated, Text: "made up"}}
	for _, tt := range []struct {
		spec results.PlotSpec
		want []string // in the SVG
		data string   // in the table
		not  string
	}{
		{results.PlotSpec{Kind: results.PlotTradeoff, Metric: metrics.OutputThroughput, X: metrics.MedianTPOT, Per: results.PerAccelerator,
			File: "a"},
			[]string{"Output throughput per accelerator against interactivity", "Output throughput per accelerator (tok/s)",
				"Interactivity, 1 / median TPOT (tok/s/user)", "up and right is better", "Pareto front", ">4 GPUs<"},
			"interactivity,x_unit,output_throughput,y_unit,saturated,front\n1 GPUs,1,41.666666666666664,tok/s/user,220,tok/s/accelerator,false,",
			"energy"},
		{results.PlotSpec{Kind: results.PlotTradeoff, Metric: metrics.CostPerMillionTokens, X: metrics.MedianTPOT, File: "a"},
			[]string{"Cost per million output tokens against median TPOT", "down and left is better", ">$2<", "Median time per output token"},
			"$/Mtok", "energy"},
		{results.PlotSpec{Kind: results.PlotCurve, Metric: metrics.OutputThroughput, Per: results.PerWatt, File: "a"},
			[]string{"Output throughput per watt (tok/s)", "energy is estimated"}, "tok/s/W", "Pareto"},
		{results.PlotSpec{Kind: results.PlotCurve, Metric: metrics.Goodput, Per: results.PerDollar, File: "a"},
			[]string{"per $/h (req/s)"}, "req/s/($/h)", "offered load"},
		{results.PlotSpec{Kind: results.PlotCurve, Metric: metrics.EnergyPerToken, File: "a"},
			[]string{"Energy per output token (J)", "energy is estimated"}, "J/tok", "Pareto"},
	} {
		figures := asked(res, tt.spec)
		if len(figures) != 1 {
			t.Fatalf("%+v: %d figures", tt.spec, len(figures))
		}
		drawn, data := svg(t, figures[0]), string(figures[0].Data.CSV())
		for _, want := range tt.want {
			if !bytes.Contains(drawn, []byte(want)) {
				t.Errorf("%s of %s does not say %q", tt.spec.Kind, tt.spec.Metric, want)
			}
		}
		if bytes.Contains(drawn, []byte(tt.not)) {
			t.Errorf("%s of %s says %q", tt.spec.Kind, tt.spec.Metric, tt.not)
		}
		if !strings.Contains(data, tt.data) {
			t.Errorf("%s of %s: no %q in\n%s", tt.spec.Kind, tt.spec.Metric, tt.data, data)
		}
	}
}

// TestBoundsOfTradeoffs: the bound of the percentile that the SLO asks for is a line, also of
// the rate that a user gets; that of another percentile is none.
func TestBoundsOfTradeoffs(t *testing.T) {
	for _, tt := range []struct {
		x, per string
		at     float64 // 0: no line
		label  string
	}{
		{"p90_tpot_ms", "", 50, "SLO ≤ 50 ms"},
		{"p90_tpot_ms", results.PerAccelerator, 20, "SLO ≥ 20 tok/s/user"},
		{metrics.MedianTPOT, results.PerAccelerator, 0, ""},
	} {
		f := asked(fleet(1, 4), results.PlotSpec{Kind: results.PlotTradeoff, Metric: metrics.OutputThroughput, X: tt.x, Per: tt.per, File: "a"})[0]
		body := f.body.(*curvePlot)
		switch {
		case len(body.across) == 0 && tt.at == 0:
		case len(body.across) != 1 || body.across[0].value != tt.at:
			t.Errorf("%+v: lines %+v", tt, body.across)
		case !bytes.Contains(svg(t, f), []byte(">"+tt.label+"<")):
			t.Errorf("%+v: no label", tt)
		}
	}
}

// TestTradeoffOfAttainment has the knees on the target, and the other metric's name within
// its title.
func TestTradeoffOfAttainment(t *testing.T) {
	res := fleet(1, 4)
	f := asked(res, results.PlotSpec{Kind: results.PlotTradeoff, Metric: metrics.Attainment, X: metrics.OutputThroughput, File: "a"})[0]
	if want := "SLO attainment against output throughput"; f.Title != want {
		t.Errorf("title %q, want %q", f.Title, want)
	}
	for _, c := range f.body.(*curvePlot).curves {
		if c.knee == nil || c.knee.height != 0.9 {
			t.Errorf("%s: knee %+v", c.name, c.knee)
		}
	}
	f = asked(res, results.PlotSpec{Kind: results.PlotTradeoff, Metric: metrics.OutputThroughput, X: metrics.Attainment, File: "a"})[0]
	if slices.ContainsFunc(f.body.(*curvePlot).curves, func(c curve) bool { return c.knee != nil }) {
		t.Error("knees beside the target that they are at")
	}
}

// TestDefaultTradeoffs: what an accelerator yields where strategies have more or fewer of
// them, and what tokens cost where one costs more than another.
func TestDefaultTradeoffs(t *testing.T) {
	dear := fleet(1, 1)
	for _, p := range dear.Series[1].Points {
		p.Metrics[metrics.PricePerHour] = metrics.Estimate{Mean: 7}
	}
	for name, tt := range map[string]struct {
		res  *results.Results
		want []string
	}{
		"equal":         {fleet(2, 2), []string{"throughput-vs-tpot"}},
		"unknown":       {madeUp(rates, chatSLO, static, continuous), []string{"throughput-vs-tpot"}},
		"more":          {fleet(1, 2), []string{"throughput-per-accelerator"}},
		"dearer":        {dear, []string{"throughput-vs-tpot", "cost-vs-tpot"}},
		"more, a point": {atOne(fleet(1, 2)), []string{"throughput-per-accelerator"}},
		"a point":       {atOne(fleet(2, 2)), nil},
	} {
		var got []string
		for _, f := range Figures(tt.res) {
			if strings.Contains(f.Title, " against ") {
				got = append(got, f.Name)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// atOne is results of which only the first point of the sweep is there, as if nothing was
// swept.
func atOne(res *results.Results) *results.Results {
	res.Sweep = nil
	for i := range res.Series {
		s := &res.Series[i]
		s.Points, s.Knee = s.Points[:1], nil
		s.Points[0].Value = results.Value{}
	}
	return res
}

// TestNoFrontAtZero: answers that come whole have a TPOT of 0, which beats nobody, and has no
// place on a logarithmic axis.
func TestNoFrontAtZero(t *testing.T) {
	res := madeUp(rates, chatSLO, static, server{"slow", 5.5, 160, 900}, server{"whole", 15, 60, 0})
	for _, f := range Figures(res) {
		body, ok := f.body.(*curvePlot)
		if !ok || f.Name != "throughput-vs-tpot" {
			continue
		}
		if len(body.front.XYs) < 2 || body.front.XYs[0].X <= 0 {
			t.Errorf("the front is %v", body.front.XYs)
		}
		wellFormed(t, f.Name, svg(t, f))
		return
	}
	t.Error("no figure")
}

// TestFrontSteps: the corners are those of plotter's steps: horizontal and then vertical, or the other way round.
func TestFrontSteps(t *testing.T) {
	for step, want := range map[plotter.StepKind]plotter.XYs{
		plotter.PostStep: {{X: 1, Y: 9}, {X: 2, Y: 9}, {X: 2, Y: 5}},
		plotter.PreStep:  {{X: 1, Y: 9}, {X: 1, Y: 5}, {X: 2, Y: 5}},
	} {
		f := front{XYs: plotter.XYs{{X: 1, Y: 9}, {X: 2, Y: 5}}, step: step}
		if got := f.steps(); !slices.Equal(got, want) {
			t.Errorf("steps of kind %v are %v, want %v", step, got, want)
		}
	}
}

// TestFrontIsInk: names keep off the front, which they know of as of curves.
func TestFrontIsInk(t *testing.T) {
	for _, f := range Figures(madeUp(rates, chatSLO, static, server{"slow", 5.5, 160, 900})) {
		body, ok := f.body.(*curvePlot)
		if !ok || len(body.front.XYs) < 2 {
			continue
		}
		_, labels := body.panel(chart.NewStyle(chart.Sizes[0], chart.Themes[0], nil))
		if !slices.ContainsFunc(labels.Lines, func(line plotter.XYs) bool { return slices.Equal(line, body.front.steps()) }) {
			t.Errorf("%s: labels do not know of the front", f.Name)
		}
		return
	}
	t.Error("no figure with a front")
}
