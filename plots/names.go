package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// columnLabel is a label at the right of the data area.
type columnLabel struct {
	lines  []string
	style  textStyle
	end    vg.Point // what it names
	weight float64  // how much it minds being moved away from there
	look   *look    // of a curve; nil for the target
}

func (l columnLabel) height() vg.Length {
	return blockHeight(len(l.lines), l.style) + labelGap
}

// targetWeight keeps the target's label at its line when others crowd it.
const targetWeight = 1000

// columnLabels are the names of all curves and of the target, without positions.
func (c *curvePlot) columnLabels(t typesetter) []columnLabel {
	var labels []columnLabel
	for i := range c.curves {
		labels = append(labels, curveLabel(t, &c.curves[i]))
	}
	if c.target != nil {
		labels = append(labels, columnLabel{lines: []string{c.target.label}, style: labelStyle, weight: targetWeight})
	}
	return labels
}

func curveLabel(t typesetter, c *curve) columnLabel {
	style := labelStyle.in(c.look.text)
	return columnLabel{lines: t.wrap(c.name, style, columnWidth, 3), style: style, weight: 1, look: &c.look}
}

// drawNames writes the name of every curve: in the column at the right where
// the curve ends there, beside its end where it ends inside. Where that cannot
// be done without collisions the column becomes a legend of all curves.
func (c *curvePlot) drawNames(p pen, pl plane, room *clutter) {
	var column, inside []columnLabel
	for i := range c.curves {
		end, ok := c.curves[i].end(pl)
		if !ok {
			continue
		}
		l := curveLabel(p.typesetter, &c.curves[i])
		l.end = end
		if end.X >= pl.toX(c.last)-1 {
			column = append(column, l)
		} else {
			inside = append(inside, l)
		}
	}
	legend := !p.insideNames(inside, pl, room, len(column) == 0 && c.target == nil)
	if legend {
		column = append(column, inside...)
	}
	if c.target != nil {
		end := vg.Point{X: pl.area.Max.X, Y: pl.toY(c.target.value)}
		column = append(column, columnLabel{[]string{c.target.label}, labelStyle, end, targetWeight, nil})
	}
	if n := len(column) - 1; c.target != nil && displacement(column, pl)[n] > atEnd {
		p.insideTarget(column[n], room)
		column, legend = column[:n], true
	}
	p.drawColumn(column, pl, legend)
}

// insideTarget writes the target's label above or below the end of its line,
// where the column has no room for it.
func (p pen) insideTarget(l columnLabel, room *clutter) {
	box, _ := room.freest(l.end, p.widest(l.lines, l.style)+3, l.height(), distancesFrom(1, 4), []direction{{-1, 1}, {-1, -1}})
	p.haloText(centreOf(box), l.lines[0], l.style, alignCentre)
	room.addBox(box)
}

// insideNames writes labels at the ends of their curves, all or none.
func (p pen) insideNames(labels []columnLabel, pl plane, room *clutter, rightIsFree bool) bool {
	trial := *room
	if rightIsFree {
		trial.bounds.Max.X = pageWidth - pageMargin
	}
	boxes := make([]vg.Rectangle, len(labels))
	for i, l := range labels {
		box, collision := trial.freest(l.end, p.widest(l.lines, l.style)+3, l.height(), distancesFrom(pointRadius+2, 5), aroundEnd)
		if collision > 0.04 {
			return false
		}
		trial.addBox(box)
		boxes[i] = box
	}
	for i, l := range labels {
		at := vg.Point{X: boxes[i].Min.X + 1.5, Y: boxes[i].Max.Y - labelGap/2}
		p.block(at, l.lines, l.style)
		room.addBox(boxes[i])
	}
	return true
}

// drawColumn writes labels below each other at the right of the data area, each as
// near to its curve's end as the others allow. Where one had to move, thin lines
// tie the labels to their ends; when one moved too far, or legend is asked for,
// all get a swatch of their curve instead.
func (p pen) drawColumn(labels []columnLabel, pl plane, legend bool) {
	centres := arrangeLabels(labels, pl)
	moved := vg.Length(0)
	for i, d := range displacement(labels, pl) {
		if labels[i].look != nil {
			moved = max(moved, d)
		}
	}
	legend = legend || moved > legendShift
	gap := nameGap
	if legend || moved > atEnd {
		gap = leaderGap
	}
	for i, l := range labels {
		p.drawColumnLabel(l, vg.Point{X: pl.area.Max.X + gap, Y: centres[i]}, pl, legend)
	}
}

// arrangeLabels returns the heights of the labels' centres.
func arrangeLabels(labels []columnLabel, pl plane) []vg.Length {
	slots := make([]slot, len(labels))
	for i, l := range labels {
		slots[i] = slot{l.end.Y, l.height(), l.weight}
	}
	return arrange(slots, pl.area.Min.Y, pl.area.Max.Y+labelStyle.size)
}

// displacement returns how far each label is from its end's height.
func displacement(labels []columnLabel, pl plane) []vg.Length {
	moved := make([]vg.Length, len(labels))
	for i, centre := range arrangeLabels(labels, pl) {
		moved[i] = vg.Length(math.Abs(float64(centre - labels[i].end.Y)))
	}
	return moved
}

// atEnd is the displacement up to which a label is at its curve's end.
const atEnd = vg.Length(2)

// drawColumnLabel writes a label with its left at at, and what ties it to its curve.
func (p pen) drawColumnLabel(l columnLabel, at vg.Point, pl plane, legend bool) {
	switch {
	case l.look == nil:
		at.X = pl.area.Max.X + nameGap
	case legend:
		p.drawSwatch(at, *l.look)
		at.X += swatchWidth
	default:
		p.drawLeader(l.end, at, *l.look)
	}
	p.block(vg.Point{X: at.X, Y: at.Y + blockHeight(len(l.lines), l.style)/2}, l.lines, l.style)
}

func (p pen) drawSwatch(at vg.Point, l look) {
	right := at.Add(vg.Point{X: swatchWidth - 6})
	p.line([]vg.Point{at, right}, curveWidth, l.line)
	p.marker(l.shape, vg.Point{X: (at.X + right.X) / 2, Y: at.Y}, pointRadius, l.line, paper, 0.7)
}

// drawLeader ties a label at at to the end of its curve, unless it is there.
func (p pen) drawLeader(end, at vg.Point, l look) {
	if math.Abs(float64(at.Y-end.Y)) <= float64(atEnd) && at.X-end.X < leaderGap {
		return
	}
	from := vg.Point{X: end.X + pointRadius + 1.5, Y: end.Y}
	p.line([]vg.Point{from, {X: at.X - 1.5, Y: at.Y}}, leaderWidth, alpha(l.line, 0.7))
}
