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
	decision int64     // its number
	tasks    int       // tasks of it that are foreseen
	loads    int       // loads of it that are
	totals   *decoding // of the sequences that decode, which come before the tasks; nil: foreseen, or none

	walk     freeWalk // along the free blocks; nil: not begun
	blocks   int      // that are taken from the free ones
	passed   int      // of these, those that the walk has passed
	contents []foreseen
}

// foreseen is the full blocks that a sequence has then.
type foreseen struct {
	content *workloads.Content
	blocks  int
}

// begin forgets the last decision. The sequences of totals process a token in the next
// one, unless it says Stall.
func (f *foresight) begin(totals *decoding) {
	*f = foresight{decision: f.decision + 1, totals: totals, contents: f.contents[:0]}
}

// foresee takes note of the tasks that d has got since it was last called.
func (m *machine) foresee(d *policies.Decision) {
	f := &m.foresight
	if f.totals != nil && !d.Stall {
		f.blocks += f.totals.demand(0)
		for _, s := range f.totals.filling(0) {
			m.foreseeContent(s, f.totals.certain(s, 0))
		}
		f.totals = nil
	}
	for ; f.tasks < len(d.Tasks); f.tasks++ {
		t := &d.Tasks[f.tasks]
		s := m.sequenceOf(t)
		f.blocks += t.Blocks - s.Blocks
		if t.Cached > 0 {
			f.blocks -= len(s.hit) - s.loads
			f.holdHit(s)
		}
		if !t.Offload { // what leaves layer by layer is found in its tier, not here
			m.foreseeContent(s, min(s.Computed+t.Cached+t.Tokens, m.known(s)))
		}
	}
	for ; f.loads < len(d.Load); f.loads++ {
		if t := &d.Load[f.loads]; t.Blocks > 0 {
			s := m.sequenceOf(t)
			f.blocks += t.Blocks - len(s.hit)
			f.holdHit(s)
		}
	}
}

// holdHit takes note that a sequence holds its hit.
func (f *foresight) holdHit(s *sequence) {
	for _, b := range s.hit {
		if b != nil {
			b.heldIn = f.decision
		}
	}
}

// foreseeContent takes note that a sequence has its first tokens in memory then.
func (m *machine) foreseeContent(s *sequence, tokens int) {
	if blocks := m.namedBlocks(s, tokens); blocks > 0 {
		m.foresight.contents = append(m.foresight.contents, foreseen{s.content, blocks})
	}
}

// cachedThen returns the block that has the content of the index-th block of a
// sequence, and whether there is one: nil for one that is blank still. Where a block
// is free it may be taken before, so that the walk has to come as far as that.
func (m *machine) cachedThen(s *sequence, index int) (b *cachedBlock, found bool) {
	f, key := &m.foresight, m.keyOf(s, index)
	if first := m.memory.cached.find(key); first != nil {
		for b = first; ; b = b.later {
			if b.holders > 0 || b.heldIn == f.decision || !m.goneThen(b) && !m.memory.expired(b, m.now) {
				return b, true
			}
			if b.later == first {
				break
			}
		}
	}
	for _, c := range f.contents {
		if index < c.blocks && m.memory.key(c.content, index) == key {
			return nil, true
		}
	}
	return nil, false
}

// goneThen tells whether a free block is taken.
func (m *machine) goneThen(b *cachedBlock) bool {
	f := &m.foresight
	if f.walk == nil && f.blocks > 0 {
		f.walk = m.memory.order.walk()
	}
	for f.passed < f.blocks {
		next, blanks := f.walk.next(f.blocks - f.passed)
		f.passed += blanks
		switch {
		case next != nil && next.heldIn != f.decision:
			next.goneIn = f.decision
			f.passed++
		case next == nil && blanks == 0:
			f.passed = f.blocks // what the decision preempts makes up for the rest
		}
	}
	return b.goneIn == f.decision
}
