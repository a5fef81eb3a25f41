package policies

import (
	"math"

	"kneepoint/units"
)

// Never is the Wake of a replica that waits for the next arrival.
var Never = units.Seconds(math.Inf(1))

// Task is one sequence's share of a step.
type Task struct {
	Sequence *Sequence
	Cached   int  // tokens that the prefix cache has, of a request that joins
	Held     int  // of the blocks of these, those that others hold already
	Tokens   int  // to process after these, at least 1 and at most what is pending then
	Padding  int  // rows computed besides, up to the length of the longest prompt
	Joins    bool // the sequence comes from the queue
	Offload  bool // of a request that joins: move its keys and values out, layer by layer; Blocks is a working set
	Draft    int  // tokens in a row to guess behind the one that decodes, and to verify in the same step
	Nodes    int  // guesses in all: Draft of a chain, more of a tree with several for a position
	Blocks   int  // KV blocks to hold from this step on, at least as many as now, for guesses too
}

// Held is what keeps the head of the queue from joining the batch.
type Held uint8

const (
	HeldByOrder  Held = iota // nothing but its turn: the step's budget of tokens, or the batch that runs
	HeldByMemory             // there are not enough free blocks
	HeldBySlots              // the batch has as many sequences as it may have
)

// Decision is what a policy wants done. A Decision without Tasks leaves the
// replica idle until a request arrives, or until Wake.
type Decision struct {
	// Preempt are running sequences that give up their blocks and go back to the
	// front of the queue, the last one foremost. It is carried out first.
	Preempt []*Sequence

	// Swap is the number of sequences of Preempt, the first ones, that are parked
	// instead: their keys and values move to the first tier.
	Swap int

	// Restore is the number of parked sequences, the first ones, that come back into
	// the batch with their keys and values. Each must have a task.
	Restore int

	// Fetch is the number of parked sequences, the first ones, that begin to come back
	// beside the steps. They have no task before they are in the batch.
	Fetch int

	// Load are requests that leave the queue to wait for their keys and values, beside
	// the steps, in order: with Cached tokens and all their Blocks, or with none where
	// they follow others. They come back to its front.
	Load []Task

	// Admit is the number of requests that leave the front of the queue, for the batch or
	// to be loaded. Each must have a task here or there. It is 0 where Preempt holds more than Swap counts, since
	// these would be the front.
	Admit int

	// Tasks get their blocks in this order, behind the sequences that appear as totals.
	Tasks []Task

	// Blocked are sequences of the batch without a task, whose blocks come free only
	// when another one has moved out.
	Blocked []*Sequence

	// Held is why the first of the requests that are not admitted is not.
	Held Held

	// PaddingRows are rows that the step computes for sequences that have ended, and
	// PaddingContext the tokens of nobody whose keys and values it reads: PaddingGrowth
	// more in every further step in which the same sequences decode.
	PaddingRows    int
	PaddingContext int64
	PaddingGrowth  int

	// Stall is set in the answer to an Aggregate when the sequences that decode
	// have no task in this step, and before the prefix cache is asked. Spare is set when
	// it is the same in the steps that follow only while so many blocks are free beyond
	// the demand.
	Stall bool
	Spare int

	// Chunked is set in the answer to an Aggregate whose only task is a chunk of a prompt in
	// prefill where it is the same in the steps that follow, with as long a chunk, as long as nothing arrives but
	// behind others in the queue, no sequence ends, the prompt has more tokens left than that, and the free blocks meet the demand of all.
	Chunked bool

	// Settled is set in the answer to an Aggregate that holds no task where nobody waits: it is the same in the steps that follow when
	// sequences have ended, too, as long as others still decode, nothing arrives, and the free blocks meet the demand of all.
	Settled bool

	// Share is what each sequence that appears as totals has of the step, where they guess,
	// and Proposals what its guesses come from: the same in the steps that follow
	// as long as their length is.
	Share     Share
	Proposals Proposals

	Wake units.Seconds
}

// Reset empties d, keeping its memory, and lets it wait for the next arrival.
func (d *Decision) Reset() {
	d.Preempt, d.Tasks, d.Blocked, d.Load = d.Preempt[:0], d.Tasks[:0], d.Blocked[:0], d.Load[:0]
	d.Swap, d.Restore, d.Fetch, d.Admit, d.Held = 0, 0, 0, 0, HeldByOrder // one by one: a new Decision would be copied over the old one
	d.PaddingRows, d.PaddingContext, d.PaddingGrowth = 0, 0, 0
	d.Stall, d.Spare, d.Chunked, d.Settled = false, 0, false, false
	d.Share, d.Proposals, d.Wake = Share{}, nil, Never
}

// admitWith lets the next request of the queue join with a task.
func (d *Decision) admitWith(t Task) {
	t.Joins = true
	d.Tasks = append(d.Tasks, t)
	d.Admit++
}

// Joining is the number of requests that join the batch.
func (d *Decision) Joining() int { return d.Admit - len(d.Load) }

// load lets the next request of the queue wait for what is loaded of it, with a number
// of blocks, or follow others. It returns how many free blocks that takes; it is
// false when nothing needs to be loaded.
func (d *Decision) load(s *Sequence, hit Hit, blocks int) (taken int, ok bool) {
	switch {
	case hit.Follows:
		d.Load = append(d.Load, Task{Sequence: s})
	case hit.Load:
		d.Load = append(d.Load, Task{Sequence: s, Cached: hit.Tokens, Held: hit.Held, Blocks: blocks})
		taken = blocks - hit.Held
	default:
		return 0, false
	}
	d.Admit++
	return taken, true
}

// dropLoads forgets the decision where it preempts beside loads, which is true then: a
// load may hold blocks of those that are preempted, and nobody is admitted beside a
// preemption.
func (d *Decision) dropLoads() bool {
	if len(d.Preempt) == 0 || len(d.Load) == 0 {
		return false
	}
	d.Reset()
	d.Held = HeldByMemory
	return true
}

// noteSlots notes that the rest of the queue waits for the end of others, if the
// batch of running sequences and those that join has maxSeqs.
func (d *Decision) noteSlots(v *View, running, maxSeqs int) {
	if running+d.Joining() >= maxSeqs && d.Admit < v.Waiting.Len() {
		d.Held = HeldBySlots
	}
}

// Batching decides the next step of a replica. It may keep state of its own, so
// each replica has its own value.
type Batching interface {
	// Plan fills d, which is reset, for the step that starts at v.Now.
	Plan(v *View, d *Decision)

	// Totals plans the same from totals; nil where every step must look at single
	// sequences. The answer never changes. A policy that wraps another one must
	// answer for itself, so it keeps the other in a field and does not embed it.
	Totals() Aggregating
}
