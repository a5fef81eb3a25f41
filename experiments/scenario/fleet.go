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

	RegretSamples int // requests that are looked back at, see AddRegret; 0: none

	Queue    *Queue    // nil: requests wait at the replicas
	Transfer *Transfer // between pools of which some prefill and some decode; nil: there are none
	Sharing  *Sharing  // of prompts; nil: each replica computes what it has not cached
}

// Queue lets requests wait at the router, see sim.RouterQueue.
type Queue struct {
	MaxInFlight int    // requests that a replica has at a time; 0: no limit
	Order       string // of policies.Orders
	Rate        float64
	Burst       int
	Timeout     units.Seconds
	Retries     int
	Backoff     units.Seconds
}

// configureFleet sets the router of a run and its queue.
func (s *Scenario) configureFleet(c *sim.Config) (err error) {
	f := &s.Fleet
	if q := f.Queue; q != nil {
		c.Queue = &sim.RouterQueue{MaxInFlight: q.MaxInFlight, Rate: q.Rate, Burst: q.Burst,
			Timeout: q.Timeout, Retries: q.Retries, Backoff: q.Backoff}
		if c.Queue.Rank, err = s.rank(q.Order, "fleet.queue.order"); err != nil {
			return err
		}
	}
	if f.Router == "" {
		return nil
	}
	entry, known := policies.Find(routing.Routers, f.Router)
	if !known {
		return unknown("fleet.router", f.Router)
	}
	c.Signals = sim.Signals{Interval: f.SignalInterval, Delay: f.SignalDelay, IgnoreDispatches: f.IgnoreDispatches}
	c.Router = s.routers(&entry)
	return nil
}

// routers makes the router of each group of replicas, with random numbers of its own.
func (s *Scenario) routers(entry *routing.Entry) func() routing.Router {
	groups := 0
	return func() routing.Router {
		random := workloads.StreamOf(s.Seed, s.Replication, workloads.StreamRouting, groups)
		groups++
		return entry.New(s.Fleet.Parameters, random)
	}
}
