package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// measure is a metric that gets a figure of its own.
type measure struct {
	figure  string // name of the figure
	key     string // of the metric
	title   string // neutral
	brief   string // for claims
	what    string // of the axis
	unit    string // of values
	per     string // what they are divided by, as part of a unit
	format  format
	kind    axisKind
	bound   func(results.SLO) float64 // the objective, 0 for none
	atLeast bool                      // the objective is a lower bound
}

// axisKind says how the values of a metric are spread over their axis.
type axisKind int

const (
	logAxis     axisKind = iota
	rangeAxis            // linear from zero, logarithmic over a wide range
	amountAxis           // as the x axis is: what grows with a load is straight along it
	percentAxis          // 0 to 100 %
)

// wideRange is the ratio of greatest to least value from which a rangeAxis is
// logarithmic.
const wideRange = 10

func noBound(results.SLO) float64 { return 0 }

// percentileOf is the key of a latency's percentile that the objective asks for, and its
// name: with 90 % of the requests to be served in time, p90 crosses the bound where it alone
// is met up to. Without an objective it is p99.
func percentileOf(slo results.SLO, latency string) (key, name string) {
	percentile := askedFor(slo)
	if !finite(percentile) {
		percentile, slo.Attainment = 99, 0.99
	}
	return slo.Key(latency), metrics.PercentileName(percentile)
}

// measures are the metrics that get figures, in the order in which they are read.
func measures(res *results.Results) []measure {
	slo := commonSLO(res)
	ttft, percentile := percentileOf(slo, "ttft")
	tpot, _ := percentileOf(slo, "tpot")
	return []measure{
		{
			figure: "ttft-" + percentile,
			key:    ttft,
			title:  capitalise(percentile) + " time to first token",
			brief:  percentile + " TTFT",
			what:   percentile + " time to first token",
			format: latency,
			kind:   logAxis,
			bound:  func(s results.SLO) float64 { return s.TTFTms },
		},
		{
			figure: "tpot-" + percentile,
			key:    tpot,
			title:  capitalise(percentile) + " time per output token",
			brief:  percentile + " TPOT",
			what:   percentile + " time per output token",
			format: latency,
			kind:   rangeAxis,
			bound:  func(s results.SLO) float64 { return s.TPOTms },
		},
		{
			figure: "output-throughput",
			key:    metrics.OutputThroughput,
			title:  "Output throughput",
			brief:  "Output throughput",
			what:   "output throughput",
			unit:   "tok/s",
			format: exact,
			kind:   amountAxis,
			bound:  noBound,
		},
		{
			figure: "goodput",
			key:    metrics.Goodput,
			title:  "Goodput",
			brief:  "Goodput",
			what:   "requests that meet the SLO",
			unit:   "req/s",
			format: exact,
			kind:   amountAxis,
			bound:  noBound,
		},
		{
			figure:  "slo-attainment",
			key:     metrics.Attainment,
			title:   "SLO attainment",
			brief:   "SLO attainment",
			what:    "requests that meet the SLO",
			format:  percent,
			kind:    percentAxis,
			bound:   func(s results.SLO) float64 { return s.Attainment },
			atLeast: true,
		},
	}
}

// measureOf is how a metric is shown.
func measureOf(res *results.Results, key string) measure {
	all := measures(res)
	if i := slices.IndexFunc(all, func(m measure) bool { return m.key == key }); i >= 0 {
		return all[i]
	}
	d, _ := metrics.Lookup(key)
	name := nameOf(d)
	m := measure{key: key, title: capitalise(name), brief: d.Label(), what: name, unit: unitOf(d.Unit),
		format: exact, kind: rangeAxis, bound: noBound}
	switch {
	case d.Kind == metrics.Ratio:
		m.format, m.kind = percent, percentAxis
	case d.Unit == "ms":
		m.format, m.unit = latency, ""
	case m.unit == "$":
		m.format, m.unit = dollars, ""
	case d.IsRate():
		m.kind = amountAxis
	}
	return m
}

// axisTitle is what the values are, with their unit where ticks do not have it.
func (m measure) axisTitle() string { return withUnit(capitalise(m.what), m.unit) }

// dataUnit is the unit of the values as they are in results.
func (m measure) dataUnit() string {
	d, known := metrics.Lookup(m.key)
	if !known {
		return m.unit
	}
	return d.Unit + m.per
}

// isGoodput tells whether the metric is the part of the swept rate that is good.
func (m measure) isGoodput(s sweep) bool {
	return m.key == metrics.Goodput && m.per == "" && s.isRate()
}

// overSweep draws the metric over the first swept variable.
func (m measure) overSweep(res *results.Results, s sweep, by string) Figure {
	if m.kind == amountAxis {
		s = s.forAmounts()
	}
	curves := curvesOver(res, s, m.key)
	if m.isGoodput(s) {
		raiseKnees(res, curves, goodputAtKnee)
	}
	targets, values, offScale := m.withTargets(res, by, valuesToCover(curves))
	y := m.axis(values, s.log)
	body := &curvePlot{x: s.axis(), y: y, xTitle: s.title(), yTitle: m.axisTitle(), curves: curves, targets: targets,
		apart: s.categories != nil}
	if m.isGoodput(s) {
		body.offered = offeredLoad(res, s)
	}
	var hidden []string
	if m.kind == logAxis || m.kind == rangeAxis { // throughput is alike wherever all is served
		hidden = hiddenCurves(curves, s)
	}
	log, plain := isLog(y), m.title+" by "+s.name()
	title := cmp.Or(m.claim(res, s), plain)
	if by == results.ByClass {
		plain += " and class of requests"
		title = plain
	}
	return Figure{
		Name:       m.figure,
		Title:      title,
		plainTitle: plain,
		Subtitle:   subtitle(res, ""),
		Notes: notes(res, bandOf(curves, body.apart), slices.Concat(costNotes(res, m), curveNotes(res, curves, s), hidden, offScale,
			offLog(curves, isLog(s.axis()), log))...),
		Data: curveTable(curves, s, m.key, m.dataUnit()),
		body: body,
	}
}

// offeredLoad is the rate that the runs offered at each swept rate: with short runs, or a
// rate that drifts, it is another one. With a linear axis it begins at 0.
func offeredLoad(res *results.Results, s sweep) plotter.XYs {
	var line plotter.XYs
	if !s.log {
		line = plotter.XYs{{}}
	}
	for _, p := range res.Series[0].Points {
		if rate := estimate(p, metrics.OfferedRate).Mean; finite(rate) && rate > 0 {
			line = append(line, plotter.XY{X: s.x(p.Value), Y: rate})
		}
	}
	slices.SortFunc(line, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return line
}

// isLog tells whether a scaling makes an axis logarithmic.
func isLog(scale scaling) bool {
	a := plot.New().X
	scale(&a)
	return chart.IsLog(&a)
}

// axis is that of the metric's values, beside a logarithmic axis of what was swept or
// another.
func (m measure) axis(values []float64, sweptLog bool) scaling {
	switch {
	case m.kind == percentAxis:
		return func(a *plot.Axis) { chart.Fractions(a, m.format) }
	case m.kind == logAxis || m.kind == rangeAxis && spread(values) >= wideRange || m.kind == amountAxis && sweptLog:
		return func(a *plot.Axis) { chart.Log(a, values, m.format) }
	default:
		return func(a *plot.Axis) { chart.FromZero(a, values, m.format) }
	}
}

// spread returns the ratio of the greatest to the least positive value; 1 when there is
// none.
func spread(values []float64) float64 {
	lo, hi := chart.Extent(values, true)
	if !(hi > 0) {
		return 1
	}
	return hi / lo
}

// claim is the finding that the figure shows; "" where there is none to state. A bound of
// one metric has no paired interval, so that strategies are not ranked by it, and the best
// of all categories says nothing of the others.
func (m measure) claim(res *results.Results, s sweep) string {
	switch {
	case m.figure == "":
		return ""
	case m.kind == percentAxis:
		return upTo(percent(res.SLO.Attainment)+" of requests meet the SLO", sloLimits(res), s)
	case m.kind == logAxis:
		return cmp.Or(timesTheLoad(sloLimits(res), s), upTo("SLO met", sloLimits(res), s))
	case m.kind == amountAxis && s.categories == nil:
		return reaches(m.title, m.unit, m.peaks(res, s))
	}
	return ""
}
