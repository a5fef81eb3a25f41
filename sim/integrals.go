package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// integrate adds the time since the last change, times the counts as they were during
// it, to the time integrals of the replica. So it is called before a count changes, never
// after. Divided by the time of the run, the integrals are time averages; by Little's
// law their sum is that of all times in the system, which tests check.
func (m *machine) integrate(now units.Seconds) {
	if now == m.changed {
		return
	}
	m.recordTime(now)
	dt := float64(now - m.changed)
	totals := m.totals
	frontEnd, backlog := len(m.frontEnd.minHeap), m.backlog()-m.arriving
	waiting, requests := float64(backlog), frontEnd+backlog+m.size
	totals.InFrontEnd += float64(frontEnd) * dt
	totals.Waiting += waiting * dt
	totals.Running += float64(m.size) * dt
	if requests > 0 {
		totals.Occupied += units.Seconds(dt)
	}
	m.record.Load.Hold(now, requests)
	totals.KVBlocks += float64(m.memory.used()) * dt
	switch m.heldBy {
	case policies.HeldByMemory:
		totals.HeldByMemory += waiting * dt
		m.clocks.memory += units.Seconds(dt)
	case policies.HeldBySlots:
		totals.HeldBySlots += waiting * dt
	}
	m.changed = now
	if now > m.fleet.latest {
		m.fleet.latest = now
	}
}

// countBlocks adds blocks that are taken at a time and held until another one, up to which integrate counts the others.
func (m *machine) countBlocks(blocks int, at, until units.Seconds) {
	m.totals.KVBlocks += float64(blocks) * float64(until-at)
	m.recordBlocks(blocks, at, until)
}

// notePeakMemory notes how full the memory is: after blocks are allocated, since it is
// never fuller than then.
func (m *machine) notePeakMemory() {
	if m.memory.free < m.leastFree {
		m.leastFree = m.memory.free
		m.totals.KVMax = max(m.totals.KVMax, float64(m.memory.used())/float64(m.memory.total))
	}
}

// recordGaps records inter-token gaps of d: one for each of n sequences, of which
// inWindow count for the steady state. Between the tokens of whole answers there
// are none.
func (m *machine) recordGaps(d units.Seconds, n, inWindow int) {
	if m.pool.WholeAnswers {
		return
	}
	m.fleet.record.ITL.Add(d, int64(n))
	m.fleet.record.ITLIn.Add(d, int64(inWindow))
}

// recordGapsOf records gaps that follow each other as recordGaps does: each for n sequences, of which inWindow count.
func (m *machine) recordGapsOf(gaps []units.Seconds, n, inWindow int) {
	if m.pool.WholeAnswers {
		return
	}
	m.fleet.record.ITL.AddEach(gaps, int64(n))
	m.fleet.record.ITLIn.AddEach(gaps, int64(inWindow))
}

// recordGap records the gap before a sequence's token that comes now.
func (m *machine) recordGap(s *sequence, now units.Seconds) {
	inWindow := 0
	if s.inWindow {
		inWindow = 1
	}
	m.recordGaps(now-s.last, 1, inWindow)
	m.countGap(s, now-s.last)
}

// countOutput counts tokens that steps from a start to an end generated.
func (m *machine) countOutput(start, end units.Seconds, tokens int) {
	m.totals.GeneratedTokens += int64(tokens)
	m.recordOutput(start, end, tokens)
}

// count adds n steps, what they cost and the time they took, to the totals.
func (m *machine) count(n int, cost hardware.Cost, took units.Seconds) {
	t := m.totals
	t.Steps += int64(n)
	t.Busy += took
	t.Bytes += cost.Bytes
	t.FLOPs += cost.FLOPs
	t.LinkBytes += cost.LinkBytes
	t.Energy += cost.Energy
}
