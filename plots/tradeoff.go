package plots

import (
	"slices"
	"strings"
	"unicode"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// tradeoffFigure draws a metric against another one, such as what the service delivers
// against what a request waits for, along the first swept variable where there is one.
// Rates per accelerator, dollar or watt are drawn against the rate at which a user gets
// tokens, the inverse of the TPOT.
func tradeoffFigure(r *request) (Figure, bool) {
	res := r.res
	s, swept := newSweep(res)
	if !hasValues(res, r.X) || !hasValues(res, r.Metric) || !swept && len(res.Series) < 2 {
		return Figure{}, false
	}
	across, up := r.measure(r.X), r.measure(r.Metric)
	xBetter, yBetter := preferred(r.X), preferred(r.Metric)
	body := &curvePlot{curves: curvesAgainst(res, s, r.X, r.Metric), yTitle: up.axisTitle()}
	var offRight, offUp []string
	body.across, _, offRight = across.withTargets(res, r.By, xs(body.curves))
	body.targets, _, offUp = up.withTargets(res, r.By, ys(body.curves))
	if r.Per != "" && strings.HasSuffix(r.X, "_tpot_ms") {
		across, xBetter = across.interactivity(), more
		body.invert(across)
	}
	body.labelKnees(s, r.X)
	body.xTitle = across.axisTitle()
	body.x = across.axis(append(xs(body.curves), bounds(body.across)...), false)
	body.y = up.axis(append(ys(body.curves), bounds(body.targets)...), false)
	marks := slices.Concat(body.frontNotes(xBetter, yBetter), costNotes(res, across, up), curveNotes(res, body.curves, s), offRight, offUp)
	if swept {
		marks = append(marks, "numbers along the curves: "+withUnit(s.name(), s.variable.Unit))
	}
	return Figure{
		Title:    up.title + " against " + inside(across.brief),
		Subtitle: subtitle(res, better(xBetter, yBetter)),
		Notes:    notes(res, "", slices.Concat(marks, hiddenCurves(body.curves, s), offLog(body.curves, isLog(body.x), isLog(body.y)))...),
		Data:     againstTable(body.curves, s, across, up),
		body:     body,
	}, true
}

// invert draws rates instead of times in ms along the x axis.
func (c *curvePlot) invert(rate measure) {
	for _, cv := range c.curves {
		for i := range cv.dots {
			cv.dots[i].x = 1e3 / cv.dots[i].x
		}
	}
	for i, t := range c.across {
		c.across[i] = target{1e3 / t.value, "SLO ≥ " + rate.value(1e3/t.value)}
	}
}

// labelKnees gives the knees their unit. Against the attainment there are none: the line
// between two dots meets the target elsewhere.
func (c *curvePlot) labelKnees(s sweep, xKey string) {
	for i := range c.curves {
		switch k := c.curves[i].knee; {
		case xKey == metrics.Attainment:
			c.curves[i].knee = nil
		case k != nil && s.variable.Unit != "":
			k.label += " " + s.variable.Unit
		}
	}
}

// frontNotes adds the Pareto front where it can be said what is better, and explains it.
func (c *curvePlot) frontNotes(x, y preference) []string {
	if x == indifferent || y == indifferent {
		return nil
	}
	if c.front = markFront(c.curves, x, y); len(c.front.XYs) < 2 {
		return nil
	}
	return []string{"grey steps: Pareto front, the points that no other beats in both"}
}

// inside is a name within a sentence; abbreviations stay as they are.
func inside(name string) string {
	if len(name) > 1 && unicode.IsLower(rune(name[1])) {
		return strings.ToLower(name[:1]) + name[1:]
	}
	return name
}

// bounds are the values of lines.
func bounds(targets []target) []float64 {
	var values []float64
	for _, t := range targets {
		values = append(values, t.value)
	}
	return values
}

// interactivity is how the inverse of a TPOT is shown: the tokens that a user gets in a
// second, as InferenceMAX plots what an accelerator yields against it.
func (m measure) interactivity() measure {
	return measure{key: "interactivity", title: "Interactivity", brief: "interactivity", what: "interactivity, 1 / " + m.brief,
		unit: "tok/s/user", format: exact, kind: rangeAxis, bound: noBound}
}

// tradeoffs are the default figures of what a service yields against what its users wait
// for. Where deployments differ in their size, it is what an accelerator yields; where
// their accelerators differ in price, it is what the tokens cost, too. Strategies that
// differ in neither are compared by bars where nothing is swept.
func tradeoffs(res *results.Results, swept bool) []results.PlotSpec {
	var specs []results.PlotSpec
	add := func(metric, per, file string) {
		specs = append(specs, results.PlotSpec{Kind: results.PlotTradeoff, X: metrics.MedianTPOT, Metric: metric, Per: per, File: file})
	}
	switch {
	case acceleratorsDiffer(res):
		add(metrics.OutputThroughput, results.PerAccelerator, "throughput-per-accelerator")
	case swept:
		add(metrics.OutputThroughput, "", "throughput-vs-tpot")
	}
	if pricesDiffer(res) {
		add(metrics.CostPerMillionTokens, "", "cost-vs-tpot")
	}
	return specs
}
