package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// frame is the room that a body needs around and inside its data area.
type frame struct {
	left, right, above, below vg.Length
	height                    vg.Length // of the data area
}

// body is what a figure shows between its title and its footer.
type body interface {
	// frame lays the body out for a page of the given inner width.
	frame(t typesetter, width vg.Length) frame
	// draw draws the body; area is the data area.
	draw(p pen, area vg.Rectangle)
}

// plane maps values of two axes to points in the data area.
type plane struct {
	x, y axis
	area vg.Rectangle
}

func (p plane) at(x, y float64) vg.Point { return vg.Point{X: p.toX(x), Y: p.toY(y)} }

// interval is the ends of a dot's interval; on a logarithmic axis it begins where
// the axis does.
func (p plane) interval(d dot) (low, high vg.Point) {
	bottom := d.low
	if p.y.log {
		bottom = max(bottom, p.y.min)
	}
	return p.at(d.x, bottom), p.at(d.x, d.high)
}

func (p plane) toX(v float64) vg.Length {
	w := p.area.Max.X - p.area.Min.X - 2*dataInset
	return p.area.Min.X + dataInset + vg.Length(p.x.at(v))*w
}

func (p plane) toY(v float64) vg.Length {
	return p.area.Min.Y + vg.Length(p.y.at(v))*(p.area.Max.Y-p.area.Min.Y)
}

// isPoint says whether a point has both coordinates.
func isPoint(p vg.Point) bool {
	return !math.IsNaN(float64(p.X)) && !math.IsNaN(float64(p.Y))
}

// horizontalGrid draws a light line at every tick of the y axis, with its label
// at the left.
func (p pen) horizontalGrid(pl plane) {
	for _, t := range pl.y.ticks {
		y := pl.toY(t.value)
		p.line([]vg.Point{{X: pl.area.Min.X, Y: y}, {X: pl.area.Max.X, Y: y}}, gridWidth, gridGrey)
		p.text(vg.Point{X: pl.area.Min.X - tickGap, Y: y}, t.label, tickStyle, alignRight)
	}
}

// bottomAxis draws the x axis: a line, tick marks, labels and the title.
func (p pen) bottomAxis(pl plane) {
	left, right := pl.area.Min, vg.Point{X: pl.area.Max.X, Y: pl.area.Min.Y}
	p.line([]vg.Point{left, right}, axisWidth, axisGrey)
	labels := tickLines(p.typesetter, pl.x, right.X-left.X)
	for _, l := range spaced(p.typesetter, labels, pl) {
		x := pl.toX(l.value)
		p.line([]vg.Point{{X: x, Y: left.Y}, {X: x, Y: left.Y - tickMark}}, axisWidth, axisGrey)
		for i, text := range l.lines {
			y := left.Y - tickMark - 3 - (vg.Length(i)+0.5)*tickStyle.size*lineSpacing
			p.text(vg.Point{X: x, Y: y}, text, tickStyle, alignCentre)
		}
	}
	if pl.x.title == "" {
		return
	}
	y := left.Y - bottomHeight(labels, pl.x.title) + axisStyle.size*lineSpacing/2
	p.text(vg.Point{X: (left.X + right.X) / 2, Y: y}, pl.x.title, axisStyle, alignCentre)
}

// tickLabel is a tick's label, broken into lines.
type tickLabel struct {
	value float64
	lines []string
}

// tickLines breaks the labels of an axis so that they fit beside each other.
func tickLines(t typesetter, a axis, width vg.Length) []tickLabel {
	labels := make([]tickLabel, len(a.ticks))
	room := max(width/vg.Length(len(a.ticks)+1), 40)
	for i, tk := range a.ticks {
		labels[i] = tickLabel{tk.value, t.wrap(tk.label, tickStyle, room, 2)}
	}
	return labels
}

// bottomHeight is the room for tick labels and title below the data area.
func bottomHeight(labels []tickLabel, title string) vg.Length {
	lines := 1
	for _, l := range labels {
		lines = max(lines, len(l.lines))
	}
	height := tickMark + 3 + blockHeight(lines, tickStyle)
	if title != "" {
		height += 5 + blockHeight(1, axisStyle)
	}
	return height
}

// spaced keeps the labels that do not touch the label before them; the last one
// stays.
func spaced(t typesetter, labels []tickLabel, pl plane) []tickLabel {
	kept := labels[:0:0]
	half := func(l tickLabel) vg.Length { return t.widest(l.lines, tickStyle) / 2 }
	touches := func(a, b tickLabel) bool {
		return pl.toX(b.value)-half(b) < pl.toX(a.value)+half(a)+5
	}
	for i, l := range labels {
		last := i == len(labels)-1
		for last && len(kept) > 1 && touches(kept[len(kept)-1], l) {
			kept = kept[:len(kept)-1]
		}
		if len(kept) == 0 || !touches(kept[len(kept)-1], l) {
			kept = append(kept, l)
		}
	}
	return kept
}
