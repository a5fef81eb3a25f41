package plots

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// forestPlot is a body of factors: a panel for each metric, in it a row for each two
// strategies, and in that a mark for each place.
type forestPlot struct {
	rows    []string
	places  []string
	panels  []forestPanel
	claimed bool // some marks have a band
}

// forestPanel is the factors of one metric, by row and place.
type forestPanel struct {
	title  string
	higher metrics.Sense // than 1
	marks  [][]factorMark
}

const (
	panelWidth = 12.5 // of a panel with its names at least, in sizes of the tick labels
	namesWidth = 13   // of the names of rows at most
	markPitch  = 0.72 // from a mark to the next one of its row
)

func (f *forestPlot) draw(s *chart.Style) drawing {
	columns, width := f.columns(s)
	room := s.Em(min(width-5.5, namesWidth))
	pitch := 0.7 + markPitch*float64(len(f.places))
	small := s.Smaller(pitch * float64(len(f.rows)))
	most := max(2, int(pitch/1.3))
	if small.Em(1) < s.Em(1) {
		most = 1
	}
	names := make([]string, len(f.rows))
	for i, name := range f.rows {
		names[len(names)-1-i] = chart.Wrapped(name, small.Text(1, s.Ink), room, most)
	}
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "\n") }) {
		pitch = max(pitch, 2.4)
	}
	d := drawing{rowHeight: pitch*float64(len(f.rows))*float64(small.Em(1)/s.Em(1)) + 6.5}
	for i, panel := range f.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		p := s.NewPlot()
		p.Y.Tick.Label.Font.Size = small.Em(1)
		if i%columns == 0 {
			chart.Categories(&p.Y, names)
		} else {
			chart.Categories(&p.Y, make([]string, len(names)))
		}
		d.panels[i/columns][i%columns] = p
		d.labels = append(d.labels, f.addPanel(small, p, panel, markPitch/pitch))
	}
	d.key = f.key(s)
	return d
}

// key names the places, and the bands of claims.
func (f *forestPlot) key(s *chart.Style) []chart.Entry {
	var key []chart.Entry
	if len(f.places) > 1 {
		for i, name := range f.places {
			key = append(key, chart.Entry{Name: name, Swatch: s.CurveSwatch(f.look(s, i))})
		}
	}
	if f.claimed {
		key = append(key, chart.Entry{Name: "claimed", Swatch: s.AreaSwatch(chart.Look{Line: claimColor(s)})})
	}
	return key
}

// columns is how many panels stand beside each other, all but the first one without names,
// and the width that gonum gives each, in sizes of the tick labels.
func (f *forestPlot) columns(s *chart.Style) (n int, width float64) {
	for n = len(f.panels); ; n-- {
		if width = s.Share(n); width >= panelWidth || n == 1 {
			rows := (len(f.panels) + n - 1) / n
			n = (len(f.panels) + rows - 1) / rows
			return n, s.Share(n)
		}
	}
}

// look is that of a place: the later it is among them, the darker on light paper.
func (f *forestPlot) look(s *chart.Style, i int) chart.Look {
	look := s.Look(i)
	share := 0.0
	if n := len(f.places); n > 1 {
		share = 2*float64(i)/float64(n-1) - 1
	}
	look.Line = chart.Mix(s.Look(0).Line, s.Ink, 0.6*max(share, 0))
	look.Line = chart.Mix(look.Line, s.Paper, 0.45*max(-share, 0))
	return look
}

func claimColor(s *chart.Style) color.NRGBA { return chart.Mix(s.Grid, s.Axis, 0.15) }

// addPanel adds the factors of one metric, the marks of a row a step below each other.
func (f *forestPlot) addPanel(s *chart.Style, p *plot.Plot, panel forestPanel, step float64) *chart.Labels {
	p.Title.Text = panel.title
	switch panel.higher {
	case metrics.Worse:
		p.X.Label.Text = "← better"
	case metrics.Better:
		p.X.Label.Text = "better →"
	}
	chart.Log(&p.X, panel.covers(), factorText)
	defer fixed(p)()
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: 1, Y: p.Y.Min}, {X: 1, Y: p.Y.Max}}, LineStyle: s.Stroke(targetWidth, s.Axis)})
	labels := s.Labels()
	for i, marks := range panel.marks {
		top := float64(len(f.rows)-1-i) + step*float64(len(f.places)-1)/2
		for k, m := range marks {
			m.draw(s, p, labels, f.look(s, k), top-step*float64(k), step)
		}
	}
	p.Add(labels)
	return labels
}

// greatestClaim is the factor up to which all is drawn that anything is claimed of.
const greatestClaim = 1000

// covers is what the axis covers: all factors, their intervals and what is claimed, as far
// as they are within greatestRatio of 1, or greatestClaim.
func (panel *forestPanel) covers() []float64 {
	values := []float64{1}
	for _, marks := range panel.marks {
		for _, m := range marks {
			limit := float64(greatestRatio)
			if m.isClaimed() {
				limit = greatestClaim
			}
			for _, v := range []float64{m.Value, m.Low, m.High, m.from, m.to} {
				if v > 0 {
					values = append(values, min(max(v, 1/limit), limit))
				}
			}
		}
	}
	return values
}

// draw draws a mark with its interval, before the band of what is claimed; at the rim,
// where it is beyond.
func (m factorMark) draw(s *chart.Style, p *plot.Plot, labels *chart.Labels, look chart.Look, y, height float64) {
	within := func(x float64) float64 { return min(max(x, p.X.Min), p.X.Max) }
	if m.isClaimed() {
		low, high := within(m.from), within(m.to)
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{box(low, high, y-height/2, y+height/2)}, Color: claimColor(s)})
	}
	switch {
	case math.IsNaN(m.Value):
	case within(m.Value) != m.Value:
		labels.Rims = append(labels.Rims, atRim(s, p, m.Value, look, y))
	default:
		if m.HasInterval() {
			p.Add(&plotter.Line{XYs: plotter.XYs{{X: within(m.Low), Y: y}, {X: within(m.High), Y: y}}, LineStyle: s.Stroke(lineWidth, look.Line)})
		}
		p.Add(s.Dots(plotter.XYs{{X: m.Value, Y: y}}, look, s.Em(0.29), func(int) chart.Fill { return m.fill() })...)
	}
}

// atRim names a factor that the axis does not reach.
func atRim(s *chart.Style, p *plot.Plot, factor float64, look chart.Look, y float64) chart.Label {
	rim := chart.Label{Text: "← " + factorText(factor), At: plotter.XY{X: p.X.Min, Y: y}, Color: chart.Mix(look.Line, s.Ink, 0.4)}
	if factor > p.X.Max {
		rim.Text, rim.At.X = factorText(factor)+" →", p.X.Max
	}
	return rim
}

// factorText is a factor with two digits.
func factorText(v float64) string { return units.Short(units.Round(v, 2)) + "×" }
