package results

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"kneepoint/sim/metrics"
)

// Expected is one [[expect]] table: where a metric of a strategy, or the ratio of
// two strategies' metrics or of a metric at two places, must lie.
type Expected struct {
	Metric     string   `json:"metric"`
	Strategies []string `json:"strategies"`       // one, or two: the metric of the first over that of the second
	Steady     bool     `json:"steady,omitempty"` // in the measuring window; otherwise what tables show
	At         Place    `json:"at"`
	Over       *Place   `json:"over,omitempty"`   // where the metric below the line is looked at; nil: At
	Low        float64  `json:"low"`              // in the metric's unit; a ratio has none
	High       float64  `json:"high"`             // likewise; both bounds are allowed values
	Source     string   `json:"source,omitempty"` // where the bounds come from
}

// Expectation is what came of one [[expect]] table.
type Expectation struct {
	What   string   `json:"what"`  // metric, strategies and place in words
	Value  *float64 `json:"value"` // nil when the place has none; then it is not met
	Low    float64  `json:"low"`
	High   float64  `json:"high"`
	Met    bool     `json:"met"`
	Source string   `json:"source,omitempty"`

	// The 95 % interval of the value of a break-even; nil of other metrics.
	ValueLow  *float64 `json:"value_low,omitempty"`
	ValueHigh *float64 `json:"value_high,omitempty"`
}

// expectations evaluates the [[expect]] tables on the curves of all runs.
func (p *Plan) expectations(all []Series) []Expectation {
	var outcomes []Expectation
	for i := range p.Expected {
		x := &p.Expected[i]
		if x.Metric == BreakEvenMetric {
			outcomes = append(outcomes, p.breakEvenExpectations(x)...)
			continue
		}
		value := p.value(all, x, x.Strategies[0], &x.At)
		if len(x.Strategies) > 1 || x.Over != nil {
			value /= p.value(all, x, x.Strategies[len(x.Strategies)-1], cmp.Or(x.Over, &x.At))
		}
		o := Expectation{What: x.name(p.Sweep), Low: x.Low, High: x.High, Source: x.Source}
		o.hold(value)
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// hold holds a value against the bounds.
func (x *Expectation) hold(value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	x.Value, x.Met = &value, value >= x.Low && value <= x.High
}

// name says in words what is expected of which metric: "m of a over b at 8", or "m of a
// at 64 over that at 1".
func (x *Expected) name(axes []Axis) string {
	at := x.At.name(axes)
	if x.Steady {
		at += " in the measuring window"
	}
	switch {
	case x.Over == nil:
		return strings.TrimSpace(x.Metric + " of " + strings.Join(x.Strategies, " over ") + " " + at)
	case len(x.Strategies) > 1:
		return fmt.Sprintf("%s of %s %s over %s %s", x.Metric, x.Strategies[0], at, x.Strategies[1], x.Over.name(axes))
	}
	return fmt.Sprintf("%s of %s %s over that %s", x.Metric, x.Strategies[0], at, x.Over.name(axes))
}

// value is the metric of one of the strategies at a place; NaN when there is none.
func (p *Plan) value(all []Series, x *Expected, strategy string, at *Place) float64 {
	s := p.curve(all, strategy, at)
	switch {
	case s == nil:
		return math.NaN()
	case at.Word == AtKnee:
		return p.MetricAtKnee(s, x.Metric)
	}
	switch point := p.PointAt(s, *at); {
	case point != nil && x.Steady:
		return meanOf(point.Steady, x.Metric)
	case point != nil:
		return meanOf(point.Metrics, x.Metric)
	}
	return math.NaN()
}

// mean is a metric of the point; NaN when it has no value.
func (p *Point) mean(metric string) float64 { return meanOf(p.Metrics, metric) }

// meanOf is a metric over the replications; NaN when it has no value.
func meanOf(values map[string]metrics.Estimate, metric string) float64 {
	if estimate, ok := values[metric]; ok {
		return estimate.Mean
	}
	return math.NaN()
}

// MetricAtKnee interpolates a metric at the knee, along the drawn line. The attainment is there
// what the knee is defined by. A searched knee may lie a little outside the loads that were simulated: there it is the nearest one's.
func (p *Plan) MetricAtKnee(s *Series, metric string) float64 {
	switch {
	case s.Knee == nil || s.Knee.Kind == KneeBelow:
		return math.NaN()
	case metric == metrics.Attainment && (s.Knee.Kind == KneeSearched || s.Knee.Kind == KneeBracketed || s.Knee.Kind == KneeInterpolated):
		return s.Knee.Target
	}
	before, after := around(p.KneePoints(s), s.Knee.Value)
	switch {
	case before == nil && after != nil && s.Knee.Kind == KneeSearched:
		return after.mean(metric)
	case before == nil:
		return math.NaN()
	case after == nil || before.Value.order() == s.Knee.Value || math.IsInf(after.Value.order(), 1):
		return before.mean(metric)
	}
	share := p.wayBetween(before, after, s.Knee.Value)
	return before.mean(metric) + share*(after.mean(metric)-before.mean(metric))
}

// wayBetween is how far a load is from one point to another, as a figure shows it; 0 where
// they are one.
func (p *Plan) wayBetween(before, after *Point, load float64) float64 {
	low, high := before.Value.order(), after.Value.order()
	switch {
	case low == high || math.IsInf(high, 1):
		return 0
	case p.Sweep[0].Geometric():
		return math.Log(load/low) / math.Log(high/low)
	}
	return (load - low) / (high - low)
}

// around are those of some points that are nearest to a load: the one up to it and the one beyond
// it, nil where there is none.
func around(points []Point, load float64) (before, after *Point) {
	for i := range points {
		point := &points[i]
		if v := point.Value.order(); v <= load && (before == nil || v > before.Value.order()) {
			before = point
		} else if v > load && (after == nil || v < after.Value.order()) {
			after = point
		}
	}
	return before, after
}
