package chart

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// FillMiddle writes a text with the middle of its letters at the height of at: half way
// between the baseline and the top of capitals, which is above the middle of its box.
func (s *Style) FillMiddle(c draw.Canvas, style text.Style, at vg.Point, txt string) {
	style, at = middle(style, at)
	c.FillText(style, at, txt)
}

// FillHalo writes like FillMiddle, with a rim in the colour of the paper.
func (s *Style) FillHalo(c draw.Canvas, style text.Style, at vg.Point, txt string) {
	style, at = middle(style, at)
	c.SetColor(s.Paper)
	c.SetLineWidth(s.Em(0.36))
	c.SetLineDash(nil, 0)
	s.letters.set(txt, style, at, func(r run, at vg.Point) { outlines(r.Face, at, r.text, c.Stroke) })
	c.FillText(style, at, txt)
}

func middle(style text.Style, at vg.Point) (text.Style, vg.Point) {
	style.YAlign = draw.YCenter
	at.Y += 0.1 * style.Font.Size
	return style, at
}
