package sim

import "kneepoint/units"

// early is what is sent of a prompt whose layers are sent as they are computed, before all are:
// as much as either link manages in the time that it has nothing else to send.
type early struct {
	sides []side
	idle  []units.Seconds // of their links until the prompt began
	sent  float64         // tokens
}

// beginEarly begins to send what is computed of a sequence, when it joins for the first time.
func (m *machine) beginEarly(s *sequence) {
	n := m.fleet.network
	if h := s.part; h != nil && h.lost == nil && h.early.sides == nil && m.fleet.config.Transfer.Layers > 0 && !n.infinite() {
		h.early.begin(n.sides(m.fleet.replicas[m.number], h.to), m.now)
	}
}

// begin notes that a prompt is computed from now on.
func (e *early) begin(sides []side, now units.Seconds) {
	e.sides = sides
	for _, s := range sides {
		e.idle = append(e.idle, s.port.idleUntil(now))
	}
}

// send counts how many of some tokens have been sent by now. Others that were computed
// meanwhile cannot take the same time again.
func (e *early) send(tokens float64, now units.Seconds) {
	for i, s := range e.sides {
		tokens = min(tokens, float64(max(0, s.port.idleUntil(now)-e.from(i)))/s.time)
	}
	for i, s := range e.sides {
		s.port.taken = e.from(i) + units.Seconds(tokens*s.time)
	}
	e.sent = tokens
}

// from is the time of a link without transfers from which on nothing was sent early.
func (e *early) from(side int) units.Seconds { return max(e.idle[side], e.sides[side].port.taken) }
