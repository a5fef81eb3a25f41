package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// scaling gives an axis its range, its scale and its ticks.
type scaling func(*plot.Axis)

// curvePlot is a body of curves over a common axis.
type curvePlot struct {
	x, y           scaling
	xTitle, yTitle string
	curves         []curve
	targets        []target    // values of the y axis
	across         []target    // values of the x axis
	front          front       // drawn where it has two points
	offered        plotter.XYs // a line that nothing can be above; nil for none
	apart          bool        // the dots are of categories: nothing joins them
}

const (
	bandOpacity  = 0.16 // of up to four; the more bands lie on each other, the paler each is
	lineWidth    = 20   // hundredths of the size of tick labels
	thickWidth   = 36
	targetWidth  = 11
	whiskerWidth = 14
	frontWidth   = 45
	kneeSize     = 0.48 // radius, in sizes of tick labels
	mostHints    = 14   // swept values that are written along all curves
	mostDots     = 20   // of a curve that get a marker each
)

func (c *curvePlot) draw(s *chart.Style) drawing {
	p, labels := c.panel(s)
	return drawing{panels: [][]*plot.Plot{{p}}, labels: []*chart.Labels{labels}}
}

// panel draws the curves into one panel, with their labels.
func (c *curvePlot) panel(s *chart.Style) (*plot.Plot, *chart.Labels) {
	p, labels := s.NewPlot(), s.Labels()
	c.x(&p.X)
	c.y(&p.Y)
	p.X.Label.Text = c.xTitle
	if c.yTitle != "" {
		p.Add(s.YTitle(c.yTitle))
	}
	restore := fixed(p)
	curves := make([]curve, len(c.curves))
	for i := range c.curves {
		curves[i] = c.curves[i].shown(p)
		c.addIntervals(s, p, curves[i])
	}
	c.addLines(s, p, labels)
	for _, cv := range curves {
		c.addCurve(s, p, labels, cv)
	}
	for _, cv := range curves {
		addKnee(s, p, labels, cv)
		addName(s, labels, cv)
	}
	restore()
	addHints(s, p, labels, curves)
	p.Add(labels)
	return p, labels
}

// shown is a curve without the dots that the axes have no place for.
func (c curve) shown(p *plot.Plot) curve {
	c.dots = slices.Clone(c.dots)
	for i := range c.dots {
		d := &c.dots[i]
		if !finite(d.x) || !finite(d.y) || chart.IsLog(&p.X) && d.x <= 0 || chart.IsLog(&p.Y) && d.y <= 0 {
			d.x, d.y, d.low, d.high = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		}
	}
	return c
}

// addIntervals adds the intervals of the dots: a band, or whiskers where nothing joins
// the dots.
func (c *curvePlot) addIntervals(s *chart.Style, p *plot.Plot, cv curve) {
	var xs, lows, highs []float64
	bars := plotter.YErrorBars{LineStyle: s.Stroke(whiskerWidth, s.Look(cv.look).Line)}
	dots := cv.dots
	if !c.apart {
		dots = cv.throughKnee(p)
	}
	for _, d := range dots {
		low := max(d.low, p.Y.Min) // on a logarithmic axis a band that reaches zero ends at the bottom
		xs, lows, highs = append(xs, d.x), append(lows, low), append(highs, d.high)
		if finite(low) && finite(d.high) {
			bars.XYs = append(bars.XYs, plotter.XY{X: d.x, Y: d.y})
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{max(d.y-low, 0), max(min(d.high, p.Y.Max)-d.y, 0)})
		}
	}
	if c.apart {
		p.Add(&bars)
		return
	}
	p.Add(chart.Bands(xs, lows, highs, chart.Faded(s.Look(cv.look).Line, bandOpacity*min(1, 4/float64(len(c.curves)))))...)
}

// fixed notes the ranges of a panel's axes; the function that it returns sets them again
// after plotters were added, which widen them.
func fixed(p *plot.Plot) func() {
	x, y := p.X, p.Y
	return func() { p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.Min, x.Max, y.Min, y.Max }
}

// addLines adds the Pareto front, the targets, and the line of what was offered.
func (c *curvePlot) addLines(s *chart.Style, p *plot.Plot, labels *chart.Labels) {
	if len(c.front.XYs) > 1 {
		p.Add(&plotter.Line{XYs: c.front.XYs, StepStyle: c.front.step, LineStyle: s.Stroke(frontWidth, s.Pale(s.Ideal))})
		labels.Lines = append(labels.Lines, c.front.steps())
	}
	if c.offered != nil {
		p.Add(chart.Line{XYs: c.offered, Solid: s.Stroke(targetWidth, s.Ideal)})
		labels.Lines = append(labels.Lines, c.offered)
		for _, xy := range slices.Backward(c.offered) {
			if xy.Y <= p.Y.Max {
				labels.Hints = append(labels.Hints, chart.Label{Text: "offered load", At: xy, Color: s.Grey, Gap: s.Em(0.3)})
				break
			}
		}
	}
	for _, t := range c.across {
		ends := plotter.XYs{{X: t.value, Y: p.Y.Min}, {X: t.value, Y: p.Y.Max}}
		p.Add(&plotter.Line{XYs: ends, LineStyle: s.Dashed(targetWidth, s.Ink)})
		labels.Lines = append(labels.Lines, ends)
		labels.Hints = append(labels.Hints, chart.Label{Text: t.label, At: ends[0], Color: s.Ink, Gap: s.Em(0.2)})
	}
	for _, t := range c.targets {
		ends := plotter.XYs{{X: p.X.Min, Y: t.value}, {X: p.X.Max, Y: t.value}}
		p.Add(&plotter.Line{XYs: ends, LineStyle: s.Dashed(targetWidth, s.Ink)})
		labels.Lines = append(labels.Lines, ends)
		labels.Bounds = append(labels.Bounds, chart.Label{Text: t.label, At: ends[1], Color: s.Ink})
	}
}

// style is the look of a curve, and the width of its line.
func (c *curve) style(s *chart.Style) (look chart.Look, width float64) {
	look, width = s.Look(c.look), lineWidth
	look.Line = chart.Mix(look.Line, s.Paper, c.faded)
	if c.thick {
		width = thickWidth
	}
	return look, width
}

// addCurve adds the line through the dots, dashed where they are saturated, and the dots.
func (c *curvePlot) addCurve(s *chart.Style, p *plot.Plot, labels *chart.Labels, cv curve) {
	look, width := cv.style(s)
	line := chart.Line{Solid: s.Stroke(width, look.Line), Dashes: s.Stroke(width, chart.Mix(look.Line, s.Paper, 0.4), 0.45, 0.35)}
	var dots plotter.XYs
	var fills []chart.Fill
	for _, d := range cv.throughKnee(p) {
		line.XYs, line.Dashed = append(line.XYs, plotter.XY{X: d.x, Y: d.y}), append(line.Dashed, d.saturated == results.Yes)
	}
	every := (len(cv.dots) + mostDots - 1) / mostDots
	for i, d := range cv.dots {
		xy := plotter.XY{X: d.x, Y: d.y}
		if i%every == 0 && finite(d.y) {
			dots, fills = append(dots, xy), append(fills, fillOf(d.saturated))
		}
	}
	if !c.apart {
		p.Add(line)
		labels.Lines = append(labels.Lines, line.XYs)
	}
	p.Add(s.Dots(dots, look, s.DotSize(), func(i int) chart.Fill { return fills[i] })...)
	labels.Dots = append(labels.Dots, dots...)
}

// fillOf shows whether a point is saturated.
func fillOf(saturated results.Finding) chart.Fill {
	switch saturated {
	case results.Yes:
		return chart.Hollow
	case results.Unknown:
		return chart.Pale
	}
	return chart.Filled
}

// addKnee marks the curve's knee, with its interval where the x axis is that of the sweep.
func addKnee(s *chart.Style, p *plot.Plot, labels *chart.Labels, cv curve) {
	at, ok := cv.kneeAt(p)
	if !ok {
		return
	}
	look := s.Look(cv.look)
	look.Shape = cv.knee.shape
	if from := cv.dots[cv.knee.from]; from.x == from.swept && finite(cv.knee.low) && finite(cv.knee.high) {
		low, high := max(cv.knee.low, p.X.Min), min(cv.knee.high, p.X.Max)
		bar := &plotter.XErrorBars{XYs: plotter.XYs{at}, XErrors: plotter.XErrors{{Low: at.X - low, High: high - at.X}},
			LineStyle: s.Stroke(lineWidth, look.Text), CapWidth: s.Em(2 * kneeSize)}
		p.Add(bar)
	}
	p.Add(s.Dots(plotter.XYs{at}, look, s.Em(kneeSize), func(int) chart.Fill { return chart.Filled })...)
	labels.Dots = append(labels.Dots, at)
	labels.Values = append(labels.Values, chart.Label{Text: cv.knee.label, At: at, Color: look.Text, Gap: s.Em(kneeSize)})
}

// kneeAt returns where the curve's knee is drawn: at its own height, where that is known, or on the line between dots.
func (c curve) kneeAt(p *plot.Plot) (plotter.XY, bool) {
	if c.knee == nil {
		return plotter.XY{}, false
	}
	from := c.dots[c.knee.from]
	at := plotter.XY{X: from.x, Y: from.y}
	if c.knee.t > 0 {
		to := c.dots[c.knee.from+1]
		at.X = between(from.x, to.x, c.knee.t, chart.IsLog(&p.X))
		at.Y = between(from.y, to.y, c.knee.t, chart.IsLog(&p.Y))
	}
	if finite(c.knee.height) {
		at.Y = c.knee.height
	}
	return at, finite(at.X) && finite(at.Y)
}

// addName writes the curve's name at its last dot, or its number where names do not fit. A curve may have none.
func addName(s *chart.Style, labels *chart.Labels, cv curve) {
	if cv.name == "" {
		return
	}
	for _, d := range slices.Backward(cv.dots) {
		if finite(d.y) {
			look := s.Look(cv.look)
			labels.Names = append(labels.Names, chart.Label{Text: cv.name, At: plotter.XY{X: d.x, Y: d.y}, Color: look.Text,
				Gap: s.DotSize(), Entry: s.CurveSwatch(look), Number: len(labels.Names) + 1})
			return
		}
	}
}

// addHints writes the swept values at the dots of the Pareto front, and at about mostHints
// of all dots, where there is room.
func addHints(s *chart.Style, p *plot.Plot, labels *chart.Labels, curves []curve) {
	var front, others []chart.Label
	for _, cv := range curves {
		a, b := cv.hints(s, p, max(2, mostHints/len(curves)))
		front, others = append(front, a...), append(others, b...)
	}
	labels.Hints = append(append(labels.Hints, front...), others...)
}

// hints are the swept values at the dots of a curve that are on the front, and at about n of
// the others. Dots that lie on each other share one label, like "16–32".
func (c curve) hints(s *chart.Style, p *plot.Plot, n int) (front, others []chart.Label) {
	every := (len(c.dots) + n - 1) / n
	near := func(a, b dot) bool {
		const close = 0.02 // of the axes
		return math.Hypot(p.X.Norm(a.x)-p.X.Norm(b.x), p.Y.Norm(a.y)-p.Y.Norm(b.y)) < close
	}
	for i := 0; i < len(c.dots); i++ {
		first := c.dots[i]
		if first.hint == "" || !finite(first.y) {
			continue
		}
		text, wanted, onFront := first.hint, i%every == 0, first.front
		for i+1 < len(c.dots) && finite(c.dots[i+1].y) && near(first, c.dots[i+1]) {
			i++
			text, wanted, onFront = first.hint+"–"+c.dots[i].hint, true, onFront || c.dots[i].front
		}
		label := chart.Label{Text: text, At: plotter.XY{X: first.x, Y: first.y}, Color: s.Look(c.look).Text, Gap: s.DotSize()}
		switch {
		case onFront:
			front = append(front, label)
		case wanted || i == len(c.dots)-1:
			others = append(others, label)
		}
	}
	return front, others
}
