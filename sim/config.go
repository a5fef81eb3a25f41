package sim

import (
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Config is one run: the traffic, the pools of replicas that serve it, and what
// is recorded.
type Config struct {
	Traffic workloads.Traffic

	// Pools are the replicas, those of a pool all alike. Replicas are numbered over
	// all pools, in this order.
	Pools []Pool

	// Router names the replica that a request goes to; nil: in turn.
	Router policies.Router

	// Rank orders the queue of a replica: a request of a lower rank comes first,
	// of equal ones that which arrived first. Preempted requests come before all
	// others. nil: in order of arrival.
	Rank func(workloads.Request) float64

	// Expected is about how many requests there will be; it saves memory.
	Expected int

	// Stream takes the requests as they end, in constant memory; nil keeps them.
	Stream *metrics.Stream

	// Observer sees steps, moves and phases as they happen; nil: nobody looks.
	Observer Observer

	// Reference simulates step by step, even where stretches of steps could be
	// taken at once; the results are the same.
	Reference bool

	TooLong TooLong

	// Drain lets the run go on after the last arrival until every request has
	// ended; without it the rest is unfinished. MaxTime ends it in any case.
	Drain   bool
	MaxTime units.Seconds

	// InWindow tells whether a request counts for the steady state; nil when no
	// window is set.
	InWindow func(r workloads.Request) bool
}

// TooLong says what happens to a request that exceeds the context of the pool
// that it goes to, or that no empty replica of that pool could hold.
type TooLong int

const (
	Reject   TooLong = iota
	Truncate         // the output to what the context leaves, and the prompt to leave it one token
)

// Fits reports whether every pool could serve a request.
func (c *Config) Fits(r workloads.Request) bool {
	for i := range c.Pools {
		if !c.Pools[i].Fits(r) {
			return false
		}
	}
	return true
}
