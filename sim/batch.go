package sim

import (
	"math"
	"slices"

	"kneepoint/policies"
	"kneepoint/units"
)

// admit moves the first n waiting requests into the batch, whose step begins
// with their front-end work where the thread that runs steps does it, and with what the
// first step of all takes longer than others. A preempted
// request has done its own before, and goes on in the phase that it was in.
func (m *machine) admit(n int) {
	m.step.prepare = 0
	if n > 0 {
		m.step.prepare, m.penalty = m.penalty, 0
	}
	for range n {
		v := m.waiting.popFront()
		s := m.sequences.all[v.ID]
		if m.waiting.lines != nil {
			m.waiting.lines.join(s)
		}
		m.step.prepare += s.prepare
		s.prepare = 0
		m.beginEarly(s)
		switch {
		case s.phase != waits:
		case s.Generated > 0: // by another replica
			m.enter(s, decodes)
		default:
			m.enter(s, prefills)
		}
		s.admitted = m.admitted
		m.admitted++
		m.join(s)
	}
}

// join puts a sequence at the end of the batch. Like every change of the batch it
// ends the series of equal steps.
func (m *machine) join(s *sequence) {
	s.slot = len(m.running)
	m.running = append(m.running, &s.Sequence)
	m.size++
	m.series.end()
}

// preempt takes sequences out of the batch: the first swap of the victims keep their
// keys and values in the first tier, the others compute them again. One that has ended
// leaves early.
func (m *machine) preempt(victims []*policies.Sequence, swap int) {
	for i, v := range victims {
		s := m.sequences.all[v.ID]
		m.remove(v)
		if s.Ended {
			m.ended = slices.DeleteFunc(m.ended, func(e *sequence) bool { return e == s })
			m.holdStep(s)
			m.endStore(s, false)
			continue
		}
		if s.phase != recovers {
			m.enter(s, recovers)
		}
		m.size--
		m.series.end()
		m.fleet.record.Of(s.request).Preemptions++
		m.totals.Preemptions++
		m.recordPreemption()
		if i < swap {
			m.swapOut(s)
		} else {
			m.requeue(s)
		}
	}
}

// requeue puts a preempted sequence back into the queue: at its place where the least
// urgent is preempted, which others may come before, else at the front. It keeps the
// tokens that it generated, and their keys and values as long as their blocks are
// cached.
func (m *machine) requeue(s *sequence) {
	m.holdStep(s)
	m.keepOwn(s)
	m.freeBlocks(s)
	m.notePrompt(s, -s.Computed)
	s.Blocks, s.Computed, s.Recovers = 0, 0, true
	if m.view.LeastUrgentFirst {
		m.waiting.insert(&s.Sequence)
		return
	}
	s.Rank = math.Inf(-1) // a new request of any rank goes behind it
	m.waiting.putBack(&s.Sequence)
}

// remove takes a sequence out of the batch. It looks from the youngest on, which
// policies preempt first.
func (m *machine) remove(v *policies.Sequence) {
	for i := len(m.running) - 1; i >= 0; i-- {
		if m.running[i] == v {
			m.running = append(m.running[:i], m.running[i+1:]...)
			return
		}
	}
}

// leave takes the sequences out of the batch that have generated their last
// token, and those that were prefilled to be parked.
func (m *machine) leave(now units.Seconds) {
	kept := m.running[:0]
	for _, v := range m.running {
		switch s := m.sequences.all[v.ID]; {
		case s.Generated == s.output:
			if !m.endRequest(s, now) {
				kept = append(kept, v)
			}
		case s.Offloaded && s.last == now:
			m.park(s)
		default:
			kept = append(kept, v)
		}
	}
	m.running = kept
}

// vacate leaves a slot in the batch empty: closing the gap at once would cost a pass
// over the batch for each end. Once most slots are empty they are closed together.
func (m *machine) vacate(slot int) {
	m.running[slot] = nil
	if m.gone++; m.gone > 16 && 2*m.gone > len(m.running) {
		m.compact()
	}
}

// compact closes the gaps in the batch that ended sequences left.
func (m *machine) compact() {
	if m.gone == 0 {
		return
	}
	kept := m.running[:0]
	for _, v := range m.running {
		if v != nil {
			m.sequences.all[v.ID].slot = len(kept)
			kept = append(kept, v)
		}
	}
	m.running, m.gone = kept, 0
}
