package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// frontPlot is a body of options of a plan: dots in the colour of their accelerators, those on the Pareto front with
// their names.
type frontPlot struct {
	curvePlot
	accelerators []string
}

// behind is how much of its colour an option loses that another one dominates.
const behind = 0.6

// front draws the options in two respects; false where they do not differ in both.
func (p Plan) front(front *results.Front) (Figure, bool) {
	x, y := respectOf(front.X), respectOf(front.Y)
	body := &frontPlot{accelerators: p.accelerators()}
	data := Table{Header: []string{"candidate", front.X.Metric, "x_unit", front.Y.Metric, "y_unit", "dominated_by"}}
	for i := range front.Points {
		point := &front.Points[i]
		data.add(point.Option, number(point.X), front.X.Unit, number(point.Y), front.Y.Unit, point.Dominated)
		d := dot{x: point.X, y: point.Y, low: math.NaN(), high: math.NaN(), front: point.Dominated == "", saturated: results.No}
		c := curve{look: p.lookOf(point.Option, body.accelerators)}
		if d.front {
			c.name = point.Option
			body.front.XYs = append(body.front.XYs, plotter.XY{X: d.x, Y: d.y})
		} else {
			d.hint, c.faded = point.Option, behind
		}
		c.dots = []dot{d}
		body.curves = append(body.curves, c)
	}
	body.front.close(front.X)
	slices.SortStableFunc(body.curves, func(a, b curve) int { return cmp.Compare(b.faded, a.faded) }) // the front above the others
	values := ys(body.curves)
	if slo := y.bound(p.SLO); slo > 0 && !isFar(values, slo) {
		t := y.target(slo, "")
		t.label += ", " + percent(p.Target) + " of requests"
		body.targets = []target{t}
		values = append(values, slo)
	}
	body.xTitle, body.yTitle = x.axisTitle(), y.axisTitle()
	body.x, body.y = x.axisOfDots(xs(body.curves)), y.axisOfDots(values)
	return Figure{
		Name:     front.Name,
		Title:    y.title + " against " + inside(x.brief),
		Subtitle: joinWith(separator, p.Title, better(preferenceOf(front.X), preferenceOf(front.Y))),
		Notes:    p.notes(body.marks()...),
		Data:     data,
		body:     body,
	}, spread(xs(body.curves)) > 1 && spread(ys(body.curves)) > 1
}

// axisOfDots is the axis of a metric that dots have, with room for names at the ends. Of a dot the place is the value, and no length: what
// would be linear from zero begins near the least value where all are in its upper half.
func (m measure) axisOfDots(values []float64) scaling {
	const beyond, around = 0.15, 0.25 // of the greatest value, and of what the values cover
	lo, hi := chart.Extent(values, false)
	switch {
	case m.kind == logAxis || m.kind == percentAxis || m.kind == rangeAxis && spread(values) >= wideRange:
		return m.axis(values, false)
	case lo <= hi/2:
		return func(a *plot.Axis) { chart.Linear(a, 0, hi*(1+beyond), m.format) }
	}
	margin := around * max(hi-lo, beyond*hi)
	return func(a *plot.Axis) { chart.Linear(a, max(lo-margin, 0), hi+margin, m.format) }
}

// close puts the points of the front in order, with steps along which nothing is better.
func (f *front) close(x results.Respect) {
	slices.SortFunc(f.XYs, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	f.step = plotter.PostStep
	if x.Higher {
		f.step = plotter.PreStep
	}
}

// lookOf is that of an option's accelerator.
func (p Plan) lookOf(option string, accelerators []string) int {
	for i := range p.Options {
		if p.Options[i].Name == option {
			return slices.Index(accelerators, p.Options[i].Unit.Accelerator)
		}
	}
	return 0
}

// respectOf is how a respect is shown.
func respectOf(r results.Respect) measure {
	if r.Metric == results.Interactivity {
		return measureOf(&results.Results{}, metrics.MedianTPOT).interactivity()
	}
	m := measureOf(&results.Results{}, r.Metric)
	switch r.Metric {
	case metrics.OutputThroughput:
		m.title, m.what, m.unit, m.kind = m.title+" per accelerator", m.what+" per accelerator", r.Unit, rangeAxis
	case metrics.P99E2EL:
		m.bound = func(s results.SLO) float64 { return s.E2ELms }
	case metrics.PricePerHour:
		m.title, m.brief, m.what, m.unit, m.format = "Cost", "cost", "cost of the fleet", "$/h", exact
	}
	return m
}

// marks say what the dots and the line are.
func (f *frontPlot) marks() []string {
	marks := []string{"each dot: a candidate with as many units as serve the demand; pale: another one is as good in both and better in one"}
	if len(f.front.XYs) > 1 {
		marks = append(marks, "grey steps: Pareto front")
	}
	return marks
}

func preferenceOf(r results.Respect) preference {
	if r.Higher {
		return more
	}
	return less
}

func (f *frontPlot) draw(s *chart.Style) drawing {
	d := f.curvePlot.draw(s)
	d.key = keyOf(s, f.accelerators)
	return d
}
