package plots

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// target is a value of the y axis that the curves are held against.
type target struct {
	value float64
	label string
}

// curvePlot is a body of curves over a common axis.
type curvePlot struct {
	x, y   axis
	curves []curve
	target *target // nil without one
	ideal  string  // the name of the line y = x; "" for none
	last   float64 // where on the x axis curves end at the right; NaN where they end anywhere
	apart  bool    // the dots are of categories: nothing joins them
}

func (c *curvePlot) frame(t typesetter, width vg.Length) frame {
	f := frame{height: plotHeight}
	for _, tk := range c.y.ticks {
		f.left = max(f.left, t.width(tk.label, tickStyle)+tickGap)
	}
	var stacked vg.Length
	for _, l := range c.columnLabels(t) {
		f.right = max(f.right, leaderGap+swatchWidth+t.widest(l.lines, l.style))
		stacked += l.height()
	}
	f.height = max(f.height, stacked)
	f.below = bottomHeight(tickLines(t, c.x, width-f.left-f.right), c.x.title)
	return f
}

func (c *curvePlot) draw(p pen, area vg.Rectangle) {
	pl := plane{c.x, c.y, area}
	p.horizontalGrid(pl)
	p.bottomAxis(pl)
	room := &clutter{bounds: area}
	for _, cv := range c.curves {
		if c.apart {
			p.drawWhiskers(cv, pl)
		} else {
			p.drawBand(cv, pl)
		}
	}
	ideal := c.drawIdeal(p, pl)
	room.addLine(ideal)
	c.drawTarget(p, pl, room)
	for _, cv := range c.curves {
		if !c.apart {
			p.drawCurve(cv, pl, room)
		}
	}
	for _, cv := range c.curves {
		p.drawDots(cv, pl, room)
	}
	c.drawKnees(p, pl, room)
	c.drawNames(p, pl, room)
	c.labelKnees(p, pl, room)
	c.labelIdeal(p, ideal, room)
	for _, cv := range c.curves {
		p.drawHints(cv, max(2, maxHints/len(c.curves)), pl, room)
	}
}

// maxHints is about how many swept values are written along all curves.
const maxHints = 14

// drawIdeal draws the line y = x as far as it lies in the data area, and
// returns it.
func (c *curvePlot) drawIdeal(p pen, pl plane) []vg.Point {
	if c.ideal == "" {
		return nil
	}
	clip := draw.Canvas{Rectangle: pl.area}
	lines := clip.ClipLinesY(pl.diagonal())
	if len(lines) == 0 {
		return nil
	}
	p.line(lines[0], targetWidth, idealGrey)
	return lines[0]
}

// diagonal is the points of y = x at equal distances along the x axis.
func (pl plane) diagonal() []vg.Point {
	const steps = 64
	points := make([]vg.Point, 0, steps+1)
	for i := range steps + 1 {
		v := pl.x.value(float64(i) / steps)
		points = append(points, pl.at(v, v))
	}
	return points
}

func (c *curvePlot) labelIdeal(p pen, ideal []vg.Point, room *clutter) {
	if len(ideal) == 0 {
		return
	}
	w := p.width(c.ideal, hintStyle) + 2
	end := ideal[len(ideal)-1]
	r, _ := room.freest(end, w, hintStyle.size*1.2, distancesFrom(4, 6), []direction{{1, -1}, {-1, -1}, {-1, 0}, {1, 0}})
	p.haloText(centreOf(r), c.ideal, hintStyle, alignCentre)
	room.addBox(r)
}

func (c *curvePlot) drawTarget(p pen, pl plane, room *clutter) {
	if c.target == nil {
		return
	}
	y := pl.toY(c.target.value)
	line := []vg.Point{{X: pl.area.Min.X, Y: y}, {X: pl.area.Max.X, Y: y}}
	p.line(line, targetWidth, ink, 5, 3)
	room.addLine(line)
}

func (c *curvePlot) drawKnees(p pen, pl plane, room *clutter) {
	for _, cv := range c.curves {
		at, ok := cv.kneeAt(pl)
		if !ok {
			continue
		}
		p.drawKneeInterval(cv, at, pl)
		p.marker(cv.knee.shape, at, kneeRadius, cv.look.line, paper, 1.6)
		room.addMark(at, kneeRadius)
	}
}

// drawKneeInterval draws the interval of a knee beside its mark, where the x axis is that of
// the sweep, and as far as it is in the data area.
func (p pen) drawKneeInterval(c curve, at vg.Point, pl plane) {
	if from := c.dots[c.knee.from]; from.x != from.swept {
		return
	}
	low, high := pl.toX(c.knee.low), pl.toX(c.knee.high)
	if !isPoint(vg.Point{X: low, Y: at.Y}) || !isPoint(vg.Point{X: high, Y: at.Y}) {
		return
	}
	low, high = max(low, pl.area.Min.X), min(high, pl.area.Max.X)
	p.line([]vg.Point{{X: low, Y: at.Y}, {X: high, Y: at.Y}}, curveWidth, c.look.text)
	for _, x := range []vg.Length{low, high} {
		p.line([]vg.Point{{X: x, Y: at.Y - kneeRadius}, {X: x, Y: at.Y + kneeRadius}}, targetWidth, c.look.text)
	}
}

func (c *curvePlot) labelKnees(p pen, pl plane, room *clutter) {
	for _, cv := range c.curves {
		at, ok := cv.kneeAt(pl)
		if !ok {
			continue
		}
		style := valueStyle.in(cv.look.text)
		r, _ := room.freest(at, p.width(cv.knee.label, style)+3, style.size*1.15, distancesFrom(kneeRadius+1.5, 5, 11, 18, 26), aroundMark)
		p.haloText(centreOf(r), cv.knee.label, style, alignCentre)
		room.addBox(r)
	}
}

// kneeAt returns where the curve's knee is drawn.
func (c curve) kneeAt(pl plane) (vg.Point, bool) {
	if c.knee == nil {
		return vg.Point{}, false
	}
	from := c.dots[c.knee.from]
	at := pl.at(from.x, from.y)
	if c.knee.t > 0 {
		to := c.dots[c.knee.from+1]
		at = at.Add(pl.at(to.x, to.y).Sub(at).Scale(vg.Length(c.knee.t)))
	}
	if finite(c.knee.target) {
		at.Y = pl.at(from.x, c.knee.target).Y
	}
	return at, isPoint(at)
}

// end returns where the curve's last dot is drawn.
func (c curve) end(pl plane) (vg.Point, bool) {
	for _, d := range slices.Backward(c.dots) {
		if at := pl.at(d.x, d.y); isPoint(at) {
			return at, true
		}
	}
	return vg.Point{}, false
}
