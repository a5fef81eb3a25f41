package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is a plotter of a line through points, with dashes around some of them, half of
// the way to their neighbours. A coordinate that is no number makes a gap.
type Line struct {
	plotter.XYs
	Dashed []bool // of each point; nil: of none
	Solid  draw.LineStyle
	Dashes draw.LineStyle
}

// Plot draws the line.
func (l Line) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	var run []vg.Point
	dashed := false
	flush := func() {
		style := l.Solid
		if dashed {
			style = l.Dashes
		}
		c.StrokeLines(style, c.ClipLinesXY(run)...)
	}
	for i, xy := range l.XYs {
		if math.IsNaN(xy.X) || math.IsNaN(xy.Y) {
			flush()
			run = nil
			continue
		}
		at := vg.Point{X: toX(xy.X), Y: toY(xy.Y)}
		if here := l.Dashed != nil && l.Dashed[i]; here != dashed {
			var middle []vg.Point
			if len(run) > 0 {
				middle = []vg.Point{run[len(run)-1].Add(at).Scale(0.5)}
			}
			run = append(run, middle...)
			flush()
			run, dashed = middle, here
		}
		run = append(run, at)
	}
	flush()
}

// Bands returns the areas between the lows and the highs of neighbouring points. A low
// or a high that is no finite number makes a gap.
func Bands(xs, lows, highs []float64, fill color.Color) []plot.Plotter {
	var all []plot.Plotter
	var low, high plotter.XYs
	flush := func() {
		if len(low) > 1 {
			for i := len(low) - 1; i >= 0; i-- {
				high = append(high, low[i])
			}
			all = append(all, &plotter.Polygon{XYs: []plotter.XYs{high}, Color: fill})
		}
		low, high = nil, nil
	}
	for i, x := range xs {
		if sum := lows[i] + highs[i] + x; math.IsNaN(sum) || math.IsInf(sum, 0) {
			flush()
			continue
		}
		low, high = append(low, plotter.XY{X: x, Y: lows[i]}), append(high, plotter.XY{X: x, Y: highs[i]})
	}
	flush()
	return all
}
