package chart

import "image/color"

// Theme is the colours of a page. Those of data are by Look.
type Theme struct {
	Name   string
	Paper  color.NRGBA
	Ink    color.NRGBA // titles and targets
	Grey   color.NRGBA // text that explains
	Axis   color.NRGBA
	Grid   color.NRGBA
	Ideal  color.NRGBA // lines that no measurement is on
	bright float64     // how much colours of data are mixed with white
}

// Themes are dark on light paper, and the reverse.
var Themes = []Theme{
	{
		Name: "light", Paper: RGB(0xffffff), Ink: RGB(0x202124), Grey: RGB(0x5f6368),
		Axis: RGB(0x757575), Grid: RGB(0xe2e2e2), Ideal: RGB(0xa8a8a8),
	},
	{
		Name: "dark", Paper: RGB(0x1b1c1f), Ink: RGB(0xf1f3f4), Grey: RGB(0xb4b8bd),
		Axis: RGB(0x9aa0a6), Grid: RGB(0x3a3c41), Ideal: RGB(0x74777c), bright: 0.4,
	},
}

// ThemeOf returns the theme of a name; "" is the first one.
func ThemeOf(name string) (Theme, bool) {
	for _, t := range Themes {
		if t.Name == name || name == "" {
			return t, true
		}
	}
	return Theme{}, false
}

// Look is what tells one series from another.
type Look struct {
	Line, Text color.NRGBA
	Shape      Shape
}

// hues are the colours of Okabe and Ito (2008), "Color universal design", with the
// yellow darkened: as published it vanishes on white paper. Violet, brown and grey follow
// for figures with more series. Beside each is the same for text on white, as dark as a
// contrast of 4.5 to 1 asks for.
var hues = [][2]uint32{
	{0x0072b2, 0x0072b2}, {0xd55e00, 0xb85100}, {0x009e73, 0x007d5b}, {0xcc79a7, 0xa8507f}, {0xe69f00, 0x946600}, {0x56b4e9, 0x1f7bb0},
	{0x303030, 0x303030}, {0xb5a800, 0x736b00}, {0x6a3d9a, 0x6a3d9a}, {0x8c510a, 0x8c510a}, {0x8a8a8a, 0x6b6b6b},
}

// Look returns the look of the i-th series. The shapes return before the colours do, so
// that a colour that returns has another shape.
func (t Theme) Look(i int) Look {
	hue := hues[i%len(hues)]
	l := Look{Line: RGB(hue[0]), Text: RGB(hue[1]), Shape: Shape(i % int(shapes))}
	if t.bright > 0 {
		white := RGB(0xffffff)
		l.Line, l.Text = Mix(l.Line, white, t.bright), Mix(l.Line, white, t.bright+0.15)
	}
	return l
}

// Pale is a colour nearly as light as the paper. It is opaque: lines do not shine through.
func (t Theme) Pale(c color.NRGBA) color.NRGBA { return Mix(c, t.Paper, 0.55) }

// Mix returns a colour between a and b, where share says how much of b.
func Mix(a, b color.NRGBA, share float64) color.NRGBA {
	between := func(x, y uint8) uint8 { return uint8(float64(x)*(1-share) + float64(y)*share + 0.5) }
	return color.NRGBA{between(a.R, b.R), between(a.G, b.G), between(a.B, b.B), 0xff}
}

// Faded is a colour through which others shine, by its opacity.
func Faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// RGB is an opaque colour, written like 0x0072b2.
func RGB(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}
