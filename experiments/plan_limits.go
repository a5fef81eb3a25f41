package experiments

import (
	"fmt"
	"math"

	"kneepoint/experiments/planner"
	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// limit is what there may be of something at most, and how much of it a unit takes.
type limit struct {
	key         string // below [plan]
	total, each float64
}

// most is how many units there may be, spares included.
func (l *limit) most() float64 {
	const rounding = 1e-9 // of a sum that was divided by what a unit takes
	return math.Floor(l.total / l.each * (1 + rounding))
}

// budget is the key of the limit that hangs on prices.
const budget = "max_usd_per_hour"

// limits are those of the file that concern a unit, prices times a factor.
func (p *Planning) limits(u *unit, prices float64) []limit {
	var all []limit
	for _, l := range []limit{{budget, p.Spec.MaxUSDPerHour, prices * u.usdPerHour}, {"max_kw", p.Spec.MaxKW, u.watts / 1e3},
		{"max_accelerators", float64(p.Spec.MaxAccelerators), float64(u.accelerators)}} {
		if l.total > 0 {
			all = append(all, l)
		}
	}
	for _, name := range u.names() {
		if there, given := p.Spec.Available[name]; given {
			all = append(all, limit{fmt.Sprintf("available.%q", name), float64(there), float64(u.count[name])})
		}
	}
	return all
}

// most is how many units there may be without spares, and what bounds that.
func (p *Planning) most(u *unit, prices float64) (float64, string) {
	most, bound := math.Inf(1), ""
	for _, l := range p.limits(u, prices) {
		if n := l.most() - float64(p.Spec.Spare); n < most {
			most, bound = n, l.key
		}
	}
	return most, bound
}

// beyond are the limits within which a number of units and the spares are not.
func (p *Planning) beyond(c *planner.Candidate, units int) []string {
	u := unitOf(&c.Unit)
	var keys []string
	for _, l := range p.limits(&u, 1) {
		if float64(units+p.Spec.Spare) > l.most() {
			keys = append(keys, l.key)
		}
	}
	return keys
}

// needsPrices tells whether a candidate without a price cannot be judged.
func (p *Planning) needsPrices() bool { return p.Spec.Objective == "cost" || p.Spec.MaxUSDPerHour > 0 }

// checkPower refuses a limit of the power of accelerators of which nothing is known.
func (p *Planning) checkPower(h *HardwareSpec) error {
	if p.Spec.MaxKW > 0 && h.CostModel != "roofline" && !h.described() {
		return &badinput.Error{Key: "plan.max_kw", Value: p.Spec.MaxKW, Problem: "has no effect: no accelerator is named that draws power"}
	}
	return nil
}

// outFor are the candidates that a plan has left out for a reason.
func (p *Planning) outFor(a *results.Answer, reason func(*results.Option) bool) []planner.Candidate {
	names := map[string]bool{}
	for i := range a.Pruned {
		if reason(&a.Pruned[i]) {
			names[a.Pruned[i].Name] = true
		}
	}
	var out []planner.Candidate
	for i := range p.candidates {
		if names[p.candidates[i].Option.Name] {
			out = append(out, p.candidates[i])
		}
	}
	return out
}
