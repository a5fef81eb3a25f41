package policytest

import (
	"slices"

	"kneepoint/policies"
)

// carryOut carries out the step that was decided, or waits.
func (r *replica) carryOut(d *policies.Decision) {
	r.preempt(d)
	r.join(d)
	if len(d.Tasks) == 0 {
		r.now = d.Wake
		if r.arrived < len(r.requests) {
			r.now = min(r.now, r.requests[r.arrived].arrival)
		}
		return
	}
	for _, t := range d.Tasks {
		if t.Cached > 0 {
			donor, _ := r.donor(t.Sequence, &policies.Decision{})
			r.memory.share(t.Sequence, donor, t.Cached/r.blockSize)
		}
		r.process(t)
	}
	r.releaseLate()
	r.leave()
	r.parkPrefilled(d)
	r.now++
}

// preempt takes sequences out of the batch, and parks the first ones.
func (r *replica) preempt(d *policies.Decision) {
	for i, s := range d.Preempt {
		r.takeOut(s)
		if s.Ended {
			r.late--
			continue
		}
		if i < d.Swap {
			r.park(s, r.blocksFor(s.Computed))
			continue
		}
		s.Computed, s.Recovers = 0, true
		r.requeue(s)
	}
}

// takeOut takes a sequence and its memory out of the batch.
func (r *replica) takeOut(s *policies.Sequence) {
	r.memory.release(s)
	s.Blocks = 0
	r.running = slices.DeleteFunc(r.running, func(x *policies.Sequence) bool { return x == s })
}

// join lets parked sequences come back, and waiting ones join.
func (r *replica) join(d *policies.Decision) {
	for _, s := range r.parked[:d.Restore] {
		r.running = append(r.running, s)
		delete(r.outside, s)
	}
	r.parked = r.parked[d.Restore:]
	r.running = append(r.running, r.waiting[:d.Admit]...)
	r.waiting = r.waiting[d.Admit:]
}

// process carries out a task. Half of all guesses are right.
func (r *replica) process(t policies.Task) {
	s := t.Sequence
	if t.Offload {
		s.Offloaded = true
		r.outside[s] = r.blocksFor(s.Length())
	}
	r.memory.grow(s, t.Blocks)
	s.Blocks = t.Blocks
	s.Computed += t.Cached + t.Tokens
	if s.Pending() == 0 {
		accepted := min(t.Draft/2, r.outputs[s]-s.Generated-1)
		s.Computed += accepted
		s.Generated += 1 + accepted
		s.Recovers = false
	}
}

// parkPrefilled parks the sequences whose prefill ended with the step and whose
// keys and values have left.
func (r *replica) parkPrefilled(d *policies.Decision) {
	for _, t := range d.Tasks {
		if s := t.Sequence; s.Offloaded && s.Decodes() && slices.Contains(r.running, s) {
			r.takeOut(s)
			s.Offloaded = false
			r.park(s, r.outside[s])
		}
	}
}

// leave ends the sequences that have all their tokens. They leave the batch at once,
// or stay for the next plan.
func (r *replica) leave() {
	for _, s := range r.running {
		if s.Generated == r.outputs[s] {
			s.Ended = true
			r.ended++
			r.late++
		}
	}
	if !r.async {
		r.releaseLate()
	}
}

// releaseLate takes out the sequences that have ended.
func (r *replica) releaseLate() {
	r.late = 0
	r.running = slices.DeleteFunc(r.running, func(s *policies.Sequence) bool {
		if s.Ended {
			r.memory.release(s)
		}
		return s.Ended
	})
}

// park moves a sequence to the first tier, behind those of lower IDs.
func (r *replica) park(s *policies.Sequence, blocks int) {
	r.outside[s] = blocks
	i := slices.IndexFunc(r.parked, func(x *policies.Sequence) bool { return x.ID > s.ID })
	if i < 0 {
		i = len(r.parked)
	}
	r.parked = slices.Insert(r.parked, i, s)
}
