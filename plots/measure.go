package plots

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"

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

// farAway is the factor from which an objective is left off the axis, because it would
// flatten the data.
const farAway = 100

func noBound(results.SLO) float64 { return 0 }

// percentile is one that a latency has a metric for.
type percentile struct {
	share              float64
	prefix, file, name string // of the metric's key, of files, and for people
}

var percentiles = []percentile{
	{0.5, "median", "p50", "median"}, {0.9, "p90", "p90", "p90"}, {0.95, "p95", "p95", "p95"}, {0.99, "p99", "p99", "p99"},
}

// percentileOf is the percentile that the objective asks for: with 90 % of the requests
// to be served in time, p90 crosses the bound where the objective alone is met up to. It
// is p99 where none of that share is known.
func percentileOf(slo results.SLO) percentile {
	i := slices.IndexFunc(percentiles, func(p percentile) bool { return p.share == slo.Attainment })
	if i < 0 || !hasSLO(slo) {
		i = len(percentiles) - 1
	}
	return percentiles[i]
}

// measures are the metrics that get figures, in the order in which they are read.
func measures(res *results.Results) []measure {
	p := percentileOf(commonSLO(res))
	return []measure{
		{
			figure: "ttft-" + p.file,
			key:    p.prefix + "_ttft_ms",
			title:  capitalise(p.name) + " time to first token",
			brief:  p.name + " TTFT",
			what:   p.name + " time to first token",
			format: latency,
			kind:   logAxis,
			bound:  func(s results.SLO) float64 { return s.TTFTms },
		},
		{
			figure: "tpot-" + p.file,
			key:    p.prefix + "_tpot_ms",
			title:  capitalise(p.name) + " time per output token",
			brief:  p.name + " TPOT",
			what:   p.name + " time per output token",
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
	name := nameOf(key)
	m := measure{key: key, title: capitalise(name), brief: name, what: name, unit: d.Unit, format: exact, kind: rangeAxis, bound: noBound}
	switch {
	case d.Kind == metrics.Ratio:
		m.format, m.kind = percent, percentAxis
	case d.Unit == "ms":
		m.format, m.unit = latency, ""
	case strings.HasSuffix(d.Unit, "/s"):
		m.kind = amountAxis
	}
	return m
}

// latencies are the names of what the keys of metrics abbreviate.
var latencies = map[string]string{"ttft": "time to first token", "tpot": "time per output token", "itl": "inter-token latency", "e2el": "end-to-end latency"}

// nameOf is a metric's key in words.
func nameOf(key string) string {
	words := strings.Split(strings.TrimSuffix(key, "_ms"), "_")
	if whole, ok := latencies[words[len(words)-1]]; ok {
		words[len(words)-1] = whole
	}
	return strings.Join(words, " ")
}

// axisTitle is what the values are, with their unit where ticks do not have it.
func (m measure) axisTitle() string {
	if m.unit != "" {
		return capitalise(m.what) + " (" + m.unit + ")"
	}
	return capitalise(m.what)
}

// dataUnit is the unit of the values as they are in results.
func (m measure) dataUnit() string {
	d, _ := metrics.Lookup(m.key)
	return d.Unit
}

// overSweep draws the metric over the first swept variable.
func (m measure) overSweep(res *results.Results, s sweep) Figure {
	if m.kind == amountAxis {
		s = s.forAmounts()
	}
	curves := curvesOver(res, s, m.key)
	targets, values, offScale := m.withTargets(res, valuesToCover(curves))
	y := m.axis(values, s.log)
	body := &curvePlot{x: s.axis(), y: y, xTitle: s.title(), yTitle: m.axisTitle(), curves: curves, targets: targets, apart: s.categories != nil}
	if m.key == metrics.Goodput && s.isRate() {
		body.ideal = "offered load"
	}
	band := ""
	switch {
	case hasBand(curves) && body.apart:
		band = "whisker"
	case hasBand(curves):
		band = "band"
	}
	var hidden []string
	if m.kind == logAxis || m.kind == rangeAxis { // throughput is alike wherever all is served
		hidden = hiddenCurves(curves, s)
	}
	log, plain := isLog(y), m.title+" by "+s.name()
	return Figure{
		Name:       m.figure,
		Title:      orElse(m.claim(res, curves, log, s), plain),
		plainTitle: plain,
		Subtitle:   subtitle(res, ""),
		Notes:      notes(res, band, slices.Concat(curveNotes(res, curves, s), hidden, offScale, offLog(curves, isLog(s.axis()), log))...),
		Data:       curveTable(curves, s, m.key, m.dataUnit()),
		body:       body,
	}
}

// isLog tells whether a scaling makes an axis logarithmic.
func isLog(scale scaling) bool {
	a := plot.New().X
	scale(&a)
	return chart.IsLog(&a)
}

// withTargets returns the lines that the values are held against, unless they are too far
// from them, and the values that the axis should cover.
func (m measure) withTargets(res *results.Results, values []float64) (targets []target, cover []float64, offScale []string) {
	slo := commonSLO(res)
	bound := m.bound(slo)
	if bound <= 0 || m.atLeast && !hasSLO(slo) && !res.Facts.Traffic.OwnObjectives {
		return nil, values, nil
	}
	t := m.target(bound)
	if isFar(values, bound) {
		return nil, values, []string{t.label + " is off the scale"}
	}
	return []target{t}, append(values, bound), nil
}

func (m measure) target(bound float64) target {
	if m.atLeast {
		return target{bound, "target ≥ " + m.format(bound)}
	}
	return target{bound, "SLO ≤ " + m.format(bound)}
}

// isFar says whether a bound lies more than farAway from all values.
func isFar(values []float64, bound float64) bool {
	lo, hi := chart.Extent(values, true)
	return hi > 0 && (bound > farAway*hi || bound < lo/farAway)
}

func hasSLO(s results.SLO) bool {
	return s.TTFTms > 0 || s.TPOTms > 0 || s.E2ELms > 0
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
// one metric has no paired interval, so that strategies are not ranked by it.
func (m measure) claim(res *results.Results, curves []curve, log bool, s sweep) string {
	switch {
	case m.figure == "slo-attainment":
		return upTo(percent(res.SLO.Attainment)+" of requests meet the SLO", sloLimits(res), s)
	case m.kind == logAxis:
		return orElse(timesTheLoad(sloLimits(res), s), upTo("SLO met", sloLimits(res), s))
	case m.figure == "":
		return ""
	case m.kind == rangeAxis:
		if bound := m.bound(commonSLO(res)); bound > 0 && len(curves) == 1 {
			return upTo(m.brief+" within "+latency(bound), boundLimits(curves, log, s, bound), s)
		}
		return ""
	case s.categories != nil:
		return "" // the best of all categories says nothing of the others
	}
	return reaches(m.title, m.unit, peaks(res, m.key))
}

func orElse(text, fallback string) string {
	if text != "" {
		return text
	}
	return fallback
}
