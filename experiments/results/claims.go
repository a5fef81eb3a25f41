package results

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"kneepoint/sim/metrics"
)

// Claimed is one [[claim]] table: by which factor a strategy is said to change a
// metric of another one.
type Claimed struct {
	Strategy string  `json:"strategy"`
	Over     string  `json:"over"`
	Metric   string  `json:"metric"`
	Low      float64 `json:"low"` // of the metric of Strategy over that of Over; above 0
	High     float64 `json:"high"`
	At       []Place `json:"at"` // one verdict for each
	Source   string  `json:"source,omitempty"`
}

// Claim is what came of one [[claim]] table: its terms again, so that it can be read
// without the plan, and a verdict at each of its places.
type Claim struct {
	Strategy string    `json:"strategy"`
	Over     string    `json:"over"`
	Metric   string    `json:"metric"`
	Low      float64   `json:"low"`
	High     float64   `json:"high"`
	Source   string    `json:"source,omitempty"`
	Verdicts []Verdict `json:"verdicts"`
}

// Exceeded tells whether a factor x is further from 1 than the claim has it, on the same
// side: the effect is there, and larger than claimed. A range around 1 claims that
// there is none, and cannot be exceeded.
func (c *Claim) Exceeded(x float64) bool {
	return c.High < 1 && x < c.Low || c.Low > 1 && x > c.High
}

// Verdict says whether a claim holds at one place.
type Verdict struct {
	Place  string   `json:"place"`  // in words; empty where nothing is swept
	Factor *float64 `json:"factor"` // nil when a strategy has no value there
	Holds  bool     `json:"holds"`  // the factor is there, and within the bounds

	// The 95 % interval of the factor, over pairs of replications that served the same
	// traffic; nil where there are fewer than three, or all saw the same.
	FactorLow  *float64 `json:"factor_low"`
	FactorHigh *float64 `json:"factor_high"`
	// Clear tells that one of the bounds of the claim does not lie within that interval. It
	// is true without an interval.
	Clear bool `json:"clear"`
}

// Tradeoff is what strategies gain and lose against the first one at one load.
type Tradeoff struct {
	Baseline string                         `json:"baseline"`
	Place    string                         `json:"place"`
	Factors  map[string]map[string]*float64 `json:"factors"` // by strategy and metric, over the baseline; null when there is none
}

// TradeoffMetrics are those of a Tradeoff, in the order in which they are shown: what
// a user waits for, and what the operator gets.
var TradeoffMetrics = []string{metrics.MeanTTFT, metrics.MeanTPOT, metrics.OutputThroughput}

// Loads are the places that every claim is about unless it names its own: lowest
// load, knee, highest load.
func Loads() []Place { return []Place{{Word: Lowest}, {Word: AtKnee}, {Word: Highest}} }

// claims judges the [[claim]] tables by the curves of all runs.
func (p *Plan) claims(all []Series) []Claim {
	var outcomes []Claim
	for i := range p.Claimed {
		s := &p.Claimed[i]
		c := Claim{Strategy: s.Strategy, Over: s.Over, Metric: s.Metric, Low: s.Low, High: s.High, Source: s.Source}
		for _, place := range s.At {
			name, at := p.locate(all, place)
			c.Verdicts = append(c.Verdicts, p.judge(all, s, name, at))
		}
		outcomes = append(outcomes, c)
	}
	return outcomes
}

// judge is the verdict on a claim at a place with a name.
func (p *Plan) judge(all []Series, c *Claimed, name string, at *Place) Verdict {
	v := Verdict{Place: name, Factor: p.factor(all, c.Metric, c.Strategy, c.Over, at), Clear: true}
	if v.Factor == nil {
		return v
	}
	v.Holds = *v.Factor >= c.Low && *v.Factor <= c.High
	if f := FactorOf(p.swept(all, c.Strategy, at), p.swept(all, c.Over, at), c.Metric); f.HasInterval() {
		v.FactorLow, v.FactorHigh = &f.Low, &f.High
		v.Clear = !within(c.Low, f.Low, f.High) && !within(c.High, f.Low, f.High)
	}
	return v
}

// within tells whether x lies between low and high, and is neither.
func within(x, low, high float64) bool { return low < x && x < high }

// swept is the point of a strategy's curve at a place; nil where that is between points.
func (p *Plan) swept(all []Series, strategy string, at *Place) *Point {
	if at.Word == AtKnee {
		return nil
	}
	return p.PointAt(p.curve(all, strategy, at), *at)
}

// tradeoffs compares all strategies with the first one at low load, near its knee
// and at the highest load, where there are claims to hold against that.
func (p *Plan) tradeoffs(all []Series) []Tradeoff {
	if len(p.Claimed) == 0 || !p.OverLoads() {
		return nil
	}
	var found []Tradeoff
	base := p.Strategies[0]
	for _, place := range Loads() {
		name, at := p.locate(all, place)
		t := Tradeoff{Baseline: base, Place: name, Factors: map[string]map[string]*float64{}}
		for _, s := range p.Strategies[1:] {
			t.Factors[s] = map[string]*float64{}
			for _, metric := range TradeoffMetrics {
				t.Factors[s][metric] = p.factor(all, metric, s, base, at)
			}
		}
		found = append(found, t)
	}
	return found
}

// factor is the metric of one strategy over that of another at a place; nil when
// it has no value, or there is no such place.
func (p *Plan) factor(all []Series, metric, strategy, over string, at *Place) *float64 {
	if at == nil {
		return nil
	}
	of := &Expected{Metric: metric}
	x := p.value(all, of, strategy, at) / p.value(all, of, over, at)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// loadNames are places on the axis of a load in words.
var loadNames = map[string]string{Lowest: "low load", AtKnee: "the knee", Highest: "high load"}

// Locate is where a word for a load is on the curves, by the first strategy's, and the place
// in words; nil where that one has no knee.
func (r *Results) Locate(place Place) (name string, at *Place) { return r.locate(r.Series, place) }

// locate turns the words for loads into swept values, the knee into the one nearest
// to that of the first strategy, so that all are compared at the same load; nil when
// that one has none. It also names the place.
func (p *Plan) locate(all []Series, place Place) (string, *Place) {
	name, isLoad := loadNames[place.Word]
	if !isLoad || !p.OverLoads() {
		return strings.TrimPrefix(place.name(p.Sweep), "at "), &place
	}
	point := p.PointAt(p.curve(all, p.Strategies[0], &place), place)
	if point == nil {
		return name, nil
	}
	return fmt.Sprintf("%s (%v %s)", name, point.Value, cmp.Or(p.Sweep[0].Unit, p.Sweep[0].Label)), &Place{Value: point.Value}
}
