package sim

import "kneepoint/units"

// gather turns the sequences that decode into totals. It is false when there is another
// but the youngest of the batch, since in a step totals take and free their blocks
// before it, or one that decodes and was left out of the last step: totals know only
// one gap before the next token. It looks before it changes anything.
func (e *stretches) gather() bool {
	var prefilling *sequence
	for _, v := range e.running {
		s := e.sequences.all[v.ID]
		switch decodes := s.Decodes(); {
		case s.Ended:
		case prefilling != nil || decodes && s.last != e.now:
			return false
		case decodes:
		default:
			prefilling = s
		}
	}
	for i, v := range e.running {
		s := e.sequences.all[v.ID]
		s.slot = i
		if s != prefilling && !s.Ended {
			e.join(s)
		}
	}
	e.decoding.gathered, e.decoding.prefilling = true, prefilling
	return true
}

// scatter brings every sequence of the batch up to date and dissolves the totals, for
// a policy that must look at the sequences one by one.
func (e *stretches) scatter() {
	e.synchronize()
	for _, v := range e.running {
		s := e.sequences.all[v.ID]
		s.decoding = false
		e.nameUnnamed(s)
	}
	e.decoding.clear()
}

// synchronize implements engine: it brings the counts of the sequences that decode
// up to date, and closes the gaps in the batch.
func (e *stretches) synchronize() {
	e.compact()
	for _, v := range e.running {
		if s := e.sequences.all[v.ID]; s.decoding {
			e.decoding.synchronize(s)
		}
	}
}

// endDecoding ends a sequence of a batch of totals.
func (m *machine) endDecoding(s *sequence, now units.Seconds) {
	if m.endRequest(s, now) {
		m.vacate(s.slot)
	}
}

// releaseEnded is that of a machine, for a batch of totals or of sequences.
func (e *stretches) releaseEnded() {
	if !e.decoding.gathered {
		e.machine.releaseEnded()
		return
	}
	e.releaseTotals()
}

// releaseTotals is releaseEnded for a batch of totals.
func (m *machine) releaseTotals() {
	if len(m.ended) == 0 {
		return
	}
	for _, s := range m.ended {
		m.vacate(s.slot)
		m.nameRest(s)
		m.release(s)
	}
	m.ended = m.ended[:0]
}
