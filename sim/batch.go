package sim

import (
	"math"

	"kneepoint/policies"
)

// admit moves the first n waiting requests into the batch, whose step begins
// with what is left of their front-end work.
func (r *replica) admit(n int) {
	r.prepare = 0
	for range n {
		v := r.waiting.popFront()
		s := r.sequences.all[v.ID]
		r.prepare += s.prepare
		s.prepare = 0
		if s.phase == waits {
			r.enter(s, prefills)
		}
		s.admitted, s.place = r.admitted, len(r.running)
		r.admitted++
		r.running = append(r.running, v)
		r.size++
		r.series = series{}
	}
}

// preempt takes sequences out of the batch: the first ones, so many, by parking
// them, the others by recompute.
func (r *replica) preempt(victims []*policies.Sequence, swap int) {
	for i, v := range victims {
		s := r.sequences.all[v.ID]
		if s.phase != recovers {
			r.enter(s, recovers)
		}
		r.remove(v)
		r.size--
		r.series = series{}
		r.fleet.record.Of(s.request).Preemptions++
		r.fleet.record.Totals.Preemptions++
		if i < swap {
			r.swapOut(s)
		} else {
			r.drop(s)
		}
	}
}

// drop lets a sequence wait again that keeps the tokens that it generated and
// loses everything computed.
func (r *replica) drop(s *sequence) {
	r.giveBack(s)
	s.Blocks, s.Computed = 0, 0
	s.Rank = math.Inf(-1) // nobody overtakes it
	r.waiting.pushFront(&s.Sequence)
}

// remove takes a sequence out of the batch, looking from the youngest on.
func (r *replica) remove(v *policies.Sequence) {
	for i := len(r.running) - 1; i >= 0; i-- {
		if r.running[i] == v {
			r.running = append(r.running[:i], r.running[i+1:]...)
			return
		}
	}
}
