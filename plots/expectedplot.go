package plots

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"kneepoint/plots/chart"
)

// expectedPlot is a body of values below each other, each before the band that it is expected
// in.
type expectedPlot struct {
	rows []expectedRow
}

// valueWidth is that of values with their bounds, of the width of a page.
const valueWidth = 0.32

func (e *expectedPlot) draw(s *chart.Style) drawing {
	const pitch = 1.7
	small := s.Smaller(pitch * float64(len(e.rows)))
	p, labels := small.NewPlot(), small.Labels()
	width, most := 0.3, 3 // of the names of rows, of the width of a page, and their lines
	if s.Height > 0 {
		width, most = 0.48, 1
	}
	names := make([]string, len(e.rows))
	values := make([]string, len(e.rows))
	height := pitch
	for i, r := range e.rows {
		name := chart.Wrapped(r.name, p.Y.Tick.Label, s.Width*vg.Length(width), most)
		names[len(names)-1-i] = name
		says := chart.Wrapped(r.label, small.Bold(1, s.Ink), s.Width*valueWidth, 2)
		values[i] = says
		height = max(height, 1.2*float64(max(strings.Count(name, "\n"), strings.Count(says, "\n")))+1.5)
	}
	chart.Categories(&p.Y, names)
	chart.Log(&p.X, e.covers(), factorText)
	p.X.Label.Text = "simulated / what is expected"
	defer fixed(p)()
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: 1, Y: p.Y.Min}, {X: 1, Y: p.Y.Max}}, LineStyle: s.Stroke(targetWidth, s.Axis)})
	for i, r := range e.rows {
		r.label = values[i]
		r.draw(small, p, labels, float64(len(e.rows)-1-i))
	}
	p.Add(labels)
	rows := height * float64(len(e.rows)) * float64(small.Em(1)/s.Em(1))
	return drawing{panels: [][]*plot.Plot{{p}}, labels: []*chart.Labels{labels}, rowHeight: rows + 5.5}
}

// covers is what the axis covers: all values and bounds as far as they are within
// greatestRatio of 1.
func (e *expectedPlot) covers() []float64 {
	values := []float64{1}
	for _, r := range e.rows {
		for _, v := range []float64{r.value, r.low, r.high} {
			if finite(v) && v > 0 {
				values = append(values, min(max(v/r.scale, 1.0/greatestRatio), greatestRatio))
			}
		}
	}
	return values
}

// draw draws the band, the value before it and both in words.
func (r expectedRow) draw(s *chart.Style, p *plot.Plot, labels *chart.Labels, y float64) {
	const half = 0.36
	within := func(x float64) float64 { return min(max(x, p.X.Min), p.X.Max) }
	p.Add(&plotter.Polygon{XYs: []plotter.XYs{box(within(r.low/r.scale), within(r.high/r.scale), y-half, y+half)}, Color: claimColor(s)})
	look, text, fill := s.Look(0), s.Grey, chart.Filled
	if !r.met {
		text, fill = s.Ink, chart.Hollow
	}
	if at := r.value / r.scale; finite(at) && within(at) != at {
		labels.Rims = append(labels.Rims, atRim(s, p, at, look, y))
	} else if finite(at) {
		p.Add(s.Dots(plotter.XYs{{X: at, Y: y}}, look, s.Em(0.36), func(int) chart.Fill { return fill })...)
	}
	labels.Bounds = append(labels.Bounds, chart.Label{Text: r.label, At: plotter.XY{X: p.X.Max, Y: y}, Color: text})
}

// box is a rectangle.
func box(left, right, bottom, top float64) plotter.XYs {
	return plotter.XYs{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
}
