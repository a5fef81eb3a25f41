package policies

import (
	"math"
	"slices"
)

// Swapping parks the sequences that Batching preempts, as far as the first tier has
// blocks for them and moving them out and back is faster than computing them again,
// and brings them back before anybody else joins. The others are preempted by
// recompute.
//
// Where sequences move beside the steps, those that need the blocks of one that leaves
// stand still until it has left.
//
// Source: vllm/core/scheduler.py, PreemptionMode.SWAP, which moves between the steps
// and whatever that costs.
type Swapping struct {
	Batching            Batching
	MaxNumSeqs          int  // sequences in the batch at most
	MaxNumBatchedTokens int  // tokens of a step at most; 0: no limit
	ByLayer             bool // parked sequences come back layer by layer, in the step that computes them

	LongPrefillTokenThreshold int // tokens of a sequence in a step at most; 0: no limit
}

// Plan implements Batching.
func (p *Swapping) Plan(v *View, d *Decision) {
	shown, away := *v, v.Parked.Len()+v.Returning
	if away > 0 {
		shown.Waiting = p.loaded(v)
	}
	shown.FreeBlocks += v.LeavingBlocks
	p.Batching.Plan(&shown, d)
	if away > 0 {
		d.Held = HeldByMemory
	}
	p.parkPreempted(v, d)
	if v.MovesAside && (d.Swap > 0 || v.LeavingBlocks > 0) {
		standStill(v, d)
	}
	if len(d.Preempt) == 0 {
		p.bringBack(v, d)
	}
}

// Totals implements Batching.
func (p *Swapping) Totals() Aggregating {
	if p.Batching.Totals() == nil {
		return nil
	}
	return p
}

// PlanAggregate implements Aggregating: with nobody parked and nobody to preempt
// there is nothing to move, and Batching decides.
func (p *Swapping) PlanAggregate(v *Aggregate, d *Decision) bool {
	return v.Parked.Len()+v.Returning == 0 && p.Batching.Totals().PlanAggregate(v, d)
}

// loaded is the requests at the front of the queue that have come from a tier and have
// their blocks, as many as there are places for: they join before parked sequences
// come back, which may need the memory that these hold.
func (p *Swapping) loaded(v *View) Queue {
	n := 0
	for n < min(v.Waiting.Len(), p.MaxNumSeqs-len(v.Running)-v.Returning) && v.Waiting.At(n).Blocks > 0 {
		n++
	}
	return frontOf{v.Waiting, n}
}

// frontOf is the first requests of a queue.
type frontOf struct {
	Queue
	n int
}

// Len implements Queue.
func (f frontOf) Len() int { return f.n }

// emptyQueue is what Batching is shown while nobody may join.
type emptyQueue struct{}

// Len implements Queue.
func (emptyQueue) Len() int { return 0 }

// At implements Queue.
func (emptyQueue) At(int) *Sequence { return nil }

// parkPreempted parks the preempted sequences that the first tier has blocks for, and
// that are back sooner than they are computed again. They come first in Preempt.
func (p *Swapping) parkPreempted(v *View, d *Decision) {
	parked := 0
	for i, s := range d.Preempt {
		blocks := v.BlocksFor(s.Computed)
		if s.Ended || parked+blocks > v.FreeTierBlocks || v.Links != nil && !v.Links.SwapPays(s, parked) {
			continue
		}
		parked += blocks
		copy(d.Preempt[d.Swap+1:i+1], d.Preempt[d.Swap:i])
		d.Preempt[d.Swap] = s
		d.Swap++
	}
}

// standStill takes the tasks away that need blocks which come free only when a
// sequence has left.
func standStill(v *View, d *Decision) {
	free := v.freeFor(d)
	d.Tasks = slices.DeleteFunc(d.Tasks, func(t Task) bool {
		more := t.Blocks - t.Sequence.Blocks - t.Held
		if more > 0 && more > free {
			d.Blocked = append(d.Blocked, t.Sequence)
			return true
		}
		free -= more
		return false
	})
}

// bringBack brings parked sequences back, in order, while there is memory for what
// they have and their next tokens. One block in a hundred stays free, so that
// they are not sent away again at once.
func (p *Swapping) bringBack(v *View, d *Decision) {
	rest := remainder(v, d, p.MaxNumBatchedTokens)
	for n := 0; n < v.Parked.Len() && len(v.Running)+v.Returning+n < p.MaxNumSeqs && rest.tokens > 0; n++ {
		s := v.Parked.At(n)
		aside, tokens := v.MovesAside && !p.ByLayer, min(s.Pending(), cut(rest.tokens, p.LongPrefillTokenThreshold))
		blocks := v.BlocksFor(max(s.Computed+tokens, s.Reserved))
		if aside {
			blocks = v.BlocksToFetch(s)
		}
		switch {
		case s.Leaving || blocks+watermark(v, len(d.Tasks)) > rest.blocks:
			return
		case aside:
			d.Fetch++
		default:
			d.Tasks = append(d.Tasks, Task{Sequence: s, Tokens: tokens, Blocks: blocks})
			d.Restore++
		}
		rest.spend(tokens, blocks)
	}
}

// allowance is tokens that a step may still process, and blocks that it may still
// hold.
type allowance struct{ tokens, blocks int }

// remainder is what d leaves of the free blocks and of a budget of tokens (0: no
// limit).
func remainder(v *View, d *Decision, budget int) allowance {
	a := allowance{tokens: budget, blocks: v.freeFor(d)}
	if budget == 0 {
		a.tokens = math.MaxInt
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		a.spend(t.Tokens+t.Nodes, t.Blocks-t.Sequence.Blocks-t.Held)
	}
	return a
}

// freeFor is the blocks that are free for the tasks of d: with those of the sequences
// that it preempts, unless they have to move out first, and without those of the
// sequences that begin to come back or to be loaded.
func (v *View) freeFor(d *Decision) int {
	gone := d.Preempt
	if v.MovesAside {
		gone = gone[d.Swap:]
	}
	free := v.FreeBlocks
	if len(gone) > 0 {
		free += v.Freed(gone)
	}
	for i := range d.Fetch {
		free -= v.BlocksToFetch(v.Parked.At(i))
	}
	for _, t := range d.Load {
		free -= t.Blocks - t.Held
	}
	return free
}

// BlocksToFetch is the blocks that a parked sequence gets to come back: for all its
// pending tokens, too.
func (v *View) BlocksToFetch(s *Sequence) int { return v.BlocksFor(max(s.Length(), s.Reserved)) }

// spend takes away what a task needs.
func (a *allowance) spend(tokens, blocks int) {
	a.tokens -= tokens
	a.blocks -= blocks
}
