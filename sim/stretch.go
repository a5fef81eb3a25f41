package sim

import (
	"sort"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// runStretches is the fast engine. It keeps the sequences that decode as totals,
// and takes all steps at once in which nothing else happens: until a request
// arrives that could join, a sequence ends, or the free blocks run out. Where
// the policy must look at single sequences, it goes on like the reference.
func (r *replica) runStretches(now units.Seconds) {
	r.active = true
	for turns := 0; turns%1024 != 0 || r.fleet.context.Err() == nil; turns++ {
		r.now = now
		r.fleet.deliver(r, now)
		planned := r.planTotals()
		late := r.see()
		if late && !planned {
			planned, late = r.planTotals(), false
		}
		r.active, r.follows = planned, planned
		if !planned {
			return
		}
		if n := r.reach(); n > 0 && !late {
			now = r.take(n)
			continue
		}
		end, done := r.single()
		if !done {
			return
		}
		now = end
	}
}

// planTotals asks the policy for the next step, of totals where it can decide
// from them. It is false when the replica stays idle. The step's blocks are not
// allocated yet, unless sequences are looked at one by one.
func (r *replica) planTotals() bool {
	if !r.decoding.gathered && !r.gather() {
		return r.plan()
	}
	a := &r.decoding.view
	r.view.Now, r.view.FreeBlocks, r.view.Running = r.now, r.pool.free, nil
	*a = policies.Aggregate{View: r.view, Decoding: r.decoding.count, Demand: r.decoding.demand(0)}
	if other := r.decoding.other; other != nil {
		a.Prefilling = &other.Sequence
	}
	d := &r.decision
	d.Reset()
	if !r.decoding.policy.PlanAggregate(a, d) {
		r.scatter()
		return r.plan()
	}
	r.advance(r.now)
	r.moves.reset()
	r.held = d.Held
	r.admit(d.Admit)
	if len(d.Tasks) == 0 && r.decoding.count == 0 {
		return r.idle(d)
	}
	r.wakes++
	return true
}

// single takes the planned step alone.
func (r *replica) single() (end units.Seconds, done bool) {
	if !r.decoding.gathered {
		return r.step(&r.singly)
	}
	r.assemble(&r.decision)
	return r.step(&r.together)
}

// gather turns the sequences that decode into totals. It is false when there is
// more than one other, or one that was left out of the last step.
func (r *replica) gather() bool {
	var other *sequence
	for _, v := range r.running {
		s := r.sequences.all[v.ID]
		switch decodes := s.decodesNow(); {
		case decodes && s.last == r.now:
		case decodes || other != nil:
			return false
		default:
			other = s
		}
	}
	for i, v := range r.running {
		s := r.sequences.all[v.ID]
		s.place = i
		if s != other {
			r.decoding.join(s)
		}
	}
	r.decoding.gathered, r.decoding.other = true, other
	return true
}

// scatter brings every sequence of the batch up to date, to look at them one by
// one.
func (r *replica) scatter() {
	r.synchronize()
	for _, v := range r.running {
		r.sequences.all[v.ID].decoding = false
	}
	r.decoding.clear()
}

// synchronize brings the counts of the sequences that decode up to date, and
// closes the gaps in the batch.
func (r *replica) synchronize() {
	r.compact()
	for _, v := range r.running {
		if s := r.sequences.all[v.ID]; s.decoding {
			r.decoding.synchronize(s)
		}
	}
}

// compact closes the gaps in the batch that ended sequences left.
func (r *replica) compact() {
	if r.decoding.gone == 0 {
		return
	}
	kept := r.running[:0]
	for _, v := range r.running {
		if v != nil {
			r.sequences.all[v.ID].place = len(kept)
			kept = append(kept, v)
		}
	}
	r.running, r.decoding.gone = kept, 0
}

// longestStretch bounds the steps that are taken at once, so that an interrupt
// never waits for long.
const longestStretch = 4096

// reach is the number of steps from now on that can be taken at once: those of
// an unchanged batch that decodes, whose blocks are there, and that end before
// anything can happen outside.
func (r *replica) reach() int {
	d := &r.decoding
	if !d.gathered || len(r.decision.Tasks) > 0 || d.count != r.size || len(d.stalls) > 0 {
		return 0
	}
	if r.series.left() <= 0 {
		r.work = d.work(r.work.Prefill[:0], &r.decision)
		r.series = r.newSeries(r.fleet.config.Cost.Step(&r.work), d.growth())
	}
	n := r.affordable(min(r.series.left(), longestStretch))
	horizon, cut := r.fleet.horizon(r), r.fleet.cut
	beyond := func(k int) bool { end := r.series.end(k); return end >= horizon || end > cut }
	if !beyond(n) {
		return n
	}
	return sort.Search(n, func(k int) bool { return beyond(k + 1) })
}

// affordable is the number of steps, at most n, for which there are free blocks.
func (r *replica) affordable(n int) int {
	d, free := &r.decoding, r.pool.free
	if free >= (n/d.blockSize+1)*d.count {
		return n
	}
	for k := range n {
		if free -= d.demand(k); free < 0 {
			return k
		}
	}
	return n
}

// take takes the next n steps at once, and returns when they end.
func (r *replica) take(n int) units.Seconds {
	d := &r.decoding
	for k := range n {
		if demand := d.demand(k); demand > 0 {
			r.advance(r.series.end(k))
			r.pool.take(demand)
		}
	}
	end := r.series.end(n)
	r.advance(end)
	r.fill()
	r.count(n, r.series.costOf(n), end-r.now)
	r.countDecodes(n, end-r.now)
	slope := r.series.slope.Time
	first := r.series.first.Time + slope*units.Seconds(r.series.taken)
	r.fleet.record.ITL.AddSeries(first, slope, n, int64(d.count))
	r.fleet.record.ITLIn.AddSeries(first, slope, n, int64(d.inWindow))
	r.series.taken += n
	d.advance(n, end)
	r.leaveTotals(end)
	return end
}

// completeTotals ends a step that was assembled from totals.
func (r *replica) completeTotals(end units.Seconds, cost hardware.Cost) {
	r.advance(end)
	r.count(1, cost, end-r.now-r.prepare)
	r.moved(cost, end-r.now-r.prepare)
	r.tick(cost)
	r.series.taken++
	d := &r.decoding
	if r.decision.Stall {
		d.stall(r.now)
	} else {
		for _, g := range d.gaps(r.now) {
			r.fleet.record.ITL.Add(end-g.last, int64(g.count))
			r.fleet.record.ITLIn.Add(end-g.last, int64(g.inWindow))
		}
		d.advance(1, end)
	}
	for _, t := range r.decision.Tasks {
		r.compute(r.sequences.all[t.Sequence.ID])
	}
	r.leaveTotals(end)
	for _, t := range r.decision.Tasks {
		r.completeTask(r.sequences.all[t.Sequence.ID], end)
	}
}

// completeTask ends the step for a sequence that had a task of its own, which is
// computed.
func (r *replica) completeTask(s *sequence, end units.Seconds) {
	d := &r.decoding
	if s.phase == recovers {
		r.recover(s)
	}
	if s.Pending() > 0 {
		d.other = s
		return
	}
	if s == d.other {
		d.other = nil
	}
	s.Generated++
	if s.Generated == 1 {
		r.firstToken(s)
	} else {
		r.gap(end-s.last, s.inWindow)
	}
	s.last = end
	if s.Generated == s.output {
		r.vacate(s, end)
		return
	}
	d.join(s)
}

// leaveTotals ends the sequences whose last token came with the last step.
func (r *replica) leaveTotals(now units.Seconds) {
	for s := r.decoding.ended(); s != nil; s = r.decoding.ended() {
		r.vacate(s, now)
	}
}

// vacate ends a sequence and leaves its place in the batch empty.
func (r *replica) vacate(s *sequence, now units.Seconds) {
	r.running[s.place] = nil
	if r.decoding.gone++; r.decoding.gone > 16 && 2*r.decoding.gone > len(r.running) {
		r.compact()
	}
	r.end(s, now)
}
