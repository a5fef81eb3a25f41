package plots

import (
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// measure is a metric that gets a figure of its own.
type measure struct {
	figure  string // name of the figure
	key     string // of the metric
	title   string // neutral
	brief   string // for claims
	what    string // subtitle, for a scale with units at its ticks or without
	unit    string // of values in titles
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

// farAway is the factor from which an objective is left off the axis, because
// it would flatten the data.
const farAway = 100

func noBound(results.SLO) float64 { return 0 }

var measures = []measure{
	{figure: "ttft-p99", key: metrics.P99TTFT, title: "p99 time to first token", brief: "p99 TTFT", what: "p99 time to first token",
		format: latency, kind: logAxis, bound: func(s results.SLO) float64 { return s.TTFTms }},
	{
		figure: "tpot-p99",
		key:    metrics.P99TPOT,
		title:  "p99 time per output token",
		brief:  "p99 TPOT",
		what:   "p99 time per output token after the first",
		format: latency,
		kind:   rangeAxis,
		bound:  func(s results.SLO) float64 { return s.TPOTms },
	},
	{
		figure: "output-throughput",
		key:    metrics.OutputThroughput,
		title:  "Output throughput",
		brief:  "Output throughput",
		what:   "output tokens per second",
		unit:   "tok/s",
		format: exact,
		kind:   amountAxis,
		bound:  noBound,
	},
	{figure: "goodput", key: metrics.Goodput, title: "Goodput", brief: "Goodput", what: "requests per second that meet the SLO",
		unit: "req/s", format: exact, kind: amountAxis, bound: noBound},
	{
		figure:  "slo-attainment",
		key:     metrics.Attainment,
		title:   "SLO attainment",
		brief:   "SLO attainment",
		what:    "share of requests that meet the SLO",
		format:  percent,
		kind:    percentAxis,
		bound:   func(s results.SLO) float64 { return s.Attainment },
		atLeast: true,
	},
}

// MostCurves is how many strategies and curves a figure shows. Nobody can tell as many
// apart, and the time to find places for their names grows with the square of their number.
const MostCurves = 200

// Default returns the figures that an experiment gets unasked, in the order in
// which they are read. Over a sweep they are curves over the first swept
// variable; without one, strategies are compared metric by metric. A metric
// without any value gets no figure, and what is no number, such as an
// accelerator's name, no curve to follow from one metric to another. Of more than
// MostCurves there are no figures.
func Default(res *results.Results) []Figure {
	var figures []Figure
	if len(res.Series) > MostCurves {
		return nil
	}
	s, curves := newSweep(res)
	for _, m := range measures {
		switch {
		case !hasValues(res, m.key):
		case curves:
			figures = append(figures, m.overSweep(res, s))
		default:
			figures = append(figures, m.compareStrategies(res))
		}
	}
	if curves && s.categories == nil && hasValues(res, metrics.MedianTPOT) && hasValues(res, metrics.OutputThroughput) {
		i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == "slo-attainment" })
		if i < 0 {
			i = len(figures)
		}
		figures = slices.Insert(figures, i, throughputAgainstTPOT(res, s))
	}
	if f, ok := whereTimeGoes(res, s); ok && curves {
		figures = append(figures, f)
	}
	return figures
}

func hasValues(res *results.Results, key string) bool {
	return slices.ContainsFunc(res.Series, func(s results.Series) bool {
		return slices.ContainsFunc(s.Points, func(p results.Point) bool { return finite(estimate(p, key).Mean) })
	})
}

// overSweep draws the metric over the first swept variable.
func (m measure) overSweep(res *results.Results, s sweep) Figure {
	if m.kind == amountAxis {
		s = s.forAmounts()
	}
	curves := curvesOver(res, s, m.key)
	plot := &curvePlot{x: s.axis(), curves: curves, last: s.last(), apart: s.categories != nil}
	values, offScale := m.withTarget(plot, res)
	plot.y = m.axis(values, s.log)
	if m.key == metrics.Goodput && s.isRate() {
		plot.ideal = "offered load"
	}
	band := ""
	switch {
	case hasBand(curves) && plot.apart:
		band = "whisker"
	case hasBand(curves):
		band = "band"
	}
	var hidden []string
	if m.kind == logAxis || m.kind == rangeAxis { // throughput is alike wherever all is served
		hidden = hiddenCurves(curves, s)
	}
	return Figure{
		Name:     m.figure,
		Title:    orElse(m.claim(res, curves, plot.y.scale, s), m.title+" by "+s.name()),
		Subtitle: subtitle(res, m.what),
		Notes:    slices.Concat(provenance(res, band), curveNotes(res, curves, s), hidden, offScale, offLog(curves, plot.x.log, plot.y.log)),
		body:     plot,
	}
}

// withTarget sets the plot's target line, unless the objective is too far from
// the data, and returns the values that the axis should cover.
func (m measure) withTarget(plot *curvePlot, res *results.Results) (values []float64, offScale []string) {
	values = valuesToCover(plot.curves)
	slo := commonSLO(res)
	bound := m.bound(slo)
	if bound <= 0 || m.atLeast && !hasSLO(slo) && !res.Facts.Traffic.OwnObjectives {
		return values, nil
	}
	t := m.target(bound)
	if isFar(values, bound) {
		return values, []string{t.label + " is off the scale"}
	}
	plot.target = t
	return append(values, bound), nil
}

func (m measure) target(bound float64) *target {
	if m.atLeast {
		return &target{bound, "target ≥ " + m.format(bound)}
	}
	return &target{bound, "SLO ≤ " + m.format(bound)}
}

// isFar says whether a bound lies more than farAway from all values.
func isFar(values []float64, bound float64) bool {
	lo, hi := extent(values, true)
	return hi > 0 && (bound > farAway*hi || bound < lo/farAway)
}

func hasSLO(s results.SLO) bool {
	return s.TTFTms > 0 || s.TPOTms > 0 || s.E2ELms > 0
}

// axis is that of the metric's values, beside a logarithmic axis of what was swept or another.
func (m measure) axis(values []float64, sweptLog bool) axis {
	switch {
	case m.kind == percentAxis:
		return fractions()
	case m.kind == logAxis || m.kind == rangeAxis && spread(values) >= wideRange || m.kind == amountAxis && sweptLog:
		return logarithmic(values, m.format)
	default:
		return fromZero(values, m.format)
	}
}

// claim is the finding that the figure shows; "" where there is none to state.
func (m measure) claim(res *results.Results, curves []curve, y scale, s sweep) string {
	switch m.key {
	case metrics.P99TTFT:
		return orElse(timesTheLoad(sloLimits(res), s), upTo("SLO met", sloLimits(res), s))
	case metrics.Attainment:
		return upTo("SLO met", sloLimits(res), s)
	case metrics.P99TPOT:
		if bound := m.bound(commonSLO(res)); bound > 0 {
			return upTo(m.brief+" within "+latency(bound), boundLimits(curves, y, s, bound), s)
		}
		return ""
	default:
		if s.categories != nil {
			return "" // the best of all categories says nothing of the others
		}
		return reaches(m.title, m.unit, peaks(res, m.key))
	}
}

func orElse(text, fallback string) string {
	if text != "" {
		return text
	}
	return fallback
}
