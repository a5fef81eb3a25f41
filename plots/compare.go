package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// row is one strategy in a comparison.
type row struct {
	name      string
	look      look
	value     metrics.Estimate
	low, high float64 // the ends of its interval, NaN without one
	saturated results.Finding
}

// rowPlot is a body that compares strategies in one metric: a line to the value
// from zero, or a mark alone on a log axis.
type rowPlot struct {
	x      axis
	rows   []row
	format format
	target *target
}

const (
	rowHeight = vg.Length(30)
	barHeight = vg.Length(13)
)

// compareStrategies draws the metric of every strategy below each other.
func (m measure) compareStrategies(res *results.Results) Figure {
	plot := &rowPlot{format: m.value}
	var values []float64
	for i, s := range res.Series {
		if len(s.Points) == 0 {
			continue
		}
		r := row{name: seriesName(s), look: lookOf(i), value: estimate(s.Points[0], m.key), saturated: s.Points[0].Saturated}
		r.low, r.high = interval(s.Points[0], m.key)
		plot.rows = append(plot.rows, r)
		values = append(values, r.value.Mean, r.high)
	}
	notes := provenance(res, rowBand(plot.rows))
	if slo := commonSLO(res); m.bound(slo) > 0 && (!m.atLeast || hasSLO(slo)) {
		bound := m.bound(slo)
		if t := m.target(bound); isFar(values, bound) {
			notes = append(notes, t.label+" is off the scale")
		} else {
			plot.target, values = t, append(values, bound)
		}
	}
	notes = append(notes, saturationNotes("hollow", func(answer results.Finding) bool {
		return slices.ContainsFunc(plot.rows, func(r row) bool { return r.saturated == answer })
	})...)
	plot.x = m.rowAxis(values)
	return Figure{
		Name:     m.figure,
		Title:    orElse(m.spanClaim(plot.rows), m.title),
		Subtitle: subtitle(res, m.what),
		Notes:    notes,
		body:     plot,
	}
}

// rowBand is the mark that shows an interval, to be explained; "" where no strategy has
// one, of a single seed.
func rowBand(rows []row) string {
	if slices.ContainsFunc(rows, func(r row) bool { return finite(r.value.Half) }) {
		return "whisker"
	}
	return ""
}

// value writes a value with its unit.
func (m measure) value(v float64) string {
	if m.unit != "" {
		return units.Short(v) + " " + m.unit
	}
	return m.format(v)
}

// rowAxis begins at 0, so that the lengths of bars are in the ratio of their values,
// unless the values are too far apart for the small ones to be seen.
func (m measure) rowAxis(values []float64) axis {
	switch {
	case m.kind == percentAxis:
		return fractions()
	case m.kind <= rangeAxis && spread(values) >= wideRange:
		return logarithmic(values, m.format)
	default:
		return fromZero(values, m.format)
	}
}

// spanClaim says how far the strategies lie apart: "p99 TTFT:
// 410 ms with continuous, 3.4 s with static"; "" for one strategy, or when
// their intervals overlap.
func (m measure) spanClaim(rows []row) string {
	lowest, highest := -1, -1
	for i, r := range rows {
		if !finite(r.value.Mean) {
			continue
		}
		if lowest < 0 || r.value.Mean < rows[lowest].value.Mean {
			lowest = i
		}
		if highest < 0 || r.value.Mean > rows[highest].value.Mean {
			highest = i
		}
	}
	if lowest == highest || rows[lowest].value.High() >= rows[highest].value.Low() {
		return ""
	}
	best, worst := rows[lowest], rows[highest]
	if m.unit != "" || m.atLeast {
		best, worst = worst, best
	}
	return fmt.Sprintf("%s: %s with %s, %s with %s", m.brief, m.value(best.value.Mean), best.name, m.value(worst.value.Mean), worst.name)
}

func (c *rowPlot) frame(t typesetter, width vg.Length) frame {
	f := frame{height: max(vg.Length(len(c.rows))*rowHeight, 3*rowHeight)}
	for _, r := range c.rows {
		style := labelStyle
		f.left = max(f.left, t.widest(t.wrap(r.name, style, columnWidth, 2), style)+tickGap)
		f.right = max(f.right, t.width(c.format(r.value.Mean), valueStyle)+10)
	}
	f.below = bottomHeight(tickLines(t, c.x, width-f.left-f.right), c.x.title)
	if c.target != nil {
		f.above = 10
	}
	return f
}

func (c *rowPlot) draw(p pen, area vg.Rectangle) {
	pl := plane{x: c.x, area: area}
	for _, t := range c.x.ticks {
		x := pl.toX(t.value)
		p.line([]vg.Point{{X: x, Y: area.Min.Y}, {X: x, Y: area.Max.Y}}, gridWidth, gridGrey)
	}
	p.bottomAxis(pl)
	step := (area.Max.Y - area.Min.Y) / vg.Length(len(c.rows))
	for i, r := range c.rows {
		c.drawRow(p, pl, r, area.Max.Y-(vg.Length(i)+0.5)*step)
	}
	c.drawTarget(p, pl)
}

func (c *rowPlot) drawTarget(p pen, pl plane) {
	if c.target == nil {
		return
	}
	x := pl.toX(c.target.value)
	top := pl.area.Max.Y + 2
	p.line([]vg.Point{{X: x, Y: pl.area.Min.Y}, {X: x, Y: top}}, targetWidth, ink, 5, 3)
	w := p.width(c.target.label, valueStyle)
	x = min(x, pageWidth-pageMargin-w/2)
	p.haloText(vg.Point{X: x, Y: top + 6}, c.target.label, valueStyle, alignCentre)
}

// drawRow draws one strategy at height y.
func (c *rowPlot) drawRow(p pen, pl plane, r row, y vg.Length) {
	style := labelStyle.in(r.look.text)
	lines := p.wrap(r.name, style, columnWidth, 2)
	for i, line := range lines {
		dy := (vg.Length(len(lines)-1)/2 - vg.Length(i)) * style.size * lineSpacing
		p.text(vg.Point{X: pl.area.Min.X - tickGap, Y: y + dy}, line, style, alignRight)
	}
	x := pl.toX(r.value.Mean)
	if math.IsNaN(float64(x)) {
		p.text(vg.Point{X: pl.area.Min.X + dataInset, Y: y}, "no value", hintStyle, alignLeft)
		return
	}
	end := c.drawValue(p, pl, r, vg.Point{X: x, Y: y})
	p.haloText(vg.Point{X: end + 6, Y: y}, c.format(r.value.Mean), valueStyle.in(r.look.text), alignLeft)
}

// drawValue draws the value's bar, or its mark on a log axis, with the interval
// as a whisker, and returns where it ends.
func (c *rowPlot) drawValue(p pen, pl plane, r row, at vg.Point) vg.Length {
	end := at.X
	if !c.x.log {
		p.drawBar(pl.toX(0), at, r)
	}
	if lo, hi := pl.toX(max(r.low, c.x.min)), pl.toX(r.high); isPoint(vg.Point{X: lo, Y: hi}) {
		hi = min(hi, pl.area.Max.X)
		p.line([]vg.Point{{X: lo, Y: at.Y}, {X: hi, Y: at.Y}}, whiskerWidth, ink)
		end = max(end, hi)
	}
	if c.x.log {
		p.drawMarker(r.look, at, kneeRadius, r.saturated)
		end = max(end, at.X+kneeRadius)
	}
	return end
}

// drawBar draws a bar from zero to at, hollow where saturated, pale where
// nobody can tell.
func (p pen) drawBar(from vg.Length, at vg.Point, r row) {
	half := barHeight / 2
	corners := []vg.Point{{X: from, Y: at.Y - half}, {X: at.X, Y: at.Y - half}, {X: at.X, Y: at.Y + half}, {X: from, Y: at.Y + half}}
	switch r.saturated {
	case results.No:
		p.polygon(corners, r.look.line)
		return
	case results.Unknown:
		p.polygon(corners, alpha(r.look.line, fadedAlpha))
	default:
		p.polygon(corners, alpha(r.look.line, bandAlpha))
	}
	p.line(append(corners, corners[0]), 1.2, r.look.line)
}
