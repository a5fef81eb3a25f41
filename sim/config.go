package sim

import (
	"kneepoint/hardware"
	"kneepoint/internal/units"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// Config is one run.
type Config struct {
	Traffic workloads.Traffic

	// Batching has one policy per replica of the deployment. Requests go to the
	// replicas in turn.
	Batching []policies.Batching

	// Rank orders the queue of a replica: a request of a lower rank comes first,
	// of equal ones that which arrived first. Preempted requests come before all
	// others. nil: in order of arrival.
	Rank func(workloads.Request) float64

	Cost      hardware.CostModel // of a step, on any replica
	FrontEnd  func(prompt int) units.Seconds
	Reserve   policies.Reservation
	Blocks    int // KV blocks of a replica
	BlockSize int // tokens per block

	// Expected is about how many requests there will be; it saves memory.
	Expected int

	// Stream takes the requests as they end, in constant memory; nil keeps them.
	Stream *metrics.Stream

	// Reference simulates step by step, even where stretches of steps could be
	// taken at once; the results are the same.
	Reference bool

	// AsyncScheduling plans each step while the one before it runs, so that a
	// request which arrives during a step misses the next one too.
	AsyncScheduling bool

	// PrefixCaching keeps the blocks of shared prefixes for requests to come.
	PrefixCaching bool

	MaxTokens int // prompt and output of a request at most: the context
	TooLong   TooLong

	// Drain lets the run go on after the last arrival until every request has
	// ended; without it the rest is unfinished. MaxTime ends it in any case.
	Drain   bool
	MaxTime units.Seconds

	// InWindow tells whether a request counts for the steady state; nil when no
	// window is set.
	InWindow func(r workloads.Request) bool
}

// TooLong says what happens to a request that exceeds the context, or that no
// empty replica could hold.
type TooLong int

const (
	Reject   TooLong = iota
	Truncate         // the output to what the context leaves, and the prompt to leave it one token
)

// limit is the most tokens that a request may come to.
func (c *Config) limit() int { return min(c.MaxTokens, c.Blocks*c.BlockSize) }

// Fits reports whether a request can be served at all.
func (c *Config) Fits(r workloads.Request) bool { return r.Input+r.Output <= c.limit() }

// truncated shortens r until it fits, or is down to one token of each kind.
func (c *Config) truncated(r workloads.Request) workloads.Request {
	r.Input = max(1, min(r.Input, c.limit()-1))
	r.Output = max(1, min(r.Output, c.limit()-r.Input))
	return r
}
