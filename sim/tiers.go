package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Tier is a memory below the accelerators'.
type Tier struct {
	Name      string
	Blocks    int                  // KV blocks that it holds
	Bandwidth units.BytesPerSecond // between it and each accelerator
	Latency   units.Seconds        // of a move
}

// time is how long moving a number of bytes of each accelerator takes.
func (t *Tier) time(bytes units.Bytes) units.Seconds { return t.Latency + bytes.At(t.Bandwidth) }

// moves are the bytes that a step moves between each accelerator and the tiers.
type moves struct {
	tiers  []Tier
	layers int
	before []units.Bytes // by tier: that must be there before the step begins, or be gone
	beside units.Bytes   // of the first tier: that move layer by layer, while others are computed
}

func newMoves(p *Pool) moves {
	return moves{tiers: p.Tiers, layers: p.Layers, before: make([]units.Bytes, len(p.Tiers))}
}

// reset forgets the moves of the last step.
func (m *moves) reset() {
	clear(m.before)
	m.beside = 0
}

// extend is the duration of a step that computes for t. What moves beside
// it needs a layer to be computed before it goes out, or to be there before it is
// computed; what compute does not hide is exposed.
func (m *moves) extend(t units.Seconds) units.Seconds {
	if m.beside > 0 {
		t = hardware.BesideLayers(t, m.tiers[0].time(m.beside), m.layers)
	}
	for i, bytes := range m.before {
		if bytes > 0 {
			t += m.tiers[i].time(bytes)
		}
	}
	return t
}

// bytes is what moves in all.
func (m *moves) bytes() units.Bytes {
	total := m.beside
	for _, b := range m.before {
		total += b
	}
	return total
}

func (m *moves) any() bool { return len(m.tiers) > 0 && m.bytes() > 0 }
