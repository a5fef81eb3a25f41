package plots

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// The page, in points. A point is two pixels and two thirds in a PNG, which
// makes it 1600 pixels wide.
const (
	pageWidth  = vg.Length(600)
	plotHeight = vg.Length(232) // the data area of a figure with few series
	pageMargin = vg.Length(18)
	pngDPI     = 192

	subtitleGap = vg.Length(2)
	headerGap   = vg.Length(16) // subtitle to data area
	lineSpacing = 1.28          // baseline to baseline, in font sizes

	tickGap   = vg.Length(6) // tick label to data area
	tickMark  = vg.Length(4)
	dataInset = vg.Length(7) // keeps the marks of the first and the last point inside

	nameGap     = vg.Length(5)  // data area to the labels at its right
	leaderGap   = vg.Length(15) // the same, where thin lines tie labels to curves
	columnWidth = vg.Length(132)
	swatchWidth = vg.Length(20)
	labelGap    = vg.Length(2) // least gap between two labels

	// legendShift is the displacement from which a label no longer reads as
	// belonging to its line's end, and the column becomes a legend.
	legendShift = vg.Length(22)
)

const (
	curveWidth   = vg.Length(1.9)
	gridWidth    = vg.Length(0.6)
	axisWidth    = vg.Length(0.8)
	targetWidth  = vg.Length(1)
	leaderWidth  = vg.Length(0.6)
	whiskerWidth = vg.Length(1.2)
	pointRadius  = vg.Length(2.5)
	kneeRadius   = vg.Length(4.4)
	haloWidth    = vg.Length(1.6)
	bandAlpha    = 0.16
	fadedAlpha   = 0.55
)

// palette has the greys of everything that is not data.
var (
	ink       = color.NRGBA{0x20, 0x21, 0x24, 0xff}
	grey      = color.NRGBA{0x66, 0x66, 0x66, 0xff}
	axisGrey  = color.NRGBA{0x75, 0x75, 0x75, 0xff}
	gridGrey  = color.NRGBA{0xe2, 0xe2, 0xe2, 0xff}
	idealGrey = color.NRGBA{0xa8, 0xa8, 0xa8, 0xff}
	paper     = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// textStyle is a size, a weight and a colour of the one typeface.
type textStyle struct {
	size  vg.Length
	bold  bool
	color color.NRGBA
}

func (s textStyle) in(c color.NRGBA) textStyle {
	s.color = c
	return s
}

var (
	titleStyle    = textStyle{size: 15, bold: true, color: ink}
	subtitleStyle = textStyle{size: 10.5, color: grey}
	tickStyle     = textStyle{size: 9.5, color: grey}
	axisStyle     = textStyle{size: 10, color: grey}
	labelStyle    = textStyle{size: 9.5, bold: true, color: ink}
	valueStyle    = textStyle{size: 9, bold: true, color: ink}
	hintStyle     = textStyle{size: 8, color: grey}
	footerStyle   = textStyle{size: 7.5, color: axisGrey}
)

// shape is the outline of a marker.
type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	triangleDown
	pentagon
	cross
	star
)

// look is what tells one series from the others: colour, and marker
// where there is no colour. Text in the line's colour is darkened until its
// contrast on white is at least 4.5 to 1.
type look struct {
	line, text color.NRGBA
	shape      shape
}

// looks are the colours of Okabe and Ito (2008), "Color universal design", with
// the yellow darkened: as published it vanishes on white paper. Violet, brown and
// grey follow for figures with more curves, which markers must help to tell apart.
var looks = []look{
	{rgb(0x0072b2), rgb(0x0072b2), circle},
	{rgb(0xd55e00), rgb(0xb85100), square},
	{rgb(0x009e73), rgb(0x007d5b), triangle},
	{rgb(0xcc79a7), rgb(0xa8507f), diamond},
	{rgb(0xe69f00), rgb(0x946600), triangleDown},
	{rgb(0x56b4e9), rgb(0x1f7bb0), pentagon},
	{rgb(0x303030), rgb(0x303030), cross},
	{rgb(0xb5a800), rgb(0x736b00), star},
	{rgb(0x6a3d9a), rgb(0x6a3d9a), square},
	{rgb(0x8c510a), rgb(0x8c510a), triangle},
	{rgb(0x8a8a8a), rgb(0x6b6b6b), circle},
}

// lookOf returns the look of the i-th series. Beyond the last colour the
// colours return with other markers.
func lookOf(i int) look {
	l := looks[i%len(looks)]
	l.shape = looks[(i+i/len(looks)*3)%len(looks)].shape
	return l
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// paler is the colour half way to the paper, and opaque: lines do not shine through.
func paler(c color.NRGBA) color.NRGBA {
	half := func(x uint8) uint8 { return x/2 + 0x80 }
	return color.NRGBA{half(c.R), half(c.G), half(c.B), 0xff}
}

func alpha(c color.NRGBA, a float64) color.NRGBA {
	c.A = uint8(a*255 + 0.5)
	return c
}
