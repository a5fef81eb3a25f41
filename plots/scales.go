package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// sloScale draws the share of the requests that would meet the objective if all its bounds
// were multiplied by a factor, at one place on every curve.
func sloScale(r *request) (Figure, bool) {
	res := r.res
	m := measureOf(res, metrics.Attainment)
	body := &curvePlot{yTitle: m.axisTitle(), xTitle: "Bounds of the SLO, multiplied by", across: []target{{1, "SLO"}}}
	data := Table{Header: []string{"curve", "at", "scale", metrics.Attainment, "low", "high"}}
	for i := range res.Series {
		series := &res.Series[i]
		p := res.PointShown(series, r.At)
		if p == nil || len(p.ByScale) == 0 {
			continue
		}
		c := scaleCurve(p, i)
		for _, d := range c.dots {
			data.add(seriesName(*series), p.Value.String(), number(d.x), number(d.y), number(d.low), number(d.high))
		}
		c.name = r.nameAt(series, p)
		body.curves = append(body.curves, c)
	}
	if len(body.curves) == 0 {
		return Figure{}, false
	}
	body.x = func(a *plot.Axis) { chart.Swept(a, octaves(body.curves), true, factorIn(units.Short)) }
	body.y = m.axis(nil, true)
	body.targets, _, _ = m.withTargets(res, "", ys(body.curves))
	marks := saturationNotes("hollow, dashed", func(answer results.Finding) bool { return anySaturated(body.curves, answer) })
	marks = append(marks, r.placeNotes()...)
	title := "SLO attainment by the scale of the SLO" + r.where()
	return Figure{
		Title:    title,
		Subtitle: subtitle(res, ""),
		Notes:    notes(res, bandOf(body.curves, body.apart), append(marks, hiddenCurves(body.curves, scales)...)...),
		Data:     data,
		body:     body,
	}, true
}

// scales are along the x axis as a swept variable would be.
var scales = sweep{variable: results.Axis{Label: "times the SLO"}}

// scaleCurve is the attainment of a point by the scale of the objective.
func scaleCurve(p *results.Point, look int) curve {
	c := curve{look: look}
	for _, at := range p.ByScale {
		e := at.Attainment
		c.dots = append(c.dots, dot{swept: units.Round(at.Scale, 3), x: at.Scale, y: e.Mean, low: max(e.Low(), 0), high: min(e.High(), 1),
			saturated: saturation(*p)})
	}
	return c
}

// octaves are the scales that are powers of two.
func octaves(curves []curve) []float64 {
	return slices.DeleteFunc(distinct(xs(curves)), func(x float64) bool { return math.Log2(x) != math.Round(math.Log2(x)) })
}
