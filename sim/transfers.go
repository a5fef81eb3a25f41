package sim

import "kneepoint/units"

// transfer is keys and values of a sequence that are on their way over a link, or copies of
// them, which have no bytes of their own here.
type transfer struct {
	sent     units.Seconds
	bytes    units.Bytes
	sequence *sequence
	land     func(m *machine, s *sequence, late bool) // what follows
}

// await lets a sequence wait for bytes that are sent now, until they land.
func (m *machine) await(s *sequence, bytes units.Bytes, lands units.Seconds, land func(*machine, *sequence, bool)) {
	m.transfers.add(lands, transfer{sent: m.now, bytes: bytes, sequence: s, land: land})
}

// landTransfer ends the first of the transfers, at its own time: late, if the next step
// is planned already.
func (m *machine) landTransfer(late bool) {
	landing := m.transfers.pop()
	m.integrate(landing.at)
	t := landing.what
	if t.bytes > 0 {
		m.totals.MovedBytes += t.bytes
		m.observeMove(t.sent, landing.at, t.bytes, 0)
	}
	t.land(m, t.sequence, late)
}
