package scenario

import (
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Fleet says which replica serves a request. The zero Fleet sends requests to all replicas
// in turn.
type Fleet struct {
	Router     string             // of routing.Routers; empty: the first of them
	Parameters routing.Parameters // of the router

	SignalInterval   units.Seconds // all replicas report together, this often; 0: each when it changes
	SignalDelay      units.Seconds // how old a report is when it reaches the router
	IgnoreDispatches bool          // the router does not count what it has sent since
}

// configure sets the router of a run. Each group of replicas has one, with random numbers
// of its own.
func (f *Fleet) configure(c *sim.Config, seed uint64, replication int) error {
	if f.Router == "" {
		return nil
	}
	entry, known := policies.Find(routing.Routers, f.Router)
	if !known {
		return unknown("fleet.router", f.Router)
	}
	groups := 0
	c.Router = func() routing.Router {
		random := workloads.StreamOf(seed, replication, workloads.StreamRouting, groups)
		groups++
		return entry.New(f.Parameters, random)
	}
	c.Signals = sim.Signals{Interval: f.SignalInterval, Delay: f.SignalDelay, IgnoreDispatches: f.IgnoreDispatches}
	return nil
}
