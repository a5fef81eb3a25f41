package sim

import (
	"kneepoint/policies"
	"kneepoint/workloads"
)

// Demand implements policies.Rows. Of another share than that of the totals they know nothing.
func (e *speculating) Demand(share policies.Share) (blocks int, ok bool) {
	if e.guessers.gathered && share != e.guessers.share {
		e.synchronize()
		e.list()
	}
	blocks, ok = e.rows.Demand(share)
	return blocks + e.guessers.demand(), ok
}

// foresee implements totals: sequences that guess as totals fill no blocks that others may find.
func (e *speculating) foresee(m *machine, d *policies.Decision) {
	m.foresight.blocks += e.guessers.demand()
	e.rows.foresee(m, d)
}

// listEnded lists those that have ended and overrun, and adds the totals to what the policy sees.
func (e *speculating) listEnded() {
	g, v := &e.guessers, e.view
	for _, s := range e.ended {
		if s.Overruns {
			e.rows.add(s)
		}
	}
	v.Decoding += g.count
	v.Paged += g.paged
	v.Context += g.context
	if g.prefilling != nil {
		v.Prefilling = &g.prefilling.Sequence
	}
}

// mayGather tells whether the sequences that are listed may become totals: they have the share of the step that is decided as they
// had that of the one before, and nothing but that changes of them until they end. Limited shares are those of schedulers that plan
// guesses themselves, which let no sequence that decodes wait.
func (e *speculating) mayGather() bool {
	g, share := &e.guessers, e.decision.Share
	if g.gathered {
		return false
	}
	again := share == g.share
	g.share = share
	if again && g.wait > 0 {
		g.wait--
		return false
	}
	if !again || share.Draft > workloads.LongestTrail || !share.Limited || e.window > 0 {
		return false
	}
	for _, s := range e.rows.sequences {
		if !s.Ended && (s.last != e.now || share.Draft == 0 && s.accepted+s.Assumed > 0 || !e.foreknown(s)) {
			return false
		}
	}
	return true
}

// foreknown tells whether it is known ahead what a sequence has of each of its steps: it comes not near the longest one, and fills no
// blocks that others may find; and the batch is not too large for totals of a step.
func (e *speculating) foreknown(s *sequence) bool {
	share := &e.guessers.share
	if e.size*(share.Nodes+share.Slots+2) > mostOfStep {
		return false
	}
	most := s.Computed + s.Assumed + s.output - s.Generated + 2*share.Nodes + share.Slots + 2
	return !s.guest && most <= e.view.Longest(&s.Sequence) && !e.rows.names(s)
}

// gather turns the sequences that are listed into totals, but for those that overrun.
func (e *speculating) gather() {
	g := &e.guessers
	e.stretch.rule = e.rule()
	for i, v := range e.running {
		e.sequences.all[v.ID].slot = i
	}
	listed := e.rows.sequences
	e.rows.sequences = listed[:0]
	for _, s := range listed {
		if s.Ended {
			e.rows.sequences = append(e.rows.sequences, s)
		} else {
			e.join(s)
		}
	}
	g.gathered, g.last, g.since = true, e.now, g.steps
	if v := e.view.Prefilling; v != nil {
		g.prefilling = e.sequences.all[v.ID]
	}
}

// join adds a sequence that decodes to the totals.
func (e *speculating) join(s *sequence) {
	g, rule, left := &e.guessers, &e.stretch.rule, s.output-s.Generated
	if rule.draft == 0 {
		g.addPlain(s, left, rule)
		return
	}
	g.add(s, e.pool.Acceptance.Until(e.trailOf(s), s.request, s.Generated, rule.draft, left), rule)
}

// synchronize implements engine: it brings every sequence up to date, and dissolves the totals.
func (e *speculating) synchronize() {
	if !e.guessers.gathered {
		return
	}
	e.compact()
	for _, entry := range e.guessers.ends {
		e.catchUpWith(entry.sequence)
	}
	e.guessers.dissolve()
}

// catchUpWith brings a sequence of the totals up to date that leaves them, and returns how many tokens it does not need of its last step.
func (e *speculating) catchUpWith(s *sequence) (beyond int) {
	e.guessers.gaps.settle(s)
	if n := int(e.guessers.steps - s.joined); n > 0 {
		return e.update(s, n, e.guessers.last)
	}
	return 0
}
