package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// runReference is the engine that looks at every sequence in every step: the
// clear one, which the stretch engine must agree with.
func (r *replica) runReference(now units.Seconds) {
	r.active = true
	for steps := 0; steps%1024 != 0 || r.fleet.context.Err() == nil; steps++ {
		r.now = now
		r.fleet.deliver(r, now)
		planned := r.plan()
		if late := r.see(); late && !planned {
			planned = r.plan()
		}
		r.active, r.follows = planned, planned
		if !planned {
			return
		}
		end, done := r.step(&r.singly)
		if !done {
			return
		}
		now = end
	}
}

// bookkeeping is how an engine keeps account of a batch.
type bookkeeping struct {
	unchanged func() growth                               // how the batch grows, and for how many steps
	complete  func(end units.Seconds, cost hardware.Cost) // ends a step
}

// step takes the step that is set up in work. It is false when the step does not
// end now: after the cut, or at a time before which something may happen
// outside, when the kernel will end it and go on.
func (r *replica) step(b *bookkeeping) (end units.Seconds, done bool) {
	cost := r.fleet.config.Cost.Step(&r.work)
	end = r.stepEnd(cost, b.unchanged)
	if end > r.fleet.cut {
		return end, false
	}
	if end >= r.fleet.horizon(r) {
		r.underWay = underWay{end, cost, b}
		r.inFlight = true
		r.fleet.inFlight++
		r.fleet.kernel.at(end, r.ending)
		return end, false
	}
	b.complete(end, cost)
	return end, true
}

// underWay is the step that the kernel will end.
type underWay struct {
	end         units.Seconds
	cost        hardware.Cost
	bookkeeping *bookkeeping
}

// endStep ends the step that is under way, and goes on.
func (r *replica) endStep() {
	u := r.underWay
	r.inFlight = false
	r.fleet.inFlight--
	r.fleet.deliver(r, u.end)
	if u.end <= r.fleet.cut {
		u.bookkeeping.complete(u.end, u.cost)
		r.run(u.end)
	}
}

// stepEnd is when the step ends that is set up in work. While the batch is
// unchanged and decodes, ends are those of a series, anchored where the batch
// last changed; unchanged says for how many steps it will stay so.
func (r *replica) stepEnd(cost hardware.Cost, unchanged func() growth) units.Seconds {
	took := r.moves.extend(cost.Time)
	if r.steady != r.size || r.work.DraftRows > 0 || took > cost.Time {
		r.series = series{}
		return r.now + r.prepare + took
	}
	if r.series.left() <= 0 {
		r.series = r.newSeries(cost, unchanged())
	}
	return r.series.end(1)
}

// unchanged bounds the steps for which a batch that decodes goes on as it is:
// until its first sequence ends, or fills the window.
func (r *replica) unchanged() growth {
	g := growth{rows: r.work.DecodeRows}
	for i, v := range r.running {
		s := r.sequences.all[v.ID]
		left := s.output - s.Generated
		if below := r.window - (s.Computed + 1); below > 0 {
			g.windowed++
			left = min(left, below)
		}
		if i == 0 || left < g.steps {
			g.steps = left
		}
	}
	return g
}

// complete ends a step: what was processed is computed, and sequences without
// pending tokens have generated one.
func (r *replica) complete(end units.Seconds, cost hardware.Cost) {
	r.advance(end)
	r.count(1, cost, end-r.now-r.prepare)
	r.moved(cost, end-r.now-r.prepare)
	r.tick(cost)
	r.series.taken++
	accepted := r.fleet.record.Totals.AcceptedTokens
	start, alike, alikeInWindow := r.now, int64(0), int64(0)
	ended := false
	for _, t := range r.decision.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		r.compute(s)
		if s.phase == recovers {
			r.recover(s)
		}
		if s.Pending() > 0 {
			continue
		}
		first := s.Generated == 0
		s.Generated += r.judge(s)
		switch {
		case first:
			r.firstToken(s)
		case s.last == start:
			alike++
			if s.inWindow {
				alikeInWindow++
			}
		default:
			r.gap(end-s.last, s.inWindow)
		}
		s.last = end
		ended = ended || s.Generated == s.output || s.Offloaded
	}
	r.credit(cost, r.fleet.record.Totals.AcceptedTokens-accepted)
	r.fleet.record.ITL.Add(end-start, alike)
	r.fleet.record.ITLIn.Add(end-start, alikeInWindow)
	if ended {
		r.leave(end)
	}
}

// compute counts the tokens that the step processed as computed.
func (r *replica) compute(s *sequence) {
	before := s.Computed
	s.Computed += s.tokens
	s.computed = max(s.computed, s.Computed)
	if before < s.Prompt {
		r.publish(s, min(s.Computed, s.Prompt))
	}
}

// leave takes the sequences out of the batch that have generated their last
// token, and those that were prefilled to be parked.
func (r *replica) leave(now units.Seconds) {
	kept := r.running[:0]
	for _, v := range r.running {
		switch s := r.sequences.all[v.ID]; {
		case s.Generated == s.output:
			r.end(s, now)
		case s.Offloaded && s.last == now:
			r.park(s)
		default:
			kept = append(kept, v)
		}
	}
	r.running = kept
}
