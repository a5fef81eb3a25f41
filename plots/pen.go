package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// pen draws lines, areas, markers and text on a canvas.
type pen struct {
	typesetter
	canvas vg.Canvas
}

// align says which side of a text its position is.
type align float64

const (
	alignLeft   align = 0
	alignCentre align = 0.5
	alignRight  align = 1
)

// line draws a polyline; dash is the lengths of dashes and gaps, none for a
// solid line.
func (p pen) line(points []vg.Point, width vg.Length, c color.NRGBA, dash ...vg.Length) {
	if len(points) < 2 {
		return
	}
	p.canvas.SetColor(c)
	p.canvas.SetLineWidth(width)
	p.canvas.SetLineDash(dash, 0)
	p.canvas.Stroke(polyline(points))
}

// polygon fills the area inside points.
func (p pen) polygon(points []vg.Point, c color.NRGBA) {
	if len(points) < 3 {
		return
	}
	path := polyline(points)
	path.Close()
	p.canvas.SetColor(c)
	p.canvas.Fill(path)
}

func polyline(points []vg.Point) vg.Path {
	var path vg.Path
	path.Move(points[0])
	for _, point := range points[1:] {
		path.Line(point)
	}
	return path
}

// text writes one line, its height centred on at.
func (p pen) text(at vg.Point, text string, s textStyle, a align) {
	p.canvas.SetColor(s.color)
	p.canvas.FillString(p.face(s), p.baseline(at, text, s, a), text)
}

// haloText writes like text, with a rim that keeps lines off the letters.
func (p pen) haloText(at vg.Point, text string, s textStyle, a align) {
	p.canvas.SetColor(paper)
	p.canvas.SetLineWidth(2 * haloWidth)
	p.canvas.SetLineDash(nil, 0)
	p.canvas.Stroke(outline(p.face(s), p.baseline(at, text, s, a), text))
	p.text(at, text, s, a)
}

// baseline returns where the text begins: capitals are 0.72 font sizes high.
func (p pen) baseline(at vg.Point, text string, s textStyle, a align) vg.Point {
	return vg.Point{X: at.X - p.width(text, s)*vg.Length(a), Y: at.Y - 0.36*s.size}
}

// block writes lines below each other, the first one's top at at.Y.
func (p pen) block(at vg.Point, lines []string, s textStyle) {
	for i, line := range lines {
		y := at.Y - (vg.Length(i)+0.5)*s.size*lineSpacing
		p.text(vg.Point{X: at.X, Y: y}, line, s, alignLeft)
	}
}

// marker draws a filled marker with a rim.
func (p pen) marker(s shape, at vg.Point, radius vg.Length, fill, rim color.NRGBA, rimWidth vg.Length) {
	path := s.path(at, radius)
	p.canvas.SetLineDash(nil, 0)
	p.canvas.SetLineWidth(rimWidth)
	p.canvas.SetColor(fill)
	p.canvas.Fill(path)
	p.canvas.SetColor(rim)
	p.canvas.Stroke(path)
}

// path returns the outline of a marker of about the area of a circle of the
// given radius.
func (s shape) path(at vg.Point, radius vg.Length) vg.Path {
	switch s {
	case square:
		return regular(at, radius*1.25, 4, math.Pi/4)
	case triangle:
		return regular(at, radius*1.45, 3, math.Pi/2)
	case diamond:
		return regular(at, radius*1.35, 4, math.Pi/2)
	case triangleDown:
		return regular(at, radius*1.45, 3, -math.Pi/2)
	case pentagon:
		return regular(at, radius*1.15, 5, math.Pi/2)
	case cross:
		return plus(at, radius*1.2, radius*0.45)
	case star:
		return stars(at, radius*1.5)
	}
	var path vg.Path
	path.Move(vg.Point{X: at.X + radius, Y: at.Y})
	path.Arc(at, radius, 0, 2*math.Pi)
	path.Close()
	return path
}

// regular is a polygon of n corners, the first one at angle start.
func regular(at vg.Point, radius vg.Length, n int, start float64) vg.Path {
	points := make([]vg.Point, n)
	for i := range points {
		points[i] = around(at, radius, start+2*math.Pi*float64(i)/float64(n))
	}
	return closed(points)
}

func stars(at vg.Point, radius vg.Length) vg.Path {
	points := make([]vg.Point, 10)
	for i := range points {
		r := radius
		if i%2 == 1 {
			r *= 0.45
		}
		points[i] = around(at, r, math.Pi/2+math.Pi*float64(i)/5)
	}
	return closed(points)
}

func plus(at vg.Point, long, short vg.Length) vg.Path {
	corners := []vg.Point{{X: short, Y: short}, {X: short, Y: long}, {X: -short, Y: long}, {X: -short, Y: short},
		{X: -long, Y: short}, {X: -long, Y: -short}, {X: -short, Y: -short}, {X: -short, Y: -long},
		{X: short, Y: -long}, {X: short, Y: -short}, {X: long, Y: -short}, {X: long, Y: short}}
	for i := range corners {
		corners[i] = corners[i].Add(at)
	}
	return closed(corners)
}

func around(at vg.Point, radius vg.Length, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
}

func closed(points []vg.Point) vg.Path {
	path := polyline(points)
	path.Close()
	return path
}
