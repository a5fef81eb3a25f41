package experiments

import (
	"fmt"
	"math"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// ask takes the demand and the objective from the file of the first candidate, and refuses what
// no plan can be made of. They are the same for all.
func (p *Planning) ask(spec *Spec) error {
	if err := checkPlannedFleet(spec.Fleet); err != nil {
		return err
	}
	if p.base != nil {
		return nil
	}
	p.base = spec
	if spec.SLO.Attainment >= 1 {
		return &badinput.Error{Key: "slo.attainment", Value: spec.SLO.Attainment,
			Problem: "no number of simulations shows that every request meets its objective", Allowed: "below 1"}
	}
	if !spec.SLO.Objective().Set() && !slices.ContainsFunc(spec.objectives(), metrics.Objective.Set) {
		return &badinput.Error{Key: "slo", Problem: "missing: a plan needs an objective", Allowed: "ttft_ms, tpot_ms or e2el_ms"}
	}
	traffic := &spec.Workload
	p.demand = results.Demand{Factor: math.Pow(1+p.Spec.GrowthPerMonth, float64(p.Spec.Months)) * (1 + p.Spec.Headroom),
		Spare: p.Spec.Spare}
	p.demand.Load, p.demand.Unit = traffic.Load()
	switch {
	case traffic.Profiled():
		return &badinput.Error{Key: "workload.arrival", Problem: "the rate changes by design: no plan is made for that",
			Allowed: "a rate, such as that of the busiest hour"}
	case p.demand.Factor > mostGrown || p.demand.Factor < 1.0/mostGrown:
		return &badinput.Error{Key: "plan.months", Value: p.Spec.Months,
			Problem: fmt.Sprintf("headroom and growth make the demand %.3g times what it is", p.demand.Factor),
			Allowed: fmt.Sprintf("1/%d to %d times", mostGrown, mostGrown)}
	case math.IsInf(p.demand.Load, 1) || p.demand.Load == 0 && !traffic.TraceTimes():
		return &badinput.Error{Key: "workload.arrival", Problem: "no demand: requests come all at once",
			Allowed: "a rate, clients or users"}
	case p.demand.Factor != 1 && traffic.TraceTimes():
		return &badinput.Error{Key: "plan", Problem: "headroom and growth have no effect on a trace's times",
			Allowed: "workload.trace.time_scale below 1"}
	}
	return nil
}

// mostGrown is by how many times a demand may grow, or shrink.
const mostGrown = 1000

// checkPlannedFleet refuses what a fleet does that a plan cannot tell from its runs, which are as long as their statistics ask
// for.
func checkPlannedFleet(f *FleetSpec) error {
	switch {
	case f == nil:
		return nil
	case f.Autoscale != nil:
		return &badinput.Error{Key: "fleet.autoscale", Problem: "has no effect on a plan, which finds how many replicas there are"}
	case len(f.Failures) > 0:
		return &badinput.Error{Key: "fleet.failure", Problem: "not supported in a plan, whose runs are as long as a steady state asks for",
			Allowed: "plan.spare"}
	case f.Restart != nil:
		return &badinput.Error{Key: "fleet.restart", Problem: "not supported in a plan, which is of the steady state", Allowed: "plan.spare"}
	}
	return nil
}
