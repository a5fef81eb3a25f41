package policies

import "math"

// Swapping parks the sequences that Batching preempts, as far as the first tier has
// blocks for them, and brings them back before anybody else joins: their keys and
// values are moved instead of computed again. The others are preempted by
// recompute.
//
// Source: vllm/core/scheduler.py, PreemptionMode.SWAP.
type Swapping struct {
	Batching            Batching
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step at most; 0: no limit
}

// Plan implements Batching.
func (p *Swapping) Plan(v *View, d *Decision) {
	shown := *v
	if v.Parked.Len() > 0 {
		shown.Waiting = emptyQueue{}
	}
	p.Batching.Plan(&shown, d)
	if v.Parked.Len() > 0 {
		d.Held = HeldByMemory
	}
	p.parkPreempted(v, d)
	if len(d.Preempt) == 0 {
		p.restoreParked(v, d)
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
	return v.Parked.Len() == 0 && p.Batching.Totals().PlanAggregate(v, d)
}

// emptyQueue is what Batching is shown while nobody may join.
type emptyQueue struct{}

// Len implements Queue.
func (emptyQueue) Len() int { return 0 }

// At implements Queue.
func (emptyQueue) At(int) *Sequence { return nil }

// parkPreempted parks the preempted sequences that the first tier has blocks for.
func (p *Swapping) parkPreempted(v *View, d *Decision) {
	left := v.FreeTierBlocks
	for _, s := range d.Preempt {
		if left -= v.BlocksFor(s.Computed); left < 0 {
			return
		}
		d.Swap++
	}
}

// restoreParked brings parked sequences back, in order, while there is memory for what
// they have and their next tokens. One block in a hundred stays free, so that
// they are not sent away again at once.
func (p *Swapping) restoreParked(v *View, d *Decision) {
	rest := remainder(v, d, p.MaxNumBatchedTokens)
	for d.Restore < v.Parked.Len() && len(v.Running)+d.Restore < p.MaxNumSeqs && rest.tokens > 0 {
		s := v.Parked.At(d.Restore)
		tokens := min(s.Pending(), rest.tokens)
		blocks := v.BlocksFor(max(s.Computed+tokens, s.Reserved))
		if blocks+watermark(v, len(d.Tasks)) > rest.blocks {
			return
		}
		d.Tasks = append(d.Tasks, Task{Sequence: s, Tokens: tokens, Blocks: blocks})
		d.Restore++
		rest.spend(tokens, blocks)
	}
}

// allowance is tokens that a step may still process, and blocks that it may still
// hold.
type allowance struct{ tokens, blocks int }

// remainder is what d leaves of the free blocks and of a budget of tokens (0: no
// limit).
func remainder(v *View, d *Decision, budget int) allowance {
	a := allowance{tokens: budget, blocks: v.FreeBlocks}
	if budget == 0 {
		a.tokens = math.MaxInt
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		a.spend(t.Tokens, t.Blocks-t.Sequence.Blocks-v.heldByOthers(t))
	}
	return a
}

// spend takes away what a task needs.
func (a *allowance) spend(tokens, blocks int) {
	a.tokens -= tokens
	a.blocks -= blocks
}

// heldByOthers is the number of the task's blocks that need not be allocated.
func (v *View) heldByOthers(t *Task) int {
	if t.Cached == 0 {
		return 0
	}
	return v.Hit(t.Sequence).Held
}
