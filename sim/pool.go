package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Pool is replicas of one kind: the same model on the same hardware with the
// same policies. Each has a queue, a batch and KV blocks of its own.
type Pool struct {
	Name     string // in results
	Replicas int

	// Batching makes the policy of one replica. It is called once for each.
	Batching func() policies.Batching

	// MaxWaiting refuses a request that finds this many before it in the front end
	// and the queue of its replica; 0: nobody is refused.
	MaxWaiting int

	Cost      hardware.CostModel // of a step
	Reserve   policies.Reservation
	Blocks    int // KV blocks of a replica
	BlockSize int // tokens of a block
	MaxTokens int // prompt and output of a request at most: the context

	// FrontEnd is the front-end work on a prompt of which the model reads prompt
	// tokens. At most Threads requests are worked on at a time, in order of
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

	// AsyncScheduling plans each step while the one before it runs, so that a
	// request which arrives during a step misses the next one too.
	AsyncScheduling bool

	// Eviction keeps the blocks of named tokens for requests to come, and decides
	// which of them go when their memory is needed; nil: no prefix caching.
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
}

// longest is the most tokens that a request may come to.
func (p *Pool) longest() int { return min(p.MaxTokens, p.Blocks*p.BlockSize) }

// Fits reports whether a replica of the pool could serve a request.
func (p *Pool) Fits(r workloads.Request) bool {
	return p.Compression.Tokens(r.Input)+r.Output <= p.longest()
}

// truncated shortens r until it fits, or is down to one token of each kind.
func (p *Pool) truncated(r workloads.Request) workloads.Request {
	r.Input = max(1, p.Compression.longest(r.Input, p.longest()-1))
	r.Named = min(r.Named, r.Input)
	r.Output = max(1, min(r.Output, p.longest()-p.Compression.Tokens(r.Input)))
	return r
}

// preparation is the front-end work on a request.
func (p *Pool) preparation(r workloads.Request) units.Seconds {
	return p.Compression.time(r.Input) + p.FrontEnd(p.Compression.Tokens(r.Input))
}

// blocksFor is the number of blocks that hold a number of tokens.
func (p *Pool) blocksFor(tokens int) int { return (tokens + p.BlockSize - 1) / p.BlockSize }

// bytesOf is the size of a number of blocks on each accelerator.
func (p *Pool) bytesOf(blocks int) units.Bytes { return units.Bytes(blocks) * p.BlockBytes }
