package sim

import (
	"kneepoint/policies"
	"kneepoint/workloads"
)

// foresight is what the tasks of a decision do to the memory once they get their
// blocks, as far as it concerns requests that are looked up behind them: a scheduler
// that hands out blocks as it goes along the queue finds for one request what those
// before it in the same step are to compute, and not what they took the memory of.
// Nothing changes in the memory.
type foresight struct {
	tasks  int    // tasks of it that are foreseen
	loads  int    // loads of it that are
	totals totals // of the sequences that decode, which come before the tasks; nil: foreseen, or none

	walk     freeWalk // along the free blocks; nil: not begun
	blocks   int      // that are taken from the free ones
	passed   int      // of these, those that the walk has passed
	contents []foreseen
}

// totals are sequences without a task in a decision, each of which has a part in the step.
type totals interface {
	// foresee takes note of what their part does to the memory.
	foresee(m *machine, d *policies.Decision)
}

// foreseen is the full blocks that a sequence has then.
type foreseen struct {
	content *workloads.Content
	blocks  int
}

// beginDecision forgets the last decision. The sequences of totals process a token in the next
// one, unless it says Stall.
func (m *machine) beginDecision(totals totals) {
	if m.memory.cached == nil {
		return // nothing is looked up
	}
	f := &m.foresight
	contents := f.contents[:0]
	*f = foresight{}
	f.totals, f.contents = totals, contents
	m.memory.decision++
	m.memory.hits = m.memory.hits[:0]
}

// foresee takes note of the tasks that d has got since it was last called. A policy that forgets loads because it preempts
// decides anew, from every sequence: what was foreseen of the loads is void then.
func (m *machine) foresee(d *policies.Decision) {
	f := &m.foresight
	if f.loads > len(d.Load) {
		m.beginDecision(nil)
	}
	if f.totals != nil && !d.Stall {
		f.totals.foresee(m, d)
		f.totals = nil
	}
	for ; f.tasks < len(d.Tasks); f.tasks++ {
		t := &d.Tasks[f.tasks]
		s := m.sequenceOf(t)
		f.blocks += t.Blocks - s.Blocks
		if t.Cached > 0 {
			f.blocks -= s.hit.blocks - s.loads
			m.foreseeHit(s)
		}
		if !t.Offload { // what leaves layer by layer is found in its tier, not here
			m.foreseeContent(s, min(s.Computed+t.Cached+t.Tokens, m.known(s)))
		}
	}
	for ; f.loads < len(d.Load); f.loads++ {
		if t := &d.Load[f.loads]; t.Blocks > 0 {
			s := m.sequenceOf(t)
			f.blocks += t.Blocks - s.hit.blocks
			m.foreseeHit(s)
		}
	}
}

// foreseeHit takes note that a sequence holds its hit.
func (m *machine) foreseeHit(s *sequence) {
	for _, found := range s.hit.spans {
		if found != nil {
			found.heldIn = m.memory.decision
		}
	}
}

// foreseeContent takes note that a sequence has its first tokens in memory then.
func (m *machine) foreseeContent(s *sequence, tokens int) {
	if blocks := m.namedBlocks(s, tokens); blocks > 0 {
		m.foresight.contents = append(m.foresight.contents, foreseen{s.content, blocks})
	}
}

// cachedThen returns what a sequence finds behind its hit, of its first n blocks: a span with the content of
// some, or nil for a block that is blank still, and whether there is any. Where blocks are free they may be taken before, so
// that the walk has to come as far as that.
func (m *machine) cachedThen(s *sequence, n int) (found *span, ok bool) {
	index := s.hit.blocks
	key, until := m.keyFrom(s, index)
	n = min(n, until)
	first := m.memory.cached.find(key)
	if first != nil && len(first.holders) == 0 && !m.spares(first, min(n, first.to)) {
		m.walkFree()
	}
	found = first.orLater(func(c *span) bool {
		return len(c.holders) > 0 || c.heldIn == m.memory.decision || index < c.gone(m.memory.decision) && !m.memory.expired(c, m.now)
	})
	if found != nil {
		return m.memory.part(found, index, min(n, found.gone(m.memory.decision))), true
	}
	for _, c := range m.foresight.contents {
		if index < c.blocks && m.memory.key(c.content, index) == key {
			return nil, true
		}
	}
	return nil, false
}

// spares tells whether it is plain without a walk that no block of a span before an index is taken.
func (m *machine) spares(s *span, to int) bool {
	return s.later == s && m.memory.order.spares(s, to, m.foresight.blocks, m.memory.decision)
}

// walkFree goes along as many free blocks as are taken.
func (m *machine) walkFree() {
	f := &m.foresight
	if f.walk == nil && f.blocks > 0 {
		f.walk = m.memory.order.walk(m.memory.decision)
	}
	for f.passed < f.blocks {
		blocks := f.walk.pass(f.blocks - f.passed)
		if f.passed += blocks; blocks == 0 {
			f.passed = f.blocks // what the decision preempts makes up for the rest
		}
	}
}
