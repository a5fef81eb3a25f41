package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Tier is a memory beside the accelerators' own, such as the host's, to which keys and
// values can be moved.
type Tier struct {
	Name      string
	Blocks    int                  // KV blocks of a replica that it has room for
	Bandwidth units.BytesPerSecond // between it and each accelerator
	Latency   units.Seconds        // of a move, whatever its size
}

// time is how long moving a number of bytes to or from each accelerator lasts:
//
//	Latency + bytes / Bandwidth
func (t *Tier) time(bytes units.Bytes) units.Seconds { return t.Latency + bytes.At(t.Bandwidth) }

// moves are the bytes that a step moves between each accelerator and the tiers. They
// are added while the step is set up, and reset before the next one.
type moves struct {
	tiers   []Tier
	layers  int
	upFront []units.Bytes // by tier: moved before the step computes anything
	byLayer units.Bytes   // to or from the first tier: moved layer by layer, while others are computed
}

func newMoves(p *Pool) moves {
	return moves{tiers: p.Tiers, layers: p.Layers, upFront: make([]units.Bytes, len(p.Tiers))}
}

// reset forgets the moves of the last step.
func (m *moves) reset() {
	clear(m.upFront)
	m.byLayer = 0
}

// stepTime is the duration of a step that computes for t. A layer's keys and values
// must be computed before they move out, or have moved in before the layer is
// computed; what the other layers' computation does not hide lengthens the step.
func (m *moves) stepTime(t units.Seconds) units.Seconds {
	if m.byLayer > 0 {
		t = hardware.BesideLayers(t, m.tiers[0].time(m.byLayer), m.layers)
	}
	for i, bytes := range m.upFront {
		if bytes > 0 {
			t += m.tiers[i].time(bytes)
		}
	}
	return t
}

// bytes is what moves in all, over all tiers and both directions.
func (m *moves) bytes() units.Bytes {
	total := m.byLayer
	for _, b := range m.upFront {
		total += b
	}
	return total
}
