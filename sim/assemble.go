package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
)

// assemble allocates the blocks of a decision and sets up the step's work, to
// which sequences contribute as totals or by a task of their own.
func (r *replica) assemble(d *policies.Decision) {
	r.work, r.steady = r.decoding.work(r.work.Prefill[:0], d), r.decoding.steady()
	r.prefilled = r.prefilled[:0]
	r.admitCached(d)
	if !d.Stall {
		r.pool.take(r.decoding.demand(0))
	}
	for _, t := range d.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		r.pool.take(t.Blocks - s.Blocks)
		s.Blocks, s.tokens, s.draft, s.nodes = t.Blocks, t.Tokens, t.Draft, t.Nodes
		r.addWork(s, t.Padding)
		if t.Offload {
			r.offload(s)
		}
		if s.Offloaded {
			r.moveOut(s)
		}
	}
	r.stream()
	r.fill()
}

// addWork adds a sequence's share of the step to the work.
func (r *replica) addWork(s *sequence, padding int) {
	if s.tokens == s.Pending() {
		r.work.LogitRows++
	}
	if s.decodesNow() {
		r.work.DecodeRows++
		r.work.DecodeContext += int64(s.Computed + 1)
		r.work.DecodeWindowContext += int64(min(s.Computed+1, r.window))
		r.addGuesses(s)
		if s.last == r.now {
			r.steady++
		}
		return
	}
	recomputed := min(max(s.computed-s.Computed, 0), s.tokens)
	r.fleet.record.Totals.RecomputedTokens += int64(recomputed)
	r.prefilled = append(r.prefilled, s)
	r.work.Prefill = append(r.work.Prefill, hardware.Chunk{
		Context:    s.Computed,
		Tokens:     s.tokens + padding,
		Recomputed: recomputed,
		Padding:    padding,
	})
}
