package results

import (
	"slices"

	"kneepoint/sim/metrics"
)

// Witnessed is a published curve beside two simulations of it: that of its strategies, and that of their
// witnesses, which differ from them in nothing but where the times of steps are from. What both are off by
// is not the steps'.
type Witnessed struct {
	Figure  string `json:"figure"`
	Curve   string `json:"curve"`
	Numbers int    `json:"numbers"`

	Simulated Nearness `json:"simulated"`
	Witness   Nearness `json:"witness"`
}

// Nearness is how near values of a curve come to what was published.
type Nearness struct {
	InBand int      `json:"in_band"`
	Ratio  *float64 `json:"ratio"` // the median of values over published; nil where there are no values
}

// Witnesses are the curves whose strategies have witnesses.
func (r *Results) Witnesses() []Witnessed {
	var all []Witnessed
	for i := range r.Reproduced {
		if c := &r.Reproduced[i]; c.Witnessed != nil {
			all = append(all, Witnessed{c.Figure, c.Label(), len(c.Points), c.nearness(c.Simulated), c.nearness(c.Witnessed)})
		}
	}
	return all
}

func (c *PublishedCurve) nearness(values []*float64) Nearness {
	var n Nearness
	var ratios []float64
	for i := range values {
		if c.near(values, i) {
			n.InBand++
		}
		if off, ok := c.off(values, i); ok {
			ratios = append(ratios, 1+off)
		}
	}
	if slices.Sort(ratios); len(ratios) > 0 {
		median := metrics.Quantile(ratios, 0.5)
		n.Ratio = &median
	}
	return n
}

// hasWitness tells whether every strategy that a curve is of has one. A ratio of a witness to a strategy
// that has none would be of two kinds of steps.
func (p *Paper) hasWitness(c *PublishedCurve) bool {
	strategies := []string{c.Strategy}
	if c.X == ByStrategy {
		strategies = nil
		for _, point := range c.Points {
			strategies = append(strategies, point.X.String())
		}
	}
	if c.Over != "" {
		strategies = append(strategies, c.Over)
	}
	for _, s := range strategies {
		if p.Witness[s] == "" {
			return false
		}
	}
	return true
}

// witnessOf is the strategy that has the other times of steps.
func (p *Paper) witnessOf(strategy string) string { return p.Witness[strategy] }
