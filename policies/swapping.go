package policies

// Swapping parks the sequences that Batching preempts, as far as the memory below
// the accelerators' has room, and brings them back before anybody else joins:
// their keys and values are moved instead of computed again. The others are
// preempted by recompute.
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
		shown.Waiting = nobody{}
	}
	p.Batching.Plan(&shown, d)
	if v.Parked.Len() > 0 {
		d.Held = HeldByMemory
	}
	p.swap(v, d)
	if len(d.Preempt) == 0 {
		p.restore(v, d)
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

// nobody is an empty queue.
type nobody struct{}

// Len implements Queue.
func (nobody) Len() int { return 0 }

// At implements Queue.
func (nobody) At(int) *Sequence { return nil }

// swap parks the preempted sequences that the memory below has room for.
func (p *Swapping) swap(v *View, d *Decision) {
	left := v.BelowFree
	for _, s := range d.Preempt {
		if left -= v.BlocksFor(s.Computed); left < 0 {
			return
		}
		d.Swap++
	}
}

// restore brings parked sequences back, in order, while there is memory for what
// they have and their next tokens. One block in a hundred stays free, so that
// they are not sent away again at once.
func (p *Swapping) restore(v *View, d *Decision) {
	room := roomIn(v, d, p.MaxNumBatchedTokens)
	for d.Restore < v.Parked.Len() && len(v.Running)+d.Restore < p.MaxNumSeqs && room.tokens > 0 {
		s := v.Parked.At(d.Restore)
		tokens := min(s.Pending(), room.tokens)
		blocks := v.BlocksFor(max(s.Computed+tokens, s.Reserved))
		if blocks+watermark(v, len(d.Tasks)) > room.blocks {
			return
		}
		d.Tasks = append(d.Tasks, Task{Sequence: s, Tokens: tokens, Blocks: blocks})
		d.Restore++
		room.take(tokens, blocks)
	}
}

// room is what a decision leaves of a step.
type room struct{ tokens, blocks int }

// roomIn is what d leaves of the free blocks and of a budget of tokens (0: none).
func roomIn(v *View, d *Decision, budget int) room {
	r := room{tokens: budget, blocks: v.FreeBlocks}
	if budget == 0 {
		r.tokens = int(^uint(0) >> 1)
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		r.take(t.Tokens, t.Blocks-t.Sequence.Blocks-v.held(t))
	}
	return r
}

func (r *room) take(tokens, blocks int) {
	r.tokens -= tokens
	r.blocks -= blocks
}

// held is how many of a task's blocks somebody else holds already.
func (v *View) held(t *Task) int {
	if t.Cached == 0 {
		return 0
	}
	return v.Hit(t.Sequence).Held
}
