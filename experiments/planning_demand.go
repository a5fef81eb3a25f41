package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// ask takes the demand and the objective from the file of the first candidate, and refuses what
// no plan can be made of. They are the same for all.
func (p *Planning) ask(spec *Spec) error {
	if err := checkPlannedFleet(spec.Fleet); err != nil {
		return err
	}
	if err := p.checkPower(&spec.Hardware); err != nil {
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
	return p.askLoad(&spec.Workload)
}

// askLoad takes the demand from the workload.
func (p *Planning) askLoad(traffic *workloads.Spec) error {
	p.demand = results.Demand{Factor: math.Pow(1+p.Spec.GrowthPerMonth, float64(p.Spec.Months)) * (1 + p.Spec.Headroom),
		Spare: p.Spec.Spare}
	p.demand.Load, p.demand.Unit = traffic.Load()
	switch {
	case p.demand.Factor > mostGrown || p.demand.Factor < (1-1e-9)/mostGrown:
		return &badinput.Error{Key: "plan.months", Value: p.Spec.Months,
			Problem: fmt.Sprintf("headroom and growth make the demand %.3g times what it is", p.demand.Factor),
			Allowed: fmt.Sprintf("1/%d to %d times", mostGrown, mostGrown)}
	case math.IsInf(p.demand.Load, 1) || p.demand.Load == 0 && !traffic.TraceTimes():
		return &badinput.Error{Key: "workload.arrival", Problem: "no demand: requests come all at once",
			Allowed: "a rate, clients or users"}
	case !traffic.Profiled():
		return nil
	}
	profile := traffic.Profile()
	if profile == nil {
		return &badinput.Error{Key: "workload.arrival", Problem: "the rate changes more than 10000 times by design: no plan is made for that",
			Allowed: "longer hours"}
	}
	peak := slices.MaxFunc(profile, func(a, b workloads.Stretch) int { return cmp.Compare(a.Rate, b.Rate) })
	if peak.Rate == 0 {
		return &badinput.Error{Key: "workload.duration", Value: traffic.Duration.String(), Problem: "no demand: no request comes within it"}
	}
	p.demand.Peak = &results.Peak{Load: peak.Rate, From: float64(peak.From), Until: float64(peak.Until), Profile: traffic.ProfileKey()}
	if p.demand.Peak.Profile != "ramp" { // which follows the requests, not the time
		p.demand.Levels = levelsOf(profile, peak.Rate)
	}
	return nil
}

// levelsOf are the rates of a profile as shares of the highest one, rounded up to 24ths, the lowest first.
func levelsOf(profile []workloads.Stretch, highest float64) []results.Level {
	const steps = 24
	var time [steps + 1]float64
	for _, s := range profile {
		time[int(math.Ceil(steps*s.Rate/highest*(1-1e-9)))] += float64(s.Until - s.From)
	}
	var levels []results.Level
	total := float64(profile[len(profile)-1].Until)
	for i, t := range time {
		if t > 0 {
			levels = append(levels, results.Level{Factor: float64(i) / steps, Share: t / total})
		}
	}
	return levels
}

// planned is the traffic that fleets are simulated under.
func (p *Planning) planned(traffic workloads.Spec) workloads.Spec {
	if peak := p.demand.Peak; peak != nil {
		traffic = traffic.Steady(units.Seconds(peak.From))
	}
	return traffic.Scaled(p.demand.Factor)
}

// hasten lets the times of a trace grow with the demand: rows come closer together.
func (p *Planning) hasten(file *File, traffic *workloads.Spec) error {
	if p.demand.Factor == 1 || !traffic.TraceTimes() {
		return nil
	}
	return setKey(file.tree, "workload.trace.time_scale", traffic.Trace.TimeScale/p.demand.Factor)
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
