package policies

import (
	"kneepoint/units"
	"kneepoint/units/paging"
)

// Sequence is what a policy may know of one request in the replica.
type Sequence struct {
	ID        int // names the sequence within its replica while it is there
	Prompt    int // tokens of the prompt
	Generated int // tokens generated so far
	Computed  int // tokens whose keys and values are in memory
	Blocks    int // KV blocks held
	Reserved  int // tokens to hold memory for from admission on; 0: as they come
	Most      int // tokens that it may come to, prompt and answer together, as its client declared

	// Rank is what the queue is ordered by, lower ones first, of equal ones those
	// that arrived first, where it is not ordered by arrival alone.
	Rank    float64
	Arrival units.Seconds

	// Offloaded says that the prompt's keys and values are moved out as its layers
	// are computed: the sequence holds but a working set of blocks, and is parked
	// when its prefill ends.
	Offloaded bool

	// Leaving says that the keys and values are still on their way to the first tier,
	// where the sequence is parked.
	Leaving bool

	// Recovers says that it computes keys and values again that it lost when it was
	// preempted. Guesses were lost with them: there are new ones when it has its next token.
	Recovers bool

	// Returned says that it has come back from the first tier, beside the steps, and has no
	// new token since. It goes on with the blocks that it came with, which its pending tokens
	// fill, and without guesses: could it lack memory at once it would leave at once, and two
	// that wait for each other's memory take turns for ever.
	//
	// Source: vllm/core/scheduler.py, Scheduler._schedule_swapped, which swaps a sequence in
	// together with its next step.
	Returned bool

	// InFlight is the number of steps under way with a task of the sequence, in a
	// pipeline of several stages: their tokens count as computed, the token that
	// the last of them generates does not exist yet. Such a sequence cannot be
	// preempted.
	InFlight int

	// Ended says that its last token came with the step before, while this plan was
	// made already (see View.Ended): nothing is pending, unless it Overruns.
	Ended bool

	// Overruns says that guesses ended it before their time, which this plan does not foresee:
	// it has a task like any other, for nothing.
	Overruns bool

	// Assumed is the number of tokens that this plan counts beside Computed, under
	// asynchronous scheduling: guesses of the step before, which turn out to be wrong.
	Assumed int
}

// Length is the number of tokens that exist: the prompt and what was generated.
func (s *Sequence) Length() int { return s.Prompt + s.Generated }

// Pending is the number of tokens to process before the next one can be
// generated: 1 for a sequence that decodes, more for one in prefill, 0 while the
// next one is under way, and at its end. After a preemption by recompute it is the
// prompt and all that was generated.
func (s *Sequence) Pending() int {
	if s.Ended && !s.Overruns {
		return 0
	}
	return s.Prompt + s.Generated - s.Computed
}

// Decodes tells whether one token is all that is pending before the next one.
func (s *Sequence) Decodes() bool { return s.Pending() == 1 && s.Generated > 0 }

// Before tells whether s is more urgent than t: of a lower rank, or of the same and
// earlier arrival.
func (s *Sequence) Before(t *Sequence) bool {
	if s.Rank != t.Rank {
		return s.Rank < t.Rank
	}
	return s.Arrival < t.Arrival
}

// Queue is the requests that wait for admission, in order.
type Queue interface {
	Len() int
	At(i int) *Sequence
}

// View is what a policy sees of its replica. Everything in it is read-only.
type View struct {
	Now         units.Seconds
	Waiting     Queue
	Running     []*Sequence // the batch, in order of admission
	BlockSize   int         // tokens per KV block
	FreeBlocks  int
	TotalBlocks int
	MaxTokens   int            // that any sequence may get, of prompt and answer together
	Windows     paging.Windows // of the model's layers

	// Ended is the number of sequences in Running whose last token came with the step
	// before, under asynchronous scheduling: this plan was made before that was
	// known. They have nothing to process, but for those that overrun, and keep their slots
	// and blocks until the next plan. Preempting one takes its blocks and loses nothing.
	Ended int

	Cache PrefixCache // nil without prefix caching

	// LeastUrgentFirst says who is preempted first: the sequence of the highest rank,
	// of several the one that arrived last; not the youngest of the batch.
	LeastUrgentFirst bool

	// Parked are the sequences whose keys and values are in the first tier, a memory
	// beside the accelerators', in order of admission; nil without tiers.
	// FreeTierBlocks is the number of blocks that are free there.
	Parked         Queue
	FreeTierBlocks int
	Links          Links // nil without tiers

	// MovesAside says that sequences move over the links beside the steps. Those that are
	// parked give LeavingBlocks back when they have moved out; Returning sequences are on
	// their way back to the batch, and have their blocks.
	MovesAside    bool
	LeavingBlocks int
	Returning     int
}

// Links knows how busy the links to the tiers are.
type Links interface {
	// SwapPays tells whether moving a running sequence to the first tier and back, behind
	// a number of blocks that move there first, is faster than computing it again.
	SwapPays(s *Sequence, ahead int) bool
}

// PrefixCache knows what is in memory of sequences that wait, and what running
// ones share.
type PrefixCache interface {
	// Lookup returns what is cached of the first tokens of s, never all of them, once
	// the tasks have their blocks that d already holds: what these are to compute counts
	// as cached, and blocks that they take for something else no longer do. The same
	// holds for sequences that appear as totals only, unless d says Stall.
	Lookup(s *Sequence, d *Decision) Hit

	// Freed returns how many blocks come free when these running sequences all
	// give theirs up: a shared block once its last holder does.
	Freed(victims []*Sequence) int
}

// Hit is a cached prefix.
type Hit struct {
	Tokens int // whose keys and values are in memory by then, or in a tier
	Held   int // of their blocks, those that others hold already: they need no free block

	// Load says that some of these tokens come from a tier first. The request waits for
	// them outside the batch, with blocks for all its tokens.
	Load bool

	// Follows says that others load what is to be loaded first already. The request
	// waits for that, without blocks, and is looked up again.
	Follows bool
}

// Hit returns what is cached of a waiting sequence, behind the tasks of d.
func (v *View) Hit(s *Sequence, d *Decision) Hit {
	if s.Blocks > 0 { // its load has ended
		return Hit{Held: s.Blocks}
	}
	if v.Cache == nil {
		return Hit{}
	}
	return v.Cache.Lookup(s, d)
}

// Freed returns how many blocks come free when these running sequences all give
// theirs up.
func (v *View) Freed(victims []*Sequence) int {
	if v.Cache != nil {
		return v.Cache.Freed(victims)
	}
	n := 0
	for _, s := range victims {
		n += s.Blocks
	}
	return n
}

// BlocksFor returns the number of blocks that a sequence of the given number of tokens
// holds.
func (v *View) BlocksFor(tokens int) int { return v.Windows.BlocksFor(tokens, v.BlockSize) }
