package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Inside is a text inside of a rectangle.
type Inside struct {
	Min, Max plotter.XY
	Fill     color.Color // of the rectangle: on a dark one the text is white
	Texts    []string    // the first one that fits is written
}

// insideText are the sizes in which a text is tried, the largest first.
var insideText = []float64{0.9, 0.76}

// insides is a plotter of texts.
type insides struct {
	style *Style
	all   []Inside
}

// Insides makes a plotter of texts that are written where they fit.
func (s *Style) Insides(all []Inside) plot.Plotter { return insides{s, all} }

// Plot writes the texts.
func (t insides) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, in := range t.all {
		box := vg.Rectangle{Min: vg.Point{X: toX(in.Min.X), Y: toY(in.Min.Y)}, Max: vg.Point{X: toX(in.Max.X), Y: toY(in.Max.Y)}}
		t.write(c, box, in)
	}
}

func (t insides) write(c draw.Canvas, box vg.Rectangle, in Inside) {
	for _, text := range in.Texts {
		for _, size := range insideText {
			style := t.style.Text(size, contrast(in.Fill))
			if style.Width(text)+t.style.Em(0.3) <= box.Size().X && t.style.Em(size*1.1) <= box.Size().Y {
				style.XAlign = draw.XCenter
				t.style.FillMiddle(c, style, box.Min.Add(box.Max).Scale(0.5), text)
				return
			}
		}
	}
}

// contrast is black or white, whichever is read better on a colour.
func contrast(fill color.Color) color.NRGBA {
	if gray, ok := color.GrayModel.Convert(fill).(color.Gray); ok && gray.Y < 128 {
		return RGB(0xffffff)
	}
	return RGB(0x202124)
}
