package plots

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outline returns the outlines of text set with its baseline starting at at, to
// draw a halo around it. A rune without an outline in the font has no halo.
func outline(face font.Face, at vg.Point, text string) vg.Path {
	var (
		buf  sfnt.Buffer
		path vg.Path
		ppem = fixed.Int26_6(face.Face.UnitsPerEm())
		unit = face.Font.Size / vg.Length(ppem)
		prev sfnt.GlyphIndex
	)
	for i, r := range text {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if kern, err := face.Face.Kern(&buf, prev, glyph, ppem, 0); i > 0 && err == nil {
			at.X += vg.Length(kern) * unit
		}
		if segments, err := face.Face.LoadGlyph(&buf, glyph, ppem, nil); err == nil {
			path = appendGlyph(path, segments, at, unit)
		}
		if advance, err := face.Face.GlyphAdvance(&buf, glyph, ppem, 0); err == nil {
			at.X += vg.Length(advance) * unit
		}
		prev = glyph
	}
	return path
}

func appendGlyph(path vg.Path, segments sfnt.Segments, at vg.Point, unit vg.Length) vg.Path {
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*unit, Y: at.Y - vg.Length(p.Y)*unit}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return path
}
