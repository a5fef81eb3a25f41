package plots

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// latencyMeasure is one of the latencies that runs have the distribution of.
func latencyMeasure(name string) measure {
	bounds := map[string]func(results.SLO) float64{
		"ttft": func(s results.SLO) float64 { return s.TTFTms },
		"tpot": func(s results.SLO) float64 { return s.TPOTms },
		"e2el": func(s results.SLO) float64 { return s.E2ELms },
		"itl":  noBound,
	}
	what := latencies[name]
	return measure{key: metrics.PercentileKey(name, 50), title: capitalise(what), brief: strings.ToUpper(name), what: what,
		format: latency, kind: logAxis, bound: bounds[name]}
}

// quantile is a percentile of a latency, and the metric that has it.
type quantile struct {
	percentile float64
	key        string
}

// quantilesAt are percentiles, and the one that the objective asks for, in ascending order.
func quantilesAt(slo results.SLO, latency string, percentiles []float64) []quantile {
	var all []quantile
	for _, p := range percentiles {
		all = append(all, quantile{p, metrics.PercentileKey(latency, p)})
	}
	if p := askedFor(slo); finite(p) && latency != "itl" && !slices.Contains(percentiles, p) {
		all = append(all, quantile{p, slo.Key(latency)})
	}
	slices.SortFunc(all, func(a, b quantile) int { return cmp.Compare(a.percentile, b.percentile) })
	return all
}

// askedFor is the percentile that has to keep the bounds; NaN without an objective.
func askedFor(slo results.SLO) float64 {
	if !hasSLO(slo) || slo.Attainment <= 0 {
		return math.NaN()
	}
	return units.Round(100*slo.Attainment, 9)
}

// nines is where a percentile lies on an axis with as much room for the last tenth as for
// the last hundredth: -log10(1 - p/100).
func nines(percentile float64) float64 { return -math.Log10(1 - percentile/100) }

// distributionFigure draws the distribution of a latency at one place on every curve: its
// percentiles, with as much room for the slowest requests as for all others.
func distributionFigure(r *request) (Figure, bool) {
	res, m, slo := r.res, latencyMeasure(r.Metric), commonSLO(r.res)
	data := Table{Header: []string{"curve", "at", "percentile", r.Metric, "unit", "low", "high"}}
	quantiles := slices.DeleteFunc(quantilesAt(slo, r.Metric, metrics.Distribution), func(q quantile) bool { return q.percentile >= 100 })
	body := &curvePlot{xTitle: "Percentile of the requests", yTitle: capitalise(m.what)}
	if r.Metric == "itl" {
		body.xTitle = "Percentile of the gaps between tokens"
	}
	for i := range res.Series {
		s := &res.Series[i]
		p := res.PointShown(s, r.At)
		if p == nil {
			continue
		}
		c := curve{name: r.nameAt(s, p), look: i}
		for _, q := range quantiles {
			if d := dotOf(p, q); finite(d.y) { // the axis has places for those between
				c.dots = append(c.dots, d)
				data.add(c.name, p.Value.String(), number(q.percentile), number(d.y), "ms", number(d.low), number(d.high))
			}
		}
		if hasDots(c) {
			body.curves = append(body.curves, c)
		}
	}
	if len(body.curves) == 0 {
		return Figure{}, false
	}
	targets, values, marks := m.withTargets(res, r.By, valuesToCover(body.curves))
	body.targets, body.x, body.y = targets, ninesAxis(body.curves), m.axis(values, false)
	if p := askedFor(slo); finite(p) && p < 100 && len(targets) > 0 {
		body.across = []target{{nines(p), "SLO: " + metrics.PercentileName(p)}}
	}
	marks = append(marks, r.placeNotes()...)
	marks = append(marks, saturationNotes("hollow, dashed", func(answer results.Finding) bool { return anySaturated(body.curves, answer) })...)
	title := "Distribution of the " + m.what + r.where()
	return Figure{Title: title, Subtitle: subtitle(res, ""), Data: data, body: body,
		Notes: notes(res, bandOf(body.curves, body.apart), append(marks, offLog(body.curves, false, true)...)...)}, true
}

// dotOf is a percentile of a point.
func dotOf(p *results.Point, q quantile) dot {
	d := dot{x: nines(q.percentile), y: estimate(*p, q.key).Mean, saturated: saturation(*p)}
	d.low, d.high = p.Interval(q.key)
	return d
}

// ninesAxis is an axis of percentiles with a tick for each further nine.
func ninesAxis(curves []curve) scaling {
	return func(a *plot.Axis) {
		lo, hi := chart.Extent(xs(curves), false) // of dots that have a value
		a.Scale, a.Min, a.Max = plot.LinearScale{}, lo, max(hi, lo+0.5)
		var ticks []float64
		names := map[float64]string{}
		for _, p := range []float64{10, 50, 90, 99, 99.9} {
			if at := nines(p); at >= a.Min && at <= a.Max+1e-9 {
				ticks, names[at] = append(ticks, at), metrics.PercentileName(p)
			}
		}
		a.Tick.Marker = chart.Ticks(ticks, func(v float64) string { return names[v] })
	}
}
