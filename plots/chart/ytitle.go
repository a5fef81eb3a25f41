package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// yTitle is a plotter of the y axis's title, above the panel and from left to right:
// it takes no width, and gonum's own is out of place beside a logarithmic axis.
type yTitle struct {
	style *Style
	text  string
}

// YTitle writes what the y axis shows above a panel.
func (s *Style) YTitle(text string) plot.Plotter { return yTitle{s, text} }

func (t yTitle) gap() vg.Length { return t.style.Em(0.7) }

// GlyphBoxes keeps room for the title.
func (t yTitle) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	height := t.gap() + t.style.Em(leading)
	return []plot.GlyphBox{{X: 0.5, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: height}}}}
}

// Plot writes the title.
func (t yTitle) Plot(c draw.Canvas, _ *plot.Plot) {
	at := vg.Point{X: c.Min.X, Y: c.Max.Y + t.gap() + t.style.Em(0.5)}
	t.style.FillMiddle(c, t.style.Text(1.05, t.style.Grey), at, t.text)
}
