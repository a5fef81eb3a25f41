package policies

import "slices"

// Speculative lets a proposer guess what decoding sequences go on with: each of
// them processes its pending token and the guesses behind it in one step, and
// keeps those that the model would have generated itself.
//
// It is for schedulers that do not plan guesses themselves (see Guesses): the guesses
// come on top of what Batching decides. They preempt nobody: a sequence that has no
// block for them, and for which none is free, guesses as many as its last block holds. So
// do all beside a request that joins with cached blocks: the free ones may be those.
type Speculative struct {
	Batching  Batching
	Proposals Proposals
	Tree      Tree
}

// Plan implements Batching.
func (p *Speculative) Plan(v *View, d *Decision) {
	p.Batching.Plan(v, d)
	decoding, context := 0, int64(0)
	free := v.freeFor(d)
	for i := range d.Tasks {
		t := &d.Tasks[i]
		free -= t.Blocks - t.Sequence.Blocks
		free += t.Held
		if t.guesses() {
			decoding++
			context += int64(t.Sequence.Computed + 1)
		}
	}
	length := 0
	if decoding > 0 {
		length = p.Proposals.Length(decoding, context)
	}
	if length == 0 {
		return
	}
	if len(d.Load) > 0 || slices.ContainsFunc(d.Tasks, func(t Task) bool { return t.Cached > 0 }) {
		free = 0
	}
	for i := range d.Tasks {
		if t := &d.Tasks[i]; t.guesses() {
			p.addGuesses(v, t, length, &free)
		}
	}
}

// guesses tells whether there are guesses behind the task's token: not in the first step of a
// sequence whose keys and values came from elsewhere, so that one token is left to process.
// Nobody proposes before a step gave a token here.
func (t *Task) guesses() bool { return !t.Joins && guesses(t.Sequence) }

// guesses tells whether a sequence has guesses behind its token: not while it leaves
// layer by layer, with blocks for a working set alone, nor while it recovers, though
// the last of its tokens to compute again may be one, nor when it has just come back.
func guesses(s *Sequence) bool { return s.Decodes() && !s.Offloaded && !s.Recovers && !s.Returned }

// addGuesses adds guesses for length positions to the task, or for as many as there
// are free blocks.
func (p *Speculative) addGuesses(v *View, t *Task, length int, free *int) {
	known := t.Sequence.Computed + 1
	for known+p.Tree.Nodes(length) > (t.Blocks+*free)*v.BlockSize {
		length--
	}
	t.Draft, t.Nodes = length, p.Tree.Nodes(length)
	more := max(0, v.BlocksFor(known+t.Nodes)-t.Blocks)
	*free -= more
	t.Blocks += more
}

// Totals implements Batching.
func (p *Speculative) Totals() Aggregating {
	if p.Batching.Totals() == nil {
		return nil
	}
	return p
}

// PlanAggregate implements Aggregating: where there are free blocks for all guesses, all
// sequences have as many. What Batching makes of sequences that overrun is not known from totals.
func (p *Speculative) PlanAggregate(v *Aggregate, d *Decision) bool {
	d.Share = Share{Slots: 1}
	v.Demand, _ = v.Rows.Demand(d.Share)
	if v.Overrunning > 0 || !p.Batching.Totals().PlanAggregate(v, d) {
		return false
	}
	if v.Decoding == 0 || d.Stall {
		return true
	}
	length := p.Proposals.Length(v.Decoding, v.Context)
	nodes := p.Tree.Nodes(length)
	d.Proposals, d.Share = p.Proposals, Share{Draft: length, Nodes: nodes, Slots: 1 + nodes}
	demand, _ := v.Rows.Demand(d.Share)
	return demand <= v.Demand || demand <= p.freeForGuesses(v, d)
}

// freeForGuesses is the number of blocks that are free for tokens and guesses of the
// sequences that decode: none beside a request that joins with cached blocks.
func (p *Speculative) freeForGuesses(v *Aggregate, d *Decision) int {
	free := v.freeFor(d)
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if t.Cached > 0 {
			return 0
		}
		free -= t.Blocks - t.Sequence.Blocks - t.Held
	}
	if len(d.Load) > 0 {
		return 0
	}
	return free
}
