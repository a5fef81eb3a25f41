package plots

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/plots/chart"
	"kneepoint/units"
)

// Parity is predictions beside measurements, as plain values.
type Parity struct {
	Name    string // of the figure's files
	By      string // what the groups are: "engine"
	Panels  []ParityPanel
	Notes   []string // what was left out
	Version string   // of kneepoint
}

// ParityPanel is the predictions of one latency.
type ParityPanel struct {
	Metric      string  // in words: "mean TTFT"
	MedianError float64 // of the absolute percentage errors
	Pairs       []Pair
}

// Pair is a measured latency of a run and its prediction, in ms.
type Pair struct {
	ID, Group           string
	Measured, Predicted float64
}

// Figure draws them on logarithmic axes, a panel for each latency; false where there is
// nothing to draw.
func (p *Parity) Figure() (Figure, bool) {
	body := &parityPlot{panels: p.Panels}
	data := Table{Header: []string{"run", "metric", p.By, "measured", "predicted", "unit"}}
	var errors, sizes []string
	off := 0
	for _, panel := range p.Panels {
		errors = append(errors, units.Short(units.Round(panel.MedianError, 2))+" % in "+panel.Metric)
		sizes = append(sizes, fmt.Sprintf("%s: %d runs", panel.Metric, len(panel.Pairs)))
		for _, pair := range panel.Pairs {
			if !pair.drawn() {
				off++
			}
			data.add(pair.ID, panel.Metric, pair.Group, number(pair.Measured), number(pair.Predicted), "ms")
			if !slices.Contains(body.groups, pair.Group) {
				body.groups = append(body.groups, pair.Group)
			}
		}
	}
	slices.Sort(body.groups)
	if off > 0 {
		sizes = append(sizes, fmt.Sprintf("%d of 0 are off the scale", off))
	}
	bands := "line: predicted = measured, bands: within 10 % and 25 % of the measured value"
	return Figure{
		Name:     p.Name,
		Title:    "Median error " + strings.Join(errors, ", "),
		Subtitle: "predicted against measured, by " + p.By,
		Notes:    append(append([]string{bands, strings.Join(sizes, ", ")}, p.Notes...), "kneepoint "+p.Version),
		Data:     data,
		body:     body,
	}, len(data.Rows) > 0
}

// Images draws the figure as those of results are drawn; none where there is nothing to draw.
func (p *Parity) Images(o Options) ([]Image, error) {
	f, ok := p.Figure()
	if !ok {
		return nil, nil
	}
	style, err := o.style()
	if err != nil {
		return nil, err
	}
	sheet := f.Sheet(style)
	return o.files(f, sheet, sheet)
}

// parityPlot is a body of square panels.
type parityPlot struct {
	panels []ParityPanel
	groups []string
}

// manyPairs is how many dots of a panel are drawn small.
const manyPairs = 200

func (b *parityPlot) draw(s *chart.Style) drawing {
	columns := b.columns(s)
	d := drawing{rowHeight: min(s.Share(columns), 30)}
	for i, panel := range b.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		d.panels[i/columns][i%columns] = b.panel(s, panel)
	}
	d.key = keyOf(s, b.groups)
	return d
}

// columns is how many panels stand beside each other: on a slide as many as fit, elsewhere
// as large ones.
func (b *parityPlot) columns(s *chart.Style) int {
	least := 16.0
	if s.Height > 0 {
		least = 14
	}
	n := len(b.panels)
	for n > 1 && s.Share(n) < least {
		n--
	}
	rows := (len(b.panels) + n - 1) / n
	return (len(b.panels) + rows - 1) / rows
}

// panel draws the pairs of one latency, and bands around equality.
func (b *parityPlot) panel(s *chart.Style, panel ParityPanel) *plot.Plot {
	p := s.NewPlot()
	var values []float64
	for _, pair := range panel.Pairs {
		values = append(values, pair.Measured, pair.Predicted)
	}
	chart.Log(&p.X, values, latency)
	chart.Log(&p.Y, values, latency)
	p.X.Label.Text = "measured"
	p.Add(s.YTitle(capitalise(panel.Metric) + ", predicted"))
	defer fixed(p)()
	lo, hi := p.X.Min, p.X.Max
	for _, share := range []float64{0.25, 0.1} {
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{around(lo, hi, share)}, Color: chart.Mix(s.Paper, s.Ideal, 0.6-1.8*share)})
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: lo, Y: lo}, {X: hi, Y: hi}}, LineStyle: s.Stroke(targetWidth, s.Axis)})
	radius := s.Em(0.26)
	if len(panel.Pairs) > manyPairs {
		radius = s.Em(0.15)
	}
	for i, name := range b.groups {
		var dots plotter.XYs
		for _, pair := range panel.Pairs {
			if pair.Group == name && pair.drawn() {
				dots = append(dots, plotter.XY{X: pair.Measured, Y: pair.Predicted})
			}
		}
		p.Add(s.Dots(dots, s.Look(i), radius, func(int) chart.Fill { return chart.Filled })...)
	}
	return p
}

// drawn tells whether a logarithmic axis has a place for the pair.
func (p Pair) drawn() bool { return p.Measured > 0 && p.Predicted > 0 }

// around is what lies within a share of y = x, between two values of both axes.
func around(lo, hi, share float64) plotter.XYs {
	above, below := 1+share, 1-share
	return plotter.XYs{
		{X: lo, Y: lo}, {X: lo / below, Y: lo}, {X: hi, Y: hi * below},
		{X: hi, Y: hi}, {X: hi / above, Y: hi}, {X: lo, Y: lo * above},
	}
}
