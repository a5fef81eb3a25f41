package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"

	"kneepoint/plots/chart"
)

// heatScale is the range of values that the colours are of.
type heatScale struct {
	low, high float64
	log       bool
}

// heatScale spreads the colours from 0 to 100 % of what has a target there, and over other
// shares from 0 on; else from the least to the greatest value, evenly over the logarithms of
// values that are far apart.
func (m measure) heatScale(values []float64) heatScale {
	share := m.kind == percentAxis
	log := !share && spread(values) >= wideRange
	low, high := chart.Extent(values, log)
	switch {
	case share && m.atLeast:
		low, high = 0, 1
	case share:
		low = 0
	}
	if low == high {
		low, high = low*0.9, high*1.1+1e-12
	}
	return heatScale{low, high, log}
}

// at is where a value is in the range, from 0 to 1.
func (h heatScale) at(v float64) float64 {
	return min(max(wayTo(v, h.low, h.high, h.log), 0), 1)
}

// colours are dark for small values and light for great ones, in even steps of luminance, so
// that they are in order in greyscale, too.
func (heatScale) colours() palette.ColorMap {
	colours, err := moreland.NewLuminance([]color.Color{chart.RGB(0x24123f), chart.RGB(0x2f5d8a), chart.RGB(0x4fae8b), chart.RGB(0xf7e9a0)})
	if err != nil {
		panic(err) // they are in the order of their luminance
	}
	colours.SetMax(1)
	return colours
}

// colourSteps is how many colours a scale has.
const colourSteps = 40

// bar shows which colours are which values.
func (h heatScale) bar(s *chart.Style, m measure) *plot.Plot {
	p := s.NewPlot()
	p.HideY()
	p.X.Label.Text = m.axisTitle()
	values := chart.LinearTicks(h.low, h.high, 6)
	if h.log {
		values = chart.LogTicks(h.low, h.high, 8)
	}
	ticks := chart.Ticks(values, m.format)
	for i := range ticks {
		ticks[i].Value = h.at(ticks[i].Value)
	}
	p.X.Tick.Marker = ticks
	p.Add(plotter.NewHeatMap(steps{}, h.colours().Palette(colourSteps)))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, -0.5, 0.5
	return p
}

// steps are the colours of a scale side by side, the same areas as those of a map: a
// plotter.ColorBar is an image, blurred, and no lines in a vector format.
type steps struct{}

func (steps) Dims() (c, r int)   { return colourSteps, 1 }
func (steps) X(c int) float64    { return (float64(c) + 0.5) / colourSteps }
func (steps) Y(int) float64      { return 0 }
func (steps) Min() float64       { return 0 }
func (steps) Max() float64       { return 1 }
func (steps) Z(c, _ int) float64 { return float64(c) / (colourSteps - 1) }

// grid is a map as gonum draws it, by the numbers of columns and rows.
type grid struct {
	*heatPanel
	scale heatScale
}

func (g grid) Dims() (c, r int)   { return len(g.cells[0]), len(g.cells) }
func (g grid) X(c int) float64    { return float64(c) }
func (g grid) Y(r int) float64    { return float64(r) }
func (g grid) Min() float64       { return 0 }
func (g grid) Max() float64       { return 1 }
func (g grid) Z(c, r int) float64 { return g.scale.at(g.cells[r][c].value) }

// paint draws a map, with the values where they fit.
func (h *heatPlot) paint(s *chart.Style, panel *heatPanel) *plot.Plot {
	p := s.NewPlot()
	chart.Categories(&p.X, h.xNames)
	chart.Categories(&p.Y, h.yNames)
	defer fixed(p)()
	colours := h.scale.colours()
	cells := plotter.NewHeatMap(grid{panel, h.scale}, colours.Palette(colourSteps))
	cells.NaN = s.Paper
	p.Add(cells)
	h.addBorder(s, p, panel)
	var texts []chart.Inside
	for row, line := range panel.cells {
		for column, c := range line {
			if !finite(c.value) {
				continue
			}
			fill, _ := colours.At(h.scale.at(c.value)) // which is between 0 and 1
			x, y := float64(column), float64(row)
			texts = append(texts, chart.Inside{Min: plotter.XY{X: x - 0.5, Y: y - 0.5}, Max: plotter.XY{X: x + 0.5, Y: y + 0.5}, Fill: fill,
				Texts: []string{h.text(c)}})
		}
	}
	p.Add(s.Insides(texts))
	return p
}

// addBorder draws the border of the target.
func (h *heatPlot) addBorder(s *chart.Style, p *plot.Plot, panel *heatPanel) {
	border := h.border(panel)
	p.Add(chart.Line{XYs: border, Solid: s.Stroke(2*lineWidth, s.Paper)}, chart.Line{XYs: border, Solid: s.Stroke(lineWidth, s.Ink)})
}

// border is the lines between the cells that meet the target and those beside that do not,
// with gaps between them.
func (h *heatPlot) border(panel *heatPanel) plotter.XYs {
	none := plotter.XY{X: math.NaN(), Y: math.NaN()}
	var border plotter.XYs
	add := func(a, b heatCell, from, to plotter.XY) {
		if finite(a.value) && finite(b.value) && h.meets(a) != h.meets(b) {
			border = append(border, from, to, none)
		}
	}
	for row, line := range panel.cells {
		for column, c := range line {
			right, top := float64(column)+0.5, float64(row)+0.5
			corner := plotter.XY{X: right, Y: top}
			if column+1 < len(line) {
				add(c, line[column+1], plotter.XY{X: right, Y: top - 1}, corner)
			}
			if row+1 < len(panel.cells) {
				add(c, panel.cells[row+1][column], plotter.XY{X: right - 1, Y: top}, corner)
			}
		}
	}
	return border
}

// meets tells whether a cell meets the target.
func (h *heatPlot) meets(c heatCell) bool {
	if h.atLeast {
		return c.value >= h.target
	}
	return c.value <= h.target
}
