package sim

import (
	"slices"

	"kneepoint/workloads"
)

// Blocks that a sequence fills while it decodes have names from the plan on that knows their last tokens. As a rule nobody looks for them
// before it ends: then they get them all at once, when somebody looks for the ID that names them or the sequence leaves the
// totals. Until then it is the filler of that ID.

// fillsNamed tells whether a sequence is to fill blocks that others may find.
func (d *decoding) fillsNamed(s *sequence) bool { return s.cached.blocks < d.namedAtEnd(s) }

// namedAtEnd is how many blocks of a sequence others may find when it ends.
func (d *decoding) namedAtEnd(s *sequence) int { return min(s.named, s.Prompt+s.output) / d.blockSize }

// join adds a sequence that decodes to the totals.
func (e *stretches) join(s *sequence) {
	d := &e.decoding
	d.join(s)
	switch {
	case !d.fillsNamed(s):
	case e.putsOff(s):
		s.fills = s.cached.end().named
		s.fills.filler = s
		e.memory.cached.fillers++
	default:
		e.nameFillers(s.content)
		d.addNaming(s)
	}
}

// putsOff tells whether it makes no difference when the blocks get their names that a sequence is to fill: one ID names them and the
// last one before them, no other sequence fills or has just filled blocks that it may name, and no copies are made of them.
func (e *stretches) putsOff(s *sequence) bool {
	last := s.cached.end()
	if last == nil || last.named.filler != nil || !e.memory.anyTime() {
		return false
	}
	if next, until := e.memory.keyFrom(s.content, s.cached.blocks); next.id != last.id || until < e.decoding.namedAtEnd(s) {
		return false
	}
	return !slices.ContainsFunc(e.ended, func(s *sequence) bool { return s.has(last.id) }) && !e.decoding.mayName(last.id)
}

// anyTime tells whether nothing but what is found depends on when blocks get their names.
func (m *memory) anyTime() bool { return m.ttl == 0 && m.copies == nil && !m.oneByOne }

// has tells whether an ID names some of the tokens of a sequence.
func (s *sequence) has(id int) bool { return s.content != nil && slices.Contains(s.content.IDs, id) }

// mayName tells whether an ID names some of the tokens of a sequence that is to fill blocks which others may find.
func (d *decoding) mayName(id int) bool {
	return d.names > 0 && slices.ContainsFunc(d.naming, func(filling []*sequence) bool {
		return slices.ContainsFunc(filling, func(s *sequence) bool { return s.has(id) })
	})
}

// nameFillers names all that the fillers of the IDs of a content have filled.
func (e *stretches) nameFillers(c *workloads.Content) {
	if e.unnamed() == 0 {
		return
	}
	for _, id := range c.IDs {
		if ofID := e.memory.cached.ids.At(id); ofID != nil && ofID.filler != nil {
			e.nameNow(ofID.filler)
		}
	}
}

// nameNow names all that a filler has filled so far. From now on names are not put off: somebody has asked for them.
func (e *stretches) nameNow(s *sequence) {
	d := &e.decoding
	known := d.planned(s)
	if d.begun {
		known = d.certain(s, 0)
	}
	e.nameUntil(s, known)
	if !d.fillsNamed(s) {
		return
	}
	d.addNaming(s)
	if e.foresight.totals == nil { // what this one fills was not foreseen
		e.foreseeContent(s, d.certain(s, 0))
	}
}

// nameUnnamed names all that a sequence has filled that leaves the totals, if it is a filler.
func (e *stretches) nameUnnamed(s *sequence) {
	if s.fills != nil {
		e.nameUntil(s, s.certain)
	}
}

// nameUntil names what a filler has filled with its first tokens, and has it no filler any more.
func (e *stretches) nameUntil(s *sequence, tokens int) {
	s.fills.filler, s.fills = nil, nil
	e.memory.cached.fillers--
	e.publish(s, tokens, e.now)
}

// unnamed is how many sequences are fillers.
func (m *machine) unnamed() int {
	if m.memory.cached == nil {
		return 0
	}
	return m.memory.cached.fillers
}
