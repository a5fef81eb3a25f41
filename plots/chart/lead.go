package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// farOff is the distance from which on a name inside of the plot has a line to its curve's end, in sizes of the text.
const farOff = 0.8

// leadOf is the line from the end of a curve to a name that stands away from it; false of one that does not.
func (l *Labels) leadOf(n placed, box vg.Rectangle) (from, to vg.Point, ok bool) {
	to = vg.Point{X: min(max(n.at.X, box.Min.X), box.Max.X), Y: min(max(n.at.Y, box.Min.Y), box.Max.Y)}
	way := to.Sub(n.at)
	length := vg.Length(math.Hypot(float64(way.X), float64(way.Y)))
	if length < n.Gap+l.style.Em(farOff) {
		return from, to, false
	}
	return n.at.Add(way.Scale((n.Gap + l.style.Em(0.15)) / length)), to, true
}

// crossed is the cost of the labels and dots that the line to a name crosses: of each as much as of a few letters over a curve, for
// which names are not yet too crowded.
func (l *Labels) crossed(n placed, box vg.Rectangle, others []vg.Rectangle) float64 {
	const each = 0.03
	from, to, ok := l.leadOf(n, box)
	if !ok {
		return 0
	}
	cost := 0.0
	for _, other := range others {
		if crosses(from, to, other) {
			cost += each
		}
	}
	return cost
}

// lead draws a thin line from the end of a curve to a name that stands away from it, which later labels do not cover.
func (l *Labels) lead(c draw.Canvas, n placed, box vg.Rectangle, room *clutter) {
	from, to, ok := l.leadOf(n, box)
	if !ok {
		return
	}
	c.StrokeLine2(l.style.Stroke(6, n.Color), from.X, from.Y, to.X, to.Y)
	room.boxes = append(room.boxes, vg.Rectangle{Min: vg.Point{X: min(from.X, to.X), Y: min(from.Y, to.Y)},
		Max: vg.Point{X: max(from.X, to.X), Y: max(from.Y, to.Y)}})
}
