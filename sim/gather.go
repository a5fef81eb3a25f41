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
			e.decoding.join(s)
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
		e.sequences.all[v.ID].decoding = false
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

// endDecoding ends a sequence.
func (e *stretches) endDecoding(s *sequence, now units.Seconds) {
	if e.endRequest(s, now) {
		e.vacate(s.slot)
	}
}

// releaseEnded is that of a machine, for a batch of totals or of sequences.
func (e *stretches) releaseEnded() {
	if !e.decoding.gathered {
		e.machine.releaseEnded()
		return
	}
	for _, s := range e.ended {
		e.vacate(s.slot)
		e.nameRest(s)
		e.release(s)
	}
	e.ended = e.ended[:0]
}
