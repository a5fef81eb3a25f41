package sim

import (
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Config is one run: the traffic, the pools of replicas that serve it, and what
// is recorded.
type Config struct {
	Traffic workloads.Traffic

	// Pools are the replicas, those of a pool all alike; at least one. Replicas are
	// numbered from 0 over all pools, in this order.
	Pools []Pool

	// Router makes the router of a group: of the replicas that may serve the same requests,
	// which are those of the pools that serve the same classes. nil sends requests to them
	// in turn. Signals say how late it learns what they do.
	Router  func() routing.Router
	Signals Signals

	// Transfer is how keys and values come from pools that only prefill to those that only
	// decode; nil where there are none.
	Transfer *Transfer

	// Sharing lets replicas use what others have computed of a prompt; nil: each computes
	// what it has not cached.
	Sharing *Sharing

	// Queue lets requests wait at the router for a replica that has room; nil: they are sent
	// as they arrive, and wait at the replicas.
	Queue *RouterQueue

	// Rank orders the queue of a replica: a request of a lower rank comes first,
	// of equal ones that which arrived first. nil: in order of arrival.
	Rank func(workloads.Request) float64

	// Served orders the queue of a replica by what clients were served, in the place of Rank. Every step is planned by
	// itself then: who is next changes with each. nil: nothing does.
	Served *ServedOrder

	// LeastUrgentFirst preempts by rank, too: the sequence of the highest one first,
	// of several that which arrived last, and it goes back to its place in the queue.
	// Otherwise the youngest of the batch is preempted, and comes before all others,
	// whatever their rank.
	LeastUrgentFirst bool

	// GapBounds are by class what gaps between tokens are held against: of each request is counted how many of them
	// are longer; 0: none is. nil: nothing is counted.
	GapBounds []units.Seconds

	// Expected is about how many requests will arrive: the record is made for this
	// many, so that it need not grow. A wrong number changes nothing but memory.
	Expected int

	// Requests is how many requests the traffic has, which is checked at the end of a run
	// without MaxTime; 0: that is not known.
	Requests int

	// Stream adds requests up as they end, so that memory does not grow with their
	// number; nil keeps the record of each.
	Stream *metrics.Stream

	// Observer is called with steps, moves and phases as they end; nil costs nothing.
	Observer Observer

	// Timeline adds up what happens in a window of the run; nil costs nothing.
	Timeline *metrics.Timeline

	// Coarse does not ask what steps with prompts would cost without them: what the prompts of others take of a
	// request's time is told as its own prefill or decode. Nothing else changes, and the run is faster.
	Coarse bool

	// Reference simulates step by step, even where several steps could be computed
	// together; schedules are the same, and sums agree to rounding.
	Reference bool

	TooLong TooLong // what happens to a request that fits into no replica of its pool

	// Drain lets the run go on after the last arrival until every request has
	// ended; without it the rest is unfinished. MaxTime, in seconds of simulated
	// time from 0 on, ends it in any case; 0: never.
	Drain   bool
	MaxTime units.Seconds

	// InWindow tells whether a request counts for the steady state. It is asked once,
	// at the arrival; nil when no window is set, and then no request counts.
	InWindow func(r workloads.Request) bool
}

// TooLong says what happens to a request that exceeds the context of the pool
// that it goes to, or that no empty replica of that pool could hold.
type TooLong int

const (
	Reject   TooLong = iota
	Truncate         // the output to what the context leaves, and the prompt to leave it one token
)

// Fits reports whether every pool could serve a request: whichever replica the
// router names then has the memory for it.
func (c *Config) Fits(r workloads.Request) bool {
	for i := range c.Pools {
		if !c.Pools[i].Fits(r) {
			return false
		}
	}
	return true
}
