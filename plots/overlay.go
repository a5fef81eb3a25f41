package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// overlayFigure draws the curves that a paper published beside what came out, a panel for each of
// its figures.
func overlayFigure(r *request) (Figure, bool) {
	res := r.whole
	if len(res.Reproduced) == 0 { // those of an interrupted run are not known
		return Figure{}, false
	}
	body := &overlayPlot{}
	var verdicts []string
	numbers, inBand := 0, 0
	for _, v := range res.Reproductions() {
		panel := overlayPanel{figure: v.Figure, curves: res.OfFigure(v.Figure)}
		first := panel.curves[0]
		panel.x, panel.y = overlayAxis(res, first), metricAxis(first.Metric, first.Over != "")
		body.panels = append(body.panels, panel)
		for _, c := range panel.curves {
			if name := panel.nameOf(c); !panel.isNamed() && !slices.Contains(body.names, name) {
				body.names = append(body.names, name)
			}
		}
		numbers, inBand = numbers+v.Numbers, inBand+v.InBand
		verdict := fmt.Sprintf("%s: %s, %s", v.Figure, v.Verdict, v.Counted())
		if v.Median != nil {
			verdict += fmt.Sprintf(", median error %s %%", units.Short(units.Round(100**v.Median, 2)))
		}
		verdicts = append(verdicts, verdict)
	}
	marks := []string{"hollow, dashed: published; filled: simulated"}
	for _, v := range res.Reproductions() {
		verdicts = append(verdicts, v.Why...)
	}
	what := ""
	if res.Paper != nil {
		what = res.Paper.Name
	}
	return Figure{
		Title:    fmt.Sprintf("%d of %d published numbers come out within their bands", inBand, numbers),
		Subtitle: subtitle(res, what),
		Notes:    notes(res, "", append(marks, verdicts...)...),
		Data:     overlayData(res),
		body:     body,
	}, true
}

// overlayData is every published number beside the simulated one.
func overlayData(res *results.Results) Table {
	data := Table{Header: []string{"figure", "curve", "metric", "x", "at", "published", "simulated", "error", "within"}}
	for i := range res.Reproduced {
		c := &res.Reproduced[i]
		for k, p := range c.Points {
			simulated, off := "", ""
			if e, ok := c.Error(k); ok {
				simulated, off = number(*c.Simulated[k]), number(units.Round(e, 4))
			}
			data.add(c.Figure, c.Label(), c.Metric, c.X, p.X.String(), number(p.Y), simulated, off, number(c.Within))
		}
	}
	return data
}

// overlayAxis names what is across a panel.
func overlayAxis(res *results.Results, c *results.Reproduced) string {
	if _, is := metrics.Lookup(c.X); is {
		return metricAxis(c.X, false)
	}
	if len(res.Sweep) == 0 || c.X == results.ByStrategy {
		return ""
	}
	axis := res.Sweep[0]
	name := cmp.Or(axis.Label, axis.Path)
	if axis.Unit != "" {
		name += ", " + axis.Unit
	}
	return name
}

// metricAxis names a metric with its unit; a ratio of two has none.
func metricAxis(key string, ratio bool) string {
	d, _ := metrics.Lookup(key)
	switch {
	case ratio:
		return d.Label() + ", ×"
	case d.Unit == "":
		return d.Label()
	}
	return d.Label() + ", " + d.Unit
}

// overlayPlot is a body of panels with published and simulated curves.
type overlayPlot struct {
	panels []overlayPanel
	names  []string // of curves, which have one colour in all panels
}

// overlayPanel is a figure of the paper.
type overlayPanel struct {
	figure, x, y string
	curves       []*results.Reproduced
}

// nameOf names a curve of the panel: by its strategy alone, where no other one has that.
func (o *overlayPanel) nameOf(c *results.Reproduced) string {
	for _, other := range o.curves {
		if other != c && other.Strategy == c.Strategy && other.Over == c.Over {
			return c.Label()
		}
	}
	short := c.PublishedCurve
	short.Where = nil
	return short.Label()
}

// overlayWidth is the least width of a panel, in sizes of the text.
const overlayWidth = 24

func (b *overlayPlot) draw(s *chart.Style) drawing {
	columns := s.Columns(len(b.panels), overlayWidth)
	d := drawing{rowHeight: min(s.Share(columns), 26)}
	for i := range b.panels {
		d.rowHeight = max(d.rowHeight, b.panels[i].height())
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		d.panels[i/columns][i%columns] = b.panel(s, &b.panels[i], s.Share(columns))
	}
	d.key = keyOf(s, b.names)
	return d
}

// panel draws one figure of the paper, so wide in sizes of the text.
func (b *overlayPlot) panel(s *chart.Style, o *overlayPanel, width float64) *plot.Plot {
	p := s.NewPlot()
	p.Title.Text = o.figure
	if o.isNamed() {
		o.bars(s, p, width)
		return p
	}
	var xs, ys []float64
	for _, c := range o.curves {
		for _, line := range []plotter.XYs{publishedLine(c), simulatedLine(c)} {
			for _, xy := range line {
				xs, ys = append(xs, xy.X), append(ys, xy.Y)
			}
		}
	}
	overlayScale(&p.X, xs)
	overlayScale(&p.Y, ys)
	p.X.Label.Text = o.x
	p.Add(s.YTitle(o.y))
	defer fixed(p)()
	for _, c := range o.curves {
		look := s.Look(slices.Index(b.names, o.nameOf(c)))
		published, simulated := publishedLine(c), simulatedLine(c)
		p.Add(&plotter.Line{XYs: simulated, LineStyle: s.Stroke(lineWidth, look.Line)})
		p.Add(&plotter.Line{XYs: published, LineStyle: s.Dashed(lineWidth, look.Line)})
		p.Add(s.Dots(published, look, s.Em(0.3), func(int) chart.Fill { return chart.Hollow })...)
		p.Add(s.Dots(simulated, look, s.Em(0.2), func(int) chart.Fill { return chart.Filled })...)
	}
	return p
}

// height is that of rows of names with room for each, in sizes of the text.
func (o *overlayPanel) height() float64 {
	const pitch, around = 2.3, 6
	if !o.isNamed() {
		return 0
	}
	rows := 0
	for _, c := range o.curves {
		rows += len(c.Points)
	}
	return pitch*float64(rows) + around
}

// isNamed tells whether the places are names, which have no distance from each other, or one place.
func (o *overlayPanel) isNamed() bool {
	return o.isOnePlace() || slices.ContainsFunc(o.curves, func(c *results.Reproduced) bool {
		return slices.ContainsFunc(c.Points, func(p results.PublishedPoint) bool { _, ok := numeric(p.X); return !ok })
	})
}

// isOnePlace tells whether all curves are points at the same place.
func (o *overlayPanel) isOnePlace() bool {
	first := o.curves[0].Points
	return !slices.ContainsFunc(o.curves, func(c *results.Reproduced) bool { return len(c.Points) != 1 || !c.Points[0].X.Same(first[0].X) })
}

// rowName names a value: by its place, and by its curve where that has another one, too.
func (o *overlayPanel) rowName(c *results.Reproduced, k int) string {
	place := c.Points[k].X.String()
	switch {
	case c.X == results.ByStrategy:
		named := c.PublishedCurve
		named.Strategy, named.Over = place, ""
		if !o.isTwice(place) {
			named.Where = nil
		}
		return named.Label()
	case o.isOnePlace():
		return o.nameOf(c)
	case len(o.curves) > 1:
		return joinWith(", ", o.nameOf(c), place)
	}
	return place
}

// isTwice tells whether several values of the panel belong to a place.
func (o *overlayPanel) isTwice(place string) bool {
	n := 0
	for _, c := range o.curves {
		for _, p := range c.Points {
			if p.X.String() == place {
				n++
			}
		}
	}
	return n > 1
}

// bars draws values below each other.
func (o *overlayPanel) bars(s *chart.Style, p *plot.Plot, width float64) {
	var names []string
	var published, simulated plotter.XYs
	values := []float64{}
	for _, c := range o.curves {
		for k := range c.Points {
			names = append([]string{o.rowName(c, k)}, names...)
			values = append(values, c.Points[k].Y)
		}
	}
	row := float64(len(names) - 1)
	for _, c := range o.curves {
		for k := range c.Points {
			published = append(published, plotter.XY{X: c.Points[k].Y, Y: row})
			if y := c.Simulated[k]; y != nil {
				simulated, values = append(simulated, plotter.XY{X: *y, Y: row}), append(values, *y)
			}
			row--
		}
	}
	for i, name := range names {
		names[i] = chart.Wrapped(name, p.Y.Tick.Label, s.Em(overlayWidth/3), 2)
	}
	chart.Categories(&p.Y, names)
	overlayScale(&p.X, values)
	p.X.Label.Text = o.y
	if c := o.curves[0]; o.isOnePlace() && c.X != results.ByStrategy {
		name, unit, _ := strings.Cut(o.x, ", ")
		where := strings.TrimRight(", where "+name+" is "+valueName(c.Points[0].X)+" "+unit, " ")
		p.X.Label.Text = chart.Wrapped(o.y+where, p.X.Label.TextStyle, s.Em(0.6*width), 3)
	}
	defer fixed(p)()
	p.Add(s.Dots(published, s.Look(0), s.Em(0.36), func(int) chart.Fill { return chart.Hollow })...)
	p.Add(s.Dots(simulated, s.Look(0), s.Em(0.26), func(int) chart.Fill { return chart.Filled })...)
}

// overlayScale is linear from zero, and logarithmic over a wide range.
func overlayScale(a *plot.Axis, values []float64) {
	if lo, hi := chart.Extent(values, true); lo > 0 && hi > wideRange*lo {
		chart.Log(a, values, units.Short)
		return
	}
	chart.FromZero(a, values, units.Short)
}

// publishedLine is a curve as it was published.
func publishedLine(c *results.Reproduced) plotter.XYs {
	var line plotter.XYs
	for _, p := range c.Points {
		line = append(line, plotter.XY{X: abscissa(p.X), Y: p.Y})
	}
	return line
}

// simulatedLine is what came out at the same places.
func simulatedLine(c *results.Reproduced) plotter.XYs {
	var line plotter.XYs
	for k, p := range c.Points {
		if y := c.Simulated[k]; y != nil && !math.IsNaN(*y) {
			line = append(line, plotter.XY{X: abscissa(p.X), Y: *y})
		}
	}
	return line
}

// abscissa is a place as a number; names have none and lie at 0.
func abscissa(v results.Value) float64 {
	x, _ := numeric(v)
	return x
}
