package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Shape is that of a dot.
type Shape int

// The shapes that are told apart at the size of a dot.
const (
	Circle Shape = iota
	Square
	Triangle
	shapes
)

// glyph is the shape filled, or its outline.
func (s Shape) glyph(filled bool) draw.GlyphDrawer {
	both := [shapes][2]draw.GlyphDrawer{
		{draw.RingGlyph{}, draw.CircleGlyph{}}, {draw.SquareGlyph{}, draw.BoxGlyph{}}, {draw.TriangleGlyph{}, draw.PyramidGlyph{}},
	}
	if filled {
		return both[s][1]
	}
	return both[s][0]
}

// Fill is how the inside of a dot is drawn.
type Fill int

// Filled dots are plain, pale ones are in doubt, hollow ones say that what they show
// would be different in a longer run.
const (
	Filled Fill = iota
	Pale
	Hollow
)

// DotSize is the radius of a dot on a curve.
func (s *Style) DotSize() vg.Length { return s.Em(0.27) }

// Dots are plotters of dots with a rim that keeps lines off them.
func (s *Style) Dots(xys plotter.XYs, look Look, radius vg.Length, fillOf func(i int) Fill) []plot.Plotter {
	scatter := func(style func(i int) draw.GlyphStyle) plot.Plotter {
		return &plotter.Scatter{XYs: xys, GlyphStyleFunc: style}
	}
	rim := scatter(func(i int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: s.Paper, Radius: radius + s.Em(0.08), Shape: look.Shape.glyph(true)}
	})
	inside := scatter(func(i int) draw.GlyphStyle {
		fill := look.Line
		switch fillOf(i) {
		case Pale:
			fill = s.Pale(look.Line)
		case Hollow:
			fill = s.Paper
		}
		return draw.GlyphStyle{Color: fill, Radius: radius, Shape: look.Shape.glyph(true)}
	})
	outside := scatter(func(i int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: look.Line, Radius: radius, Shape: look.Shape.glyph(false)}
	})
	return []plot.Plotter{rim, inside, outside}
}

// swatch shows a curve in a key.
type swatch struct {
	style     *Style
	look      Look
	line, dot bool // neither: an area
}

// CurveSwatch is the line and the dot of a curve.
func (s *Style) CurveSwatch(look Look) plot.Thumbnailer { return swatch{s, look, true, true} }

// DotSwatch is the dot alone.
func (s *Style) DotSwatch(look Look) plot.Thumbnailer { return swatch{s, look, false, true} }

// AreaSwatch is a filled area.
func (s *Style) AreaSwatch(look Look) plot.Thumbnailer { return swatch{s, look, false, false} }

// Thumbnail draws the swatch.
func (w swatch) Thumbnail(c *draw.Canvas) {
	if !w.dot {
		c.FillPolygon(w.look.Line, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
		return
	}
	if y := c.Center().Y; w.line {
		c.StrokeLine2(w.style.Stroke(20, w.look.Line), c.Min.X, y, c.Max.X, y)
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: w.look.Line, Radius: w.style.DotSize(), Shape: w.look.Shape.glyph(true)}, c.Center())
}
