package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// row is a value with a name: a bar from zero, or a dot on a logarithmic axis.
type row struct {
	name             string
	look             int
	value, low, high float64 // NaN where there is none
	label            string  // the value in words
	bounds           bool    // low and high are all that is known, not an interval of confidence
	saturated        results.Finding
}

// barPlot is a body of rows below each other, for each of which panels have values of
// their own.
type barPlot struct {
	panels []barPanel
}

// barPanel is the rows in one metric.
type barPanel struct {
	title   string
	x       scaling
	rows    []row
	targets []target
}

const (
	barWidth  = 1.25 // in sizes of tick labels
	rowHeight = 2.4
)

func (b *barPlot) draw(s *chart.Style) drawing {
	columns := s.Columns(len(b.panels), 25)
	d := drawing{rowHeight: rowHeight*float64(b.most()) + 6.5}
	for i, panel := range b.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		p, labels := panel.draw(s, s.Width/vg.Length(columns)*0.6)
		d.panels[i/columns][i%columns] = p
		d.labels = append(d.labels, labels)
	}
	return d
}

// most is the number of rows of the panel that has most.
func (b *barPlot) most() int {
	n := 0
	for _, p := range b.panels {
		n = max(n, len(p.rows))
	}
	return n
}

func (b barPanel) draw(s *chart.Style, width vg.Length) (*plot.Plot, *chart.Labels) {
	p, labels := s.NewPlot(), s.Labels()
	b.x(&p.X)
	p.X.Label.Text = b.title
	names := make([]string, len(b.rows))
	for i, r := range b.rows {
		names[len(names)-1-i] = s.Fit(r.name, p.Y.Tick.Label, width*0.45)
	}
	chart.Categories(&p.Y, names)
	restore := fixed(p)
	defer restore()
	for i, r := range b.rows {
		b.addRow(s, p, labels, r, float64(len(b.rows)-1-i))
		restore()
	}
	addBounds(s, p, labels, b.targets)
	p.Add(labels)
	return p, labels
}

// addBounds adds the lines that values along the x axis are held against.
func addBounds(s *chart.Style, p *plot.Plot, labels *chart.Labels, targets []target) {
	for _, t := range targets {
		ends := plotter.XYs{{X: t.value, Y: p.Y.Min}, {X: t.value, Y: p.Y.Max}}
		p.Add(&plotter.Line{XYs: ends, LineStyle: s.Dashed(targetWidth, s.Ink)})
		labels.Hints = append(labels.Hints, chart.Label{Text: t.label, At: ends[1], Color: s.Ink})
	}
}

// addRow draws one row at a height.
func (b barPanel) addRow(s *chart.Style, p *plot.Plot, labels *chart.Labels, r row, y float64) {
	look := s.Look(r.look)
	end := plotter.XY{X: p.X.Min, Y: y}
	gap := s.Em(0.3)
	if at := (plotter.XY{X: r.value, Y: y}); finite(r.value) && (r.value > 0 || !chart.IsLog(&p.X)) {
		end = at
		if chart.IsLog(&p.X) {
			fill := fillOf(r.saturated)
			p.Add(s.Dots(plotter.XYs{at}, look, s.Em(kneeSize), func(int) chart.Fill { return fill })...)
			gap = s.Em(kneeSize)
		} else {
			p.Add(bar(s, r, y))
		}
	}
	if low, high := max(r.low, p.X.Min), min(r.high, p.X.Max); low <= high {
		halo := s.Stroke(3*whiskerWidth, s.Paper)
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: low, Y: y}, {X: high, Y: y}}, LineStyle: halo}, r.interval(s, low, high, y))
		end.X = max(end.X, high)
	}
	labels.Beside = append(labels.Beside, chart.Label{Text: r.label, At: end, Color: look.Text, Gap: gap})
}

// interval is a whisker, or dashes where nothing is known between two bounds.
func (r row) interval(s *chart.Style, low, high, y float64) plot.Plotter {
	if r.bounds {
		return &plotter.Line{XYs: plotter.XYs{{X: low, Y: y}, {X: high, Y: y}}, LineStyle: s.Stroke(lineWidth, s.Ink, 0.3, 0.3)}
	}
	errors := plotter.XErrors{{Low: max(r.value-low, 0), High: max(high-r.value, 0)}}
	return &plotter.XErrorBars{XYs: plotter.XYs{{X: r.value, Y: y}}, XErrors: errors,
		LineStyle: s.Stroke(whiskerWidth, s.Ink), CapWidth: s.Em(0.5)}
}

// bar is hollow where the value is of a saturated service, and pale where nobody can tell.
func bar(s *chart.Style, r row, y float64) *plotter.BarChart {
	look := s.Look(r.look)
	b := &plotter.BarChart{Values: plotter.Values{r.value}, XMin: y, Width: s.Em(barWidth), Horizontal: true,
		Color: look.Line, LineStyle: s.Stroke(whiskerWidth, look.Line)}
	switch fillOf(r.saturated) {
	case chart.Hollow:
		b.Color = s.Paper
	case chart.Pale:
		b.Color = s.Pale(look.Line)
	}
	return b
}
