package plots

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// utilizations are the metrics that say how much of an accelerator is used.
var utilizations = []struct{ key, name string }{
	{metrics.MFU, "MFU"}, {metrics.MBU, "MBU"}, {metrics.MeanKVUtilization, "KV cache"}, {metrics.LinkUtilization, "link"},
}

// bottleneck is how what a run is bound by is shown.
type bottleneck struct {
	by     metrics.Bottleneck
	letter string // tells it apart where there are no colours
	fill   color.NRGBA
}

var bottlenecks = []bottleneck{
	{metrics.ByLoad, "L", chart.RGB(0xe8e3d3)},
	{metrics.ByCompute, "C", chart.RGB(0xdb8a00)},
	{metrics.ByBandwidth, "B", chart.RGB(0xa9d0f5)},
	{metrics.ByLink, "N", chart.RGB(0xc9a0dc)},
	{metrics.ByLatency, "T", chart.RGB(0x7fc8a9)},
	{metrics.ByCPU, "P", chart.RGB(0x5b4b8a)},
	{metrics.ByKV, "K", chart.RGB(0xa63d2f)},
	{metrics.BySlots, "S", chart.RGB(0xb5477d)},
	{metrics.ByRouter, "R", chart.RGB(0x3f7f93)},
	{metrics.BySteps, "E", chart.RGB(0x8a8a8a)},
}

// utilizationPlot is a panel for each curve.
type utilizationPlot struct {
	panels  []utilizationPanel
	metrics []string // names of those that are recorded, in the order of their looks
	x       scaling
	xTitle  string
	apart   bool
}

// utilizationPanel is the utilizations of a curve, and what each of its points is bound by.
type utilizationPanel struct {
	name   string
	curves []curve
	bounds []boundAt // by increasing x
	knee   float64   // NaN: none that is known
}

// boundAt is what a point is bound by.
type boundAt struct {
	x  float64
	by metrics.Bottleneck
}

// utilization draws how much of the accelerators is used over the swept variable, and what
// the service is bound by.
func utilization(r *request) (Figure, bool) {
	res := r.res
	s, curves := newSweep(res)
	body := &utilizationPlot{x: s.axis(), xTitle: s.title(), apart: s.categories != nil}
	data := Table{Header: []string{"curve", s.variable.Path, "bottleneck"}}
	var keys []string
	for _, u := range utilizations {
		if hasValues(res, u.key) {
			keys, body.metrics = append(keys, u.key), append(body.metrics, u.name)
		}
	}
	if !curves || len(res.Series) > mostPanels || keys == nil {
		return Figure{}, false
	}
	data.Header = append(data.Header, keys...)
	marks := saturationNotes("hollow, dashed", func(answer results.Finding) bool { return hasAnswer(res, answer) })
	knees := false
	for i := range res.Series {
		panel := utilizationOf(res, i, s, keys)
		body.panels = append(body.panels, panel)
		knees = knees || finite(panel.knee)
		for _, p := range res.Series[i].Points {
			cells := []string{panel.name, p.Value.String(), string(bottleneckOf(p))}
			for _, key := range keys {
				cells = append(cells, number(estimate(p, key).Mean))
			}
			data.add(cells...)
		}
	}
	if knees {
		marks = append(marks, "upright line: knee")
	}
	title := "Utilization and bottleneck by " + s.name()
	return Figure{
		Title:    title,
		Subtitle: subtitle(res, "strip: the bottleneck"),
		Notes:    notes(res, "", marks...),
		Data:     data,
		body:     body,
	}, true
}

// utilizationOf is the panel of the i-th curve.
func utilizationOf(res *results.Results, i int, s sweep, keys []string) utilizationPanel {
	one := *res
	one.Series = res.Series[i : i+1]
	series := &one.Series[0]
	panel := utilizationPanel{name: seriesName(*series), knee: math.NaN()}
	for look, key := range keys {
		c := curvesOver(&one, s, key)[0]
		c.name, c.look, c.knee = "", look, nil
		panel.curves = append(panel.curves, c)
	}
	for _, p := range series.Points {
		panel.bounds = append(panel.bounds, boundAt{s.x(p.Value), bottleneckOf(p)})
	}
	slices.SortStableFunc(panel.bounds, func(a, b boundAt) int { return cmp.Compare(a.x, b.x) })
	if k := series.Knee; k != nil && s.categories == nil && k.Kind != results.KneeBelow && k.Kind != results.KneeBeyond {
		panel.knee = k.Value
	}
	return panel
}

// hasAnswer tells whether the answer for any point, whether it is saturated, is this.
func hasAnswer(res *results.Results, answer results.Finding) bool {
	return slices.ContainsFunc(res.Series, func(s results.Series) bool {
		return slices.ContainsFunc(s.Points, func(p results.Point) bool { return saturation(p) == answer })
	})
}

// bottleneckOf is what a point is bound by; "" where it is not known.
func bottleneckOf(p results.Point) metrics.Bottleneck {
	if p.Why == nil {
		return ""
	}
	return p.Why.Bottleneck
}

// The strip of bottlenecks is above 100 %.
const (
	stripBottom, stripTop = 1.1, 1.3
	utilizationHeight     = 14 // of a panel, in sizes of tick labels
)

func (u *utilizationPlot) draw(s *chart.Style) drawing {
	columns := s.Columns(len(u.panels), utilizationHeight)
	d := drawing{rowHeight: utilizationHeight}
	for i, panel := range u.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		xTitle := u.xTitle
		if i+columns < len(u.panels) {
			xTitle = "" // it stands below the last panel of the column
		}
		p := u.panel(s, panel, xTitle)
		p.Title.Text = s.Fit(panel.name, p.Title.TextStyle, s.Width/vg.Length(columns)*0.8)
		d.panels[i/columns][i%columns] = p
	}
	for look, name := range u.metrics {
		d.key = append(d.key, chart.Entry{Name: name, Swatch: s.CurveSwatch(s.Look(look))})
	}
	for _, b := range bottlenecks {
		if slices.ContainsFunc(u.panels, func(p utilizationPanel) bool { return p.boundBy(b.by) }) {
			d.key = append(d.key, chart.Entry{Name: b.letter + " " + string(b.by), Swatch: s.AreaSwatch(chart.Look{Line: b.fill})})
		}
	}
	return d
}

func (p utilizationPanel) boundBy(by metrics.Bottleneck) bool {
	return slices.ContainsFunc(p.bounds, func(b boundAt) bool { return b.by == by })
}

// panel draws the curves, the knee and the strip.
func (u *utilizationPlot) panel(s *chart.Style, panel utilizationPanel, xTitle string) *plot.Plot {
	body := curvePlot{x: u.x, y: func(a *plot.Axis) {
		chart.Fractions(a, percent)
		a.Max = stripTop
	}, xTitle: xTitle, curves: panel.curves, apart: u.apart}
	p, labels := body.panel(s)
	labels.Names = nil // they are in the key
	defer fixed(p)()
	if finite(panel.knee) {
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: panel.knee, Y: 0}, {X: panel.knee, Y: 1}}, LineStyle: s.Dashed(targetWidth, s.Ink)})
	}
	var names []chart.Inside
	for i := 0; i < len(panel.bounds); {
		from, by := i, panel.bounds[i].by
		for i < len(panel.bounds) && panel.bounds[i].by == by {
			i++
		}
		k := slices.IndexFunc(bottlenecks, func(b bottleneck) bool { return b.by == by })
		if k < 0 {
			continue
		}
		b := bottlenecks[k]
		low, high := panel.edge(&p.X, from), panel.edge(&p.X, i)
		p.Add(&plotter.Polygon{Color: b.fill, XYs: []plotter.XYs{{
			{X: low, Y: stripBottom}, {X: high, Y: stripBottom}, {X: high, Y: stripTop}, {X: low, Y: stripTop},
		}}})
		names = append(names, chart.Inside{Min: plotter.XY{X: low, Y: stripBottom}, Max: plotter.XY{X: high, Y: stripTop}, Fill: b.fill,
			Texts: []string{string(by), b.letter}})
	}
	p.Add(s.Insides(names))
	return p
}

// edge is where the strip goes from the i-1st point to the i-th: half the way between them.
func (p utilizationPanel) edge(x *plot.Axis, i int) float64 {
	switch i {
	case 0:
		return x.Min
	case len(p.bounds):
		return x.Max
	}
	return between(p.bounds[i-1].x, p.bounds[i].x, 0.5, chart.IsLog(x))
}
