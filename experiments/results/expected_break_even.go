package results

import "math"

// BreakEvenMetric is what an expectation of a break-even has instead of a metric of runs.
const BreakEvenMetric = "break_even"

// breakEvenExpectations are what came of an expectation for every break-even of its strategy: one for each combination of the other
// swept variables. Where there is no crossing, or several, there is no value.
func (p *Plan) breakEvenExpectations(x *Expected) []Expectation {
	var all []Expectation
	for i := range p.BreakEvens {
		b := &p.BreakEvens[i]
		if b.Strategy != x.Strategies[0] {
			continue
		}
		o := Expectation{What: x.Metric + " of " + p.curveName(b.Strategy, b.Fixed), Low: x.Low, High: x.High, Source: x.Source}
		value := math.NaN()
		if len(b.Crossings) == 1 {
			c := &b.Crossings[0]
			value, o.ValueLow, o.ValueHigh = c.Value, &c.Low, &c.High
		}
		o.hold(value)
		all = append(all, o)
	}
	return all
}
