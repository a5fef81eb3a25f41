package experiments

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
)

// unit is what a candidate's smallest fleet consists of.
type unit struct {
	replicas, accelerators int
	count                  map[string]int // accelerators by name
	prices                 map[string]float64
	usdPerHour, watts      float64
	unpriced               string // an accelerator that has no price
}

// unitOf is that of the scenario of one unit.
func unitOf(s *scenario.Scenario) unit {
	u := unit{count: map[string]int{}, prices: map[string]float64{}}
	for i := range s.Pools {
		pool := &s.Pools[i]
		u.replicas += pool.Replicas
		d := pool.Deployment.Roofline
		if d == nil {
			n := pool.Replicas * max(pool.Deployment.Bare.Accelerators, 1)
			u.accelerators += n
			u.unpriced = "synthetic steps"
			continue
		}
		n := pool.Replicas * d.Accelerators()
		u.accelerators += n
		u.count[d.Accelerator.Name] += n
		u.usdPerHour += float64(n) * d.Accelerator.USDPerHour
		u.prices[d.Accelerator.Name] += float64(n) * d.Accelerator.USDPerHour
		u.watts += float64(n) * cmp.Or(d.Accelerator.PowerCapWatts, d.Accelerator.TDPWatts)
		if d.Accelerator.USDPerHour == 0 {
			u.unpriced = d.Accelerator.Name
		}
	}
	return u
}

// forResults is the unit as an answer has it.
func (u *unit) forResults() results.Unit {
	r := results.Unit{Replicas: u.replicas, Accelerators: u.accelerators, Accelerator: strings.Join(u.names(), " + ")}
	if u.unpriced == "" {
		r.USDPerHour = &u.usdPerHour
	}
	for _, name := range u.names() {
		if len(u.count) > 1 {
			r.Of = append(r.Of, results.Part{Accelerator: name, Accelerators: u.count[name], USDPerHour: u.prices[name]})
		}
	}
	return r
}

// names are those of the accelerators, in order.
func (u *unit) names() []string { return slices.Sorted(maps.Keys(u.count)) }
