package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// Pool is replicas of one kind: the same model on the same hardware with the
// same policies. Each has a queue, a batch and KV blocks of its own.
type Pool struct {
	Name     string // in results
	Replicas int    // at the start of the run

	Startup Startup  // of replicas that are ordered during a run
	Scaling *Scaling // nil: there are always as many replicas

	Restart  *Restart  // nil: none
	Failures []Failure // of replicas, nodes, links or the whole pool

	Role    Role
	Sent    Sent    // of replicas that do a part of requests
	Classes []int   // of the requests that it serves; nil: all
	Weight  float64 // of a replica, for routers that know weights; 0: 1

	// Batching makes the policy of one replica. It is called once for each, since a
	// policy may remember what it decided.
	Batching func() policies.Batching

	// MaxWaiting refuses a request that finds this many before it in the front end
	// and the queue of its replica; 0: no request is refused.
	MaxWaiting int

	Cost      hardware.CostModel   // says how long a step takes
	Reserve   policies.Reservation // says how many tokens' memory a sequence sets aside
	Blocks    int                  // KV blocks of a replica
	BlockSize int                  // tokens of a block
	MaxTokens int                  // prompt and output of a request at most: the context

	// Windows lets blocks come free that layers with sliding-window attention do not
	// attend to any more, and Chunk is the most tokens of a sequence in a step then; 0: a
	// step computes whole prompts. Sequences take blocks as their tokens come, and
	// without guesses, Eviction and Tiers.
	Windows paging.Windows
	Chunk   int

	// FrontEnd is the seconds of front-end work on a prompt, by the number of tokens
	// that the model reads of it. At most Threads requests are worked on at a time,
	// in order of arrival; 0: all at once.
	FrontEnd func(prompt int) units.Seconds
	Threads  int

	// Sequential has the thread that runs a replica's steps do the front-end work
	// too, on each request right before its first step: the accelerators idle
	// meanwhile. Threads has no meaning then.
	Sequential bool

	// WholeAnswers sends all tokens of a request together with the last one: the time
	// to the first token is that to the last, and there are no gaps between tokens.
	WholeAnswers bool

	// WholeBatches sends the answers of a batch together, when the last of its sequences
	// ends: until then all keep their memory. It goes with WholeAnswers and with a policy
	// that lets nobody join a batch.
	WholeBatches bool

	// Compression shortens prompts; nil leaves them as sent.
	Compression *Compression

	// AsyncScheduling plans each step while the one before it runs: a request that
	// arrives during a step misses the next one too, and one that ends with a step
	// keeps its slot and blocks during the next one. A pipeline of several stages
	// plans when a step lands, in any case.
	AsyncScheduling bool

	// Eviction keeps the blocks of named tokens for requests to come, and decides
	// which of them are lost when their memory is needed; nil: no prefix caching.
	Eviction policies.Eviction

	// CacheTTL is how long a cached block is found that nobody holds; 0: as long as it
	// has its memory. It wants an eviction that takes blocks in the order in which they were
	// freed: those that are too old are first then, and need not be looked for.
	CacheTTL units.Seconds

	// Tiers are the memories beside the accelerators' own, nearest first; without any
	// keys and values stay where they are. BlockBytes is the size of a KV block on
	// each accelerator. Streamed is how many of Blocks are in the first tier: decode
	// steps read them from there.
	Tiers      []Tier
	BlockBytes units.Bytes
	Streamed   int

	// StateBytes is what a sequence has on each accelerator besides its blocks, whatever its length, and takes along where
	// its keys and values move: the states of linear attention. One comes with the last block of a prefix that is loaded.
	// SharedState is the same on all accelerators of a replica together. Neither has room of its own in tiers and stores,
	// and no state is sent with copies that are made there.
	StateBytes, SharedState units.Bytes

	// SharedBytes is the size of a KV block on all accelerators of a replica together, where
	// its replicas take part in Sharing, with Eviction and without SerialMoves; 0: they do not.
	SharedBytes units.Bytes

	// SerialMoves has each step wait for what moves before it, and copies of cached
	// blocks made at no time. Otherwise sequences wait for the links, beside the
	// steps of the others.
	SerialMoves bool

	// Layers is the number of layers of the model where moves between the tiers
	// overlap with a step, layer by layer; 0: a step begins when they have ended.
	Layers int

	// Acceptance says which guesses of the policy are right; nil where it makes none.
	Acceptance *workloads.Acceptance
}

// Sent is the keys and values of a token that go from replica to replica, on each accelerator
// that has some of them.
type Sent struct {
	Bytes units.Bytes // of the model

	// State is what is sent of a sequence besides, whatever its length: of linear attention.
	State units.Bytes

	// DraftBytes are those of a proposer, which are sent to replicas that have the same one.
	DraftBytes units.Bytes
	Drafter    string

	// Lanes is how many transfers have links of their own: those of the data-parallel groups
	// of a replica, each of which has sequences of its own; 0: one.
	Lanes int
}

// stateInTokens is how many tokens' keys and values a state is as large as.
func (s *Sent) stateInTokens() float64 {
	if s.State == 0 {
		return 0
	}
	return float64(s.State / s.Bytes)
}

// serves tells whether the pool's replicas serve a class of requests.
func (p *Pool) serves(class int) bool { return p.Classes == nil || slices.Contains(p.Classes, class) }

// longest is the most tokens of prompt and output that a request may have: more
// would exceed the context, or the memory of an empty replica.
func (p *Pool) longest() int {
	return min(p.MaxTokens, p.Windows.Longest(p.Blocks, p.BlockSize, p.Chunk))
}

// Fits reports whether a replica of the pool could serve a request.
func (p *Pool) Fits(r workloads.Request) bool { return p.fits(r, p.generates(&visit{Request: r})) }

// fits reports whether a replica of the pool could generate a number of tokens of a request's answer.
func (p *Pool) fits(r workloads.Request, output int) bool {
	return p.Compression.Tokens(r.Input)+output <= p.longest()
}

// generates is how many tokens of an answer are there when the pool's replicas have done their part.
func (p *Pool) generates(v *visit) int {
	if p.Role == PrefillOnly && !v.whole {
		return v.generated() + 1
	}
	return v.Output
}

// truncated shortens r until it fits, or has one token of prompt and one of output
// left. The output is shortened first, and the prompt only where it would leave the
// output no token.
func (p *Pool) truncated(r workloads.Request) workloads.Request {
	r.Input = max(1, p.Compression.longest(r.Input, p.longest()-1))
	r.Named = min(r.Named, r.Input)
	r.Output = max(1, min(r.Output, p.longest()-p.Compression.Tokens(r.Input)))
	return r
}

// preparation is the seconds of front-end work on a request. Compression reads what
// was sent, tokenization what is left of it.
func (p *Pool) preparation(r workloads.Request) units.Seconds {
	return p.Compression.time(r.Input) + p.FrontEnd(p.Compression.Tokens(r.Input))
}

// blocksFor is the number of blocks that a sequence of a number of tokens holds; the
// last one may be partly empty.
func (p *Pool) blocksFor(tokens int) int { return p.Windows.BlocksFor(tokens, p.BlockSize) }

// bytesOf is the size of a number of blocks on each accelerator.
func (p *Pool) bytesOf(blocks int) units.Bytes { return units.Bytes(blocks) * p.BlockBytes }

// movedOf is the size of a sequence of a number of blocks on each accelerator.
func (p *Pool) movedOf(blocks int) units.Bytes { return p.bytesOf(blocks) + p.StateBytes }
