package experiments

import (
	"fmt"

	"kneepoint/experiments/planner"
	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/uncertainty"
	"kneepoint/units/badinput"
)

// UncertaintySpec is the [plan.uncertainty] table: in how many draws the answer is found again, and
// how wide the factors are that constants may be off by. Widths are standard deviations of logarithms; nil: the default.
type UncertaintySpec struct {
	Draws int `toml:"draws" check:"nonnegative"`

	Compute    *float64 `toml:"compute" check:"nonnegative"`
	Memory     *float64 `toml:"memory" check:"nonnegative"`
	Links      *float64 `toml:"links" check:"nonnegative"`
	Host       *float64 `toml:"host" check:"nonnegative"`
	Acceptance *float64 `toml:"acceptance" check:"nonnegative"`
	Input      *float64 `toml:"input" check:"nonnegative"`
	Output     *float64 `toml:"output" check:"nonnegative"`
	Demand     *float64 `toml:"demand" check:"nonnegative"`
}

const (
	usualDraws  = 100
	fewestDraws = 20 // of which one is below the 5 % that the interval leaves out on either side
	mostDraws   = 10_000
	widest      = 1.0 // of ln, beyond which nothing is known
)

// SetDefaults asks for as many draws as tell the ends of the interval within one unit of a few dozen.
func (u *UncertaintySpec) SetDefaults() { u.Draws = usualDraws }

// Validate refuses draws too few for an interval, and factors that know nothing.
func (u *UncertaintySpec) Validate() error {
	if u.Draws != 0 && (u.Draws < fewestDraws || u.Draws > mostDraws) {
		return &badinput.Error{Key: "draws", Value: u.Draws, Problem: "out of range",
			Allowed: fmt.Sprintf("0, or %d to %d", fewestDraws, mostDraws)}
	}
	for _, name := range uncertainty.Names {
		if width, given := u.given()[name]; given && !(width <= widest) {
			return &badinput.Error{Key: name, Value: width, Problem: "out of range",
				Allowed: "0 to 1, a standard deviation of the logarithm: 0.1 is some 10 %"}
		}
	}
	return nil
}

// given are the widths that the file states, by the names of factors.
func (u *UncertaintySpec) given() map[string]float64 {
	all := map[string]float64{}
	for name, width := range map[string]*float64{
		uncertainty.Compute: u.Compute, uncertainty.Memory: u.Memory, uncertainty.Links: u.Links, uncertainty.Host: u.Host,
		uncertainty.Acceptance: u.Acceptance, uncertainty.Input: u.Input, uncertainty.Output: u.Output, uncertainty.Demand: u.Demand,
	} {
		if width != nil {
			all[name] = *width
		}
	}
	return all
}

// takeFactors finds the factors of the candidates. One whose width is given and that none has is wrong input.
func (p *Planning) takeFactors() error {
	u := p.Spec.Uncertainty
	if u == nil || u.Draws == 0 {
		return nil
	}
	var all []scenario.Scenario
	for i := range p.candidates {
		all = append(all, p.candidates[i].Unit)
	}
	given := u.given()
	p.factors = uncertainty.Of(all, given)
	known := map[string]bool{}
	for i := range p.factors {
		known[p.factors[i].Name] = true
	}
	for _, name := range uncertainty.Names {
		if given[name] > 0 && !known[name] {
			return &badinput.Error{Key: "plan.uncertainty." + name, Value: given[name],
				Problem: "has no effect: no candidate has such constants, or a trace has them"}
		}
	}
	if len(p.factors) == 0 {
		return &badinput.Error{Key: "plan.uncertainty", Problem: "nothing is uncertain: steps are synthetic, or widths are 0",
			Allowed: "a width of demand, input or output"}
	}
	return nil
}

// uncertain is what the planner needs to know of the factors; nil where there are none.
func (p *Planning) uncertain() *planner.Uncertain {
	if len(p.factors) == 0 {
		return nil
	}
	u := &planner.Uncertain{Draws: uncertainty.Sample(p.factors, p.Spec.Uncertainty.Draws, p.base.Seed)}
	for i := range p.factors {
		low, high := p.factors[i].Ends()
		u.Names, u.Ends = append(u.Names, p.factors[i].Text()), append(u.Ends, [2]float64{low, high})
	}
	u.Scaled = func(unit scenario.Scenario, values []float64) scenario.Scenario {
		return uncertainty.Scaled(unit, p.factors, values)
	}
	return u
}

// described says of what the planner found what the factors are.
func (p *Planning) described(u *results.Uncertainty) *results.Uncertainty {
	if u == nil {
		return nil
	}
	for i := range p.factors {
		f := &p.factors[i]
		low, high := f.Ends()
		u.Factors = append(u.Factors, results.UncertainFactor{Name: f.Name, Of: f.Of, Width: f.Width, Low: low, High: high,
			Basis: f.Basis, Plain: f.Plain})
	}
	return u
}
