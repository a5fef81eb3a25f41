package experiments

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// Claim is the outcome of one [[claim]] table.
type Claim struct {
	Strategy string    `json:"strategy"`
	Over     string    `json:"over"`
	Metric   string    `json:"metric"`
	Low      float64   `json:"low"`
	High     float64   `json:"high"`
	Source   string    `json:"source,omitempty"`
	Verdicts []Verdict `json:"verdicts"`
}

// Verdict says whether a claim holds at one place.
type Verdict struct {
	Place  string   `json:"place"`  // in words; empty where nothing is swept
	Factor *float64 `json:"factor"` // null when there is none
	Holds  bool     `json:"holds"`
}

// Tradeoff is what strategies gain and lose against the first one at one load.
type Tradeoff struct {
	Baseline string                         `json:"baseline"`
	Place    string                         `json:"place"`
	Factors  map[string]map[string]*float64 `json:"factors"` // by strategy and metric, over the baseline; null when there is none
}

// TradeoffMetrics are those of a Tradeoff.
var TradeoffMetrics = []string{"mean_ttft_ms", "mean_tpot_ms", "output_throughput"}

// claims judges the [[claim]] tables by the results of all runs.
func (e *Experiment) claims(res *Results) []Claim {
	var outcomes []Claim
	for i := range e.Spec.Claims {
		s := &e.Spec.Claims[i]
		c := Claim{Strategy: s.Strategy, Over: s.Over, Metric: s.Metric, Low: s.Factor[0], High: s.Factor[1], Source: s.Source}
		for _, place := range s.At {
			name, at := e.locate(res, place)
			v := Verdict{Place: name, Factor: e.factor(res, s.Metric, s.Strategy, s.Over, at)}
			v.Holds = v.Factor != nil && *v.Factor >= c.Low && *v.Factor <= c.High
			c.Verdicts = append(c.Verdicts, v)
		}
		outcomes = append(outcomes, c)
	}
	return outcomes
}

// tradeoffs compares all strategies with the first one at low load, near its knee
// and at the highest load, where there are claims to hold against that.
func (e *Experiment) tradeoffs(res *Results) []Tradeoff {
	if len(e.Spec.Claims) == 0 || !e.overLoads() {
		return nil
	}
	var all []Tradeoff
	base := e.Spec.Strategies[0].Name
	for _, place := range loads {
		name, at := e.locate(res, place)
		t := Tradeoff{Baseline: base, Place: name, Factors: map[string]map[string]*float64{}}
		for _, s := range e.Spec.Strategies[1:] {
			t.Factors[s.Name] = map[string]*float64{}
			for _, metric := range TradeoffMetrics {
				t.Factors[s.Name][metric] = e.factor(res, metric, s.Name, base, at)
			}
		}
		all = append(all, t)
	}
	return all
}

// factor is the metric of one strategy over that of another at a place; nil when
// it has no value, or there is no such place.
func (e *Experiment) factor(res *Results, metric, strategy, over string, at *Place) *float64 {
	if at == nil {
		return nil
	}
	x := e.value(res, metric, strategy, at) / e.value(res, metric, over, at)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// loadNames are places on the axis of a load in words.
var loadNames = map[string]string{"lowest": "low load", "knee": "the knee", "highest": "high load"}

// locate turns the words for loads into swept values, the knee into the one nearest
// to that of the first strategy, so that all are compared at the same load; nil when
// that one has none. It also names the place.
func (e *Experiment) locate(res *Results, place Place) (string, *Place) {
	name, isLoad := loadNames[place.word]
	if !isLoad || !e.overLoads() {
		return strings.TrimPrefix(place.name(e.Axes), "at "), &place
	}
	point := e.loadPoint(e.curve(res, e.Spec.Strategies[0].Name, &place), &place)
	if point == nil {
		return name, nil
	}
	return fmt.Sprintf("%s (%v %s)", name, point.Value, cmp.Or(e.Axes[0].Unit, e.Axes[0].Label)), &Place{value: point.Value}
}

// loadPoint is the point of a curve that a word for a load stands for; nil when a
// knee lies below the sweep.
func (e *Experiment) loadPoint(s *Series, at *Place) *Point {
	switch {
	case s == nil:
		return nil
	case at.word != "knee":
		return e.find(s, at)
	case s.Knee == nil || s.Knee.Kind == KneeBelow:
		return nil
	}
	scale := func(x float64) float64 { return x }
	if e.Axes[0].Geometric() {
		scale = math.Log
	}
	var nearest *Point
	distance := math.Inf(1)
	for i := range s.Points {
		p := &s.Points[i]
		if d := math.Abs(scale(number(p.Value)) - scale(s.Knee.Value)); d < distance {
			nearest, distance = p, d
		}
	}
	return nearest
}
