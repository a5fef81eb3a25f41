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
	Cached   int  // tokens to take from the prefix cache first, on admission
	Tokens   int  // to process after these, at least 1 and at most what is pending then
	Padding  int  // rows computed besides, to fill up to the longest prompt
	Offload  bool // of a request that joins: move its keys and values out, layer by layer; Blocks is a working set
	Draft    int  // tokens in a row to guess behind the one that decodes, and to verify in the same step
	Nodes    int  // guesses in all: Draft of a chain, more of a tree that has several for a place
	Blocks   int  // KV blocks to hold from this step on, at least as many as now; with room for Nodes
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

	// Swap is how many of Preempt, the first ones, are parked instead: their keys
	// and values move to the memory below.
	Swap int

	// Restore is how many parked sequences, the first ones, come back into the
	// batch, with their keys and values. Each must have a task.
	Restore int

	// Admit is how many requests leave the front of the queue for the batch.
	// Each must have a task. It is 0 where Preempt holds more than Swap counts, since
	// these would be the front.
	Admit int

	Tasks []Task

	// Held is why the first of the requests that are not admitted is not.
	Held Held

	// PaddingRows are rows that the step computes for sequences that have ended.
	PaddingRows int

	// Stall is set in the answer to an Aggregate when the sequences that decode
	// have no task in this step.
	Stall bool

	Wake units.Seconds
}

// Reset empties d, keeping its memory, and lets it wait for the next arrival.
func (d *Decision) Reset() {
	*d = Decision{Preempt: d.Preempt[:0], Tasks: d.Tasks[:0], Wake: Never}
}

// join lets the first of the requests that are not admitted yet join with a task.
func (d *Decision) join(t Task) {
	d.Tasks = append(d.Tasks, t)
	d.Admit++
}

// leave notes why the rest of the queue is not admitted to a batch of so many
// sequences, of at most so many, where memory is no reason.
func (d *Decision) leave(v *View, running, most int) {
	if running+d.Admit >= most && d.Admit < v.Waiting.Len() {
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
