package chart

import (
	"math"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// typeface is Liberation, whose Sans has the widths of Arial and Helvetica: a viewer
// without it still gets the same layout.
const typeface = "Liberation"

// leading is the distance of two baselines, in sizes of the text.
const leading = 1.22

// letters handles text: of what Liberation Sans lacks it takes the letters from another
// font, where there is one. Letters are set from left to right, each by itself.
type letters struct {
	text.Plain
	extra *opentype.Font // nil without one
	known map[line][]run // measured before: a layout asks for the width of a label many times
}

// line is a text in a font.
type line struct {
	text string
	font font.Font
}

func newLetters(extra *opentype.Font) letters {
	return letters{text.Plain{Fonts: font.NewCache(liberation.Collection())}, extra, map[line][]run{}}
}

// run is letters of one font beside each other.
type run struct {
	font.Face
	text  string
	width vg.Length
}

// runs splits a text where its font changes.
func (l letters) runs(txt string, fnt font.Font) []run {
	key := line{txt, fnt}
	runs, ok := l.known[key]
	if !ok {
		runs = l.split(txt, fnt)
		l.known[key] = runs
	}
	return runs
}

func (l letters) split(txt string, fnt font.Font) []run {
	main := l.Fonts.Lookup(fnt, fnt.Size)
	if l.extra == nil || has(main.Face, txt) {
		return []run{{main, txt, main.Width(txt)}}
	}
	other := font.Face{Font: fnt, Face: l.extra}
	other.Font.Typeface, other.Font.Variant = font.Typeface(familyOf(l.extra)), ""
	var all []run
	for _, r := range txt {
		face := main
		if !has(main.Face, string(r)) && has(l.extra, string(r)) {
			face = other
		}
		if n := len(all); n > 0 && all[n-1].Face.Face == face.Face {
			all[n-1].text += string(r)
		} else {
			all = append(all, run{Face: face, text: string(r)})
		}
	}
	for i := range all {
		all[i].width = all[i].Width(all[i].text)
	}
	return all
}

// has tells whether a font has all letters of a text.
func has(f *opentype.Font, text string) bool {
	var buf sfnt.Buffer
	for _, r := range text {
		if glyph, err := f.GlyphIndex(&buf, r); err != nil || glyph == 0 {
			return false
		}
	}
	return true
}

func familyOf(f *opentype.Font) string {
	var buf sfnt.Buffer
	if name, err := f.Name(&buf, sfnt.NameIDFamily); err == nil && name != "" {
		return name
	}
	return "sans-serif"
}

// CanWrite tells whether there is a font for every letter of a text.
func (s *Style) CanWrite(text string) bool {
	main := s.letters.Fonts.Lookup(s.Text(1, s.Ink).Font, 1).Face
	for _, r := range text {
		if !has(main, string(r)) && (s.letters.extra == nil || !has(s.letters.extra, string(r))) {
			return false
		}
	}
	return true
}

// Box returns the size of a line, as text.Handler asks for.
func (l letters) Box(line string, fnt font.Font) (width, height, depth vg.Length) {
	for _, r := range l.runs(line, fnt) {
		width += r.width
	}
	e := l.Extents(fnt)
	return width, e.Ascent, e.Descent
}

// Draw writes text, as text.Handler asks for.
func (l letters) Draw(c vg.Canvas, txt string, sty text.Style, at vg.Point) {
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		sin, cos := math.Sincos(sty.Rotation)
		at = vg.Point{X: at.Y*vg.Length(sin) + at.X*vg.Length(cos), Y: at.Y*vg.Length(cos) - at.X*vg.Length(sin)}
	}
	l.set(txt, sty, at, func(r run, at vg.Point) { c.FillString(r.Face, at, r.text) })
}

// set tells where each run of a text begins on its baseline.
func (l letters) set(txt string, sty text.Style, at vg.Point, write func(run, vg.Point)) {
	lines := l.Lines(txt)
	at.Y += sty.Height(txt)*vg.Length(sty.YAlign) - l.Extents(sty.Font).Ascent
	for i, line := range lines {
		width, _, _ := l.Box(line, sty.Font)
		pen := at.Add(vg.Point{X: vg.Length(sty.XAlign) * width, Y: vg.Length(len(lines)-i) * sty.Font.Size})
		for _, r := range l.runs(line, sty.Font) {
			if r.text != "" {
				write(r, pen)
			}
			pen.X += r.width
		}
	}
}

// outlines gives the outlines of letters set with their baseline starting at at, one letter
// at a time: together they would be rasterized in a time that grows with their square.
func outlines(face font.Face, at vg.Point, text string, draw func(vg.Path)) {
	var (
		buf  sfnt.Buffer
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
		if segments, err := face.Face.LoadGlyph(&buf, glyph, ppem, nil); err == nil && len(segments) > 0 {
			draw(glyphPath(segments, at, unit))
		}
		if advance, err := face.Face.GlyphAdvance(&buf, glyph, ppem, 0); err == nil {
			at.X += vg.Length(advance) * unit
		}
		prev = glyph
	}
}

func glyphPath(segments sfnt.Segments, at vg.Point, unit vg.Length) vg.Path {
	path := make(vg.Path, 0, 2*len(segments)) // each outline is closed by one more
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
	path.Close()
	return path
}
