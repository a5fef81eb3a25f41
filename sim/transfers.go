package sim

import "kneepoint/units"

// transfer is keys and values of a sequence that are on their way over a link, or copies of
// them, which have no bytes of their own here.
type transfer struct {
	anywhere
	sent, lands units.Seconds
	number      int // how many there were before it, in this replica
	bytes       units.Bytes
	sequence    *sequence
	land        func(m *machine, s *sequence, late bool) // what follows
}

// before orders by time; ties go to the one that was sent first.
func (t transfer) before(u transfer) bool {
	if t.lands != u.lands {
		return t.lands < u.lands
	}
	return t.number < u.number
}

// transfers are those that are on their way and that somebody waits for.
type transfers struct {
	minHeap[transfer]
	sent int // so far
}

// next is when the first of them lands; forever when there is none.
func (t *transfers) next() units.Seconds {
	if len(t.minHeap) == 0 {
		return forever
	}
	return t.minHeap[0].lands
}

// await lets a sequence wait for bytes that are sent now, until they land.
func (m *machine) await(s *sequence, bytes units.Bytes, lands units.Seconds, land func(*machine, *sequence, bool)) {
	m.transfers.push(transfer{sent: m.now, lands: lands, number: m.transfers.sent, bytes: bytes, sequence: s, land: land})
	m.transfers.sent++
}

// landTransfer ends the first of the transfers, at its own time: late, if the next step
// is planned already.
func (m *machine) landTransfer(late bool) {
	t := m.transfers.pop()
	m.integrate(t.lands)
	if t.bytes > 0 {
		m.totals.MovedBytes += t.bytes
		m.observeMove(t.sent, t.lands, t.bytes, 0)
	}
	t.land(m, t.sequence, late)
}
