package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kneepoint/experiments/results"
)

// drawBand fills the intervals of neighbouring dots; on a log axis an interval that
// reaches zero ends at the bottom of the axis.
func (p pen) drawBand(c curve, pl plane) {
	var low, high []vg.Point
	fill := func() {
		area := append([]vg.Point(nil), high...)
		for i := len(low) - 1; i >= 0; i-- {
			area = append(area, low[i])
		}
		clip := draw.Canvas{Rectangle: pl.area}
		p.polygon(clip.ClipPolygonY(area), alpha(c.look.line, bandAlpha))
		low, high = nil, nil
	}
	for _, d := range c.dots {
		lo, hi := pl.interval(d)
		if !isPoint(lo) || !isPoint(hi) {
			fill()
			continue
		}
		low, high = append(low, lo), append(high, hi)
	}
	fill()
}

// drawCurve draws the line through the dots: faded and dashed around those that are
// saturated, half of the way to their neighbours, and interrupted where a dot has no
// value.
func (p pen) drawCurve(c curve, pl plane, room *clutter) {
	var run []vg.Point
	dashed := false
	flush := func() {
		if dashed {
			p.line(run, curveWidth, alpha(c.look.line, fadedAlpha), 4, 3)
		} else {
			p.line(run, curveWidth, c.look.line)
		}
		room.addLine(run)
	}
	for _, d := range c.dots {
		at := pl.at(d.x, d.y)
		if !isPoint(at) {
			flush()
			run = nil
			continue
		}
		if saturated := d.saturated == results.Yes; saturated != dashed {
			var middle []vg.Point
			if len(run) > 0 {
				middle = []vg.Point{run[len(run)-1].Add(at).Scale(0.5)}
			}
			run = append(run, middle...)
			flush()
			run, dashed = middle, saturated
		}
		run = append(run, at)
	}
	flush()
}

// maxDots is the number of dots of a curve that get a marker each.
const maxDots = 20

// drawDots draws the markers of a curve.
func (p pen) drawDots(c curve, pl plane, room *clutter) {
	every := (len(c.dots) + maxDots - 1) / maxDots
	for i, d := range c.dots {
		at := pl.at(d.x, d.y)
		if i%every != 0 || !isPoint(at) {
			continue
		}
		room.addMark(at, pointRadius)
		p.drawMarker(c.look, at, pointRadius, d.saturated)
	}
}

// drawMarker draws the marker of a value: hollow where it is of a saturated service,
// pale where nobody can tell.
func (p pen) drawMarker(l look, at vg.Point, radius vg.Length, saturated results.Finding) {
	switch saturated {
	case results.No:
		p.marker(l.shape, at, radius, l.line, paper, 0.7)
	case results.Unknown:
		p.marker(l.shape, at, radius, paler(l.line), l.line, 0.7)
	default:
		p.marker(l.shape, at, radius, paper, l.line, 1.2)
	}
}

// drawHints writes the swept values at about n dots, where there is room. Dots that
// lie on each other share one label, like "16–32".
func (p pen) drawHints(c curve, n int, pl plane, room *clutter) {
	style := hintStyle.in(c.look.text)
	every := (len(c.dots) + n - 1) / n
	for i := 0; i < len(c.dots); i++ {
		first := c.dots[i]
		at := pl.at(first.x, first.y)
		if first.hint == "" || !isPoint(at) {
			continue
		}
		text, wanted := first.hint, i%every == 0
		for i+1 < len(c.dots) && near(at, pl.at(c.dots[i+1].x, c.dots[i+1].y)) {
			i++
			text, wanted = first.hint+"–"+c.dots[i].hint, true
		}
		if wanted || i == len(c.dots)-1 {
			p.drawHint(at, text, style, room)
		}
	}
}

func (p pen) drawHint(at vg.Point, text string, style textStyle, room *clutter) {
	r, collision := room.freest(at, p.width(text, style)+2, style.size*1.1, distancesFrom(pointRadius+1.5, 2), aroundMark)
	if collision > 0.1 {
		return
	}
	p.haloText(centreOf(r), text, style, alignCentre)
	room.addBox(r)
}

// near says whether two dots' markers overlap.
func near(a, b vg.Point) bool {
	d := b.Sub(a)
	return math.Hypot(float64(d.X), float64(d.Y)) < 2*float64(pointRadius)
}
