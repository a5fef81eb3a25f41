package experiments

import (
	"math"
	"strings"
)

// Expectation is the outcome of one [[expect]] table.
type Expectation struct {
	What   string   `json:"what"`  // metric, strategies and place in words
	Value  *float64 `json:"value"` // null when there is none
	Low    float64  `json:"low"`
	High   float64  `json:"high"`
	Met    bool     `json:"met"`
	Source string   `json:"source,omitempty"`
}

// expectations evaluates the [[expect]] tables on the results of all runs.
func (e *Experiment) expectations(res *Results) []Expectation {
	var outcomes []Expectation
	for i := range e.Spec.Expect {
		x := &e.Spec.Expect[i]
		value := e.value(res, x.Metric, x.strategies()[0], &x.At)
		if x.Ratio != nil {
			value /= e.value(res, x.Metric, x.Ratio[1], &x.At)
		}
		o := Expectation{What: strings.TrimSpace(x.Metric + " of " + strings.Join(x.strategies(), " over ") + " " + x.At.name(e.Axes)),
			Low: x.Between[0], High: x.Between[1], Source: x.Source}
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			o.Value = &value
			o.Met = value >= o.Low && value <= o.High
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// value is a strategy's metric at a place; NaN when there is none.
func (e *Experiment) value(res *Results, metric, strategy string, at *Place) float64 {
	s := e.curve(res, strategy, at)
	switch {
	case s == nil:
		return math.NaN()
	case at.word == "knee":
		return e.atKnee(s, metric)
	}
	if p := e.find(s, at); p != nil {
		return pointValue(p, metric)
	}
	return math.NaN()
}

// curve is the curve of a strategy that a place lies on; nil when there is none.
func (e *Experiment) curve(res *Results, strategy string, at *Place) *Series {
	for i := range res.Series {
		if s := &res.Series[i]; s.Strategy == strategy && e.onCurve(s, at) {
			return s
		}
	}
	return nil
}

func pointValue(p *Point, metric string) float64 {
	if estimate, ok := p.Metrics[metric]; ok {
		return estimate.Mean
	}
	return math.NaN()
}

// onCurve tells whether a place lies on the curve, of those of its strategy.
func (e *Experiment) onCurve(s *Series, p *Place) bool {
	for path, v := range s.Fixed {
		if !same(v, p.values[path]) {
			return false
		}
	}
	return true
}

// find is the point at a place, nil when the run was cut short before it.
func (e *Experiment) find(s *Series, at *Place) *Point {
	var best *Point
	for i := range s.Points {
		p := &s.Points[i]
		switch at.word {
		case "lowest", "highest":
			if best == nil || (number(p.Value) < number(best.Value)) == (at.word == "lowest") {
				best = p
			}
		case "saturation":
			if best == nil || pointValue(p, "output_throughput") > pointValue(best, "output_throughput") {
				best = p
			}
		default:
			wanted := at.value
			if at.values != nil {
				wanted = at.values[e.Axes[0].Path]
			}
			if len(e.Axes) == 0 || same(p.Value, wanted) {
				return p
			}
		}
	}
	return best
}

// number is a swept value for ordering; what is none ("inf") is largest.
func number(v any) float64 {
	if x, ok := Number(v); ok {
		return x
	}
	return math.Inf(1)
}

// atKnee interpolates a metric at the knee, along the drawn line.
func (e *Experiment) atKnee(s *Series, metric string) float64 {
	if s.Knee == nil || s.Knee.Kind == KneeBelow {
		return math.NaN()
	}
	var below, above *Point
	for i := range s.Points {
		p := &s.Points[i]
		if v := number(p.Value); v <= s.Knee.Value && (below == nil || v > number(below.Value)) {
			below = p
		} else if v > s.Knee.Value && (above == nil || v < number(above.Value)) {
			above = p
		}
	}
	switch {
	case below == nil:
		return math.NaN()
	case above == nil || number(below.Value) == s.Knee.Value || math.IsInf(number(above.Value), 1):
		return pointValue(below, metric)
	}
	low, high, knee := number(below.Value), number(above.Value), s.Knee.Value
	if e.Axes[0].Geometric() {
		low, high, knee = math.Log(low), math.Log(high), math.Log(knee)
	}
	share := (knee - low) / (high - low)
	return pointValue(below, metric) + share*(pointValue(above, metric)-pointValue(below, metric))
}
