package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
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

	// MaxWaiting refuses a request that finds so many before it in the front end
	// and the queue of its replica; 0: nobody is refused.
	MaxWaiting int

	Cost      hardware.CostModel // of a step, on any replica
	Reserve   policies.Reservation
	Blocks    int // KV blocks of a replica
	BlockSize int // tokens per block

	// FrontEnd is the front-end work on a prompt that the model reads so many
	// tokens of. At most Threads requests are worked on at a time, in order of
	// arrival; 0: all at once.
	FrontEnd func(prompt int) units.Seconds
	Threads  int

	// Sequential has the thread that runs a replica's steps do the front-end work
	// too, on each request right before its first step; there are no Threads then.
	Sequential bool

	// WholeAnswers sends the tokens of a request with its last one.
	WholeAnswers bool

	// Compression shortens prompts; nil leaves them as sent.
	Compression *Compression

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

	// Eviction keeps the blocks of named tokens for requests to come, and decides
	// which of them go when their place is needed; nil: no prefix caching.
	Eviction policies.Eviction

	// Tiers are the memories below the accelerators', nearest first; none: keys and
	// values stay where they are. A block takes BlockBytes of each accelerator.
	// Streamed of Blocks are in the first tier: decode steps read them from there.
	Tiers      []Tier
	BlockBytes units.Bytes
	Streamed   int

	// Layers is the number of layers of the model where moves between the tiers
	// overlap with a step, layer by layer; 0: the step waits for them.
	Layers int

	// Accepted says how many of the guesses behind a request's token at a place of
	// its answer are accepted; nil where the policy proposes none.
	Accepted func(request, place, guesses int) int

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
func (c *Config) Fits(r workloads.Request) bool {
	return c.Compression.Tokens(r.Input)+r.Output <= c.limit()
}

// truncated shortens r until it fits, or is down to one token of each kind.
func (c *Config) truncated(r workloads.Request) workloads.Request {
	r.Input = max(1, c.Compression.longest(r.Input, c.limit()-1))
	r.Named = min(r.Named, r.Input)
	r.Output = max(1, min(r.Output, c.limit()-c.Compression.Tokens(r.Input)))
	return r
}

// preparation is the front-end work on a request.
func (c *Config) preparation(r workloads.Request) units.Seconds {
	return c.Compression.time(r.Input) + c.FrontEnd(c.Compression.Tokens(r.Input))
}
