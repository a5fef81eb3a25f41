package sim

import (
	"cmp"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Tier is a memory beside the accelerators' own, such as the host's, to which keys and
// values can be moved.
type Tier struct {
	Name         string
	Blocks       int                  // KV blocks of a replica that it has room for
	Bandwidth    units.BytesPerSecond // from it to each accelerator
	BandwidthOut units.BytesPerSecond // from each accelerator to it; 0: as Bandwidth
	Latency      units.Seconds        // of a move, whatever its size
}

// Out is the bandwidth from each accelerator to the tier.
func (t *Tier) Out() units.BytesPerSecond { return cmp.Or(t.BandwidthOut, t.Bandwidth) }

// time is how long a number of bytes take from the tier to each accelerator:
//
//	Latency + bytes / Bandwidth
func (t *Tier) time(bytes units.Bytes) units.Seconds { return t.Latency + bytes.At(t.Bandwidth) }

// moves are the bytes that a step moves between each accelerator and the tiers. They
// are added while the step is set up, and reset before the next one.
type moves struct {
	tiers   []Tier
	layers  int
	upFront []crossing // by tier: moved before the step computes anything
	byLayer crossing   // to and from the first tier: moved layer by layer, while others are computed

	before, beside units.Seconds // that they take, once the step is set up
}

// crossing is bytes that move from a tier to each accelerator, and from there to the
// tier.
type crossing struct{ in, out units.Bytes }

func (c crossing) bytes() units.Bytes { return c.in + c.out }

func newMoves(p *Pool) moves {
	return moves{tiers: p.Tiers, layers: p.Layers, upFront: make([]crossing, len(p.Tiers))}
}

// reset forgets the moves of the last step.
func (m *moves) reset() {
	clear(m.upFront)
	m.byLayer, m.before, m.beside = crossing{}, 0, 0
}

// scheduleMoves decides how long the moves of the step that is set up take. Those before
// it follow each other, in either direction; those beside it wait for what the links
// have still to send, and go both ways at once.
func (m *machine) scheduleMoves() {
	v := &m.step.moves
	for i := range v.tiers {
		if t := &v.tiers[i]; v.upFront[i].bytes() > 0 {
			v.before += t.Latency + v.upFront[i].in.At(t.Bandwidth) + v.upFront[i].out.At(t.Out())
		}
	}
	switch c := v.byLayer; {
	case c.bytes() == 0:
	case m.pool.SerialMoves:
		t := &v.tiers[0]
		v.beside = t.Latency + c.in.At(t.Bandwidth) + c.out.At(t.Out())
	default:
		v.beside = max(m.links[0].in.sendSome(m.now, c.in), m.links[0].out.sendSome(m.now, c.out)) - m.now
	}
}

// stepTime is the duration of a step that computes for t. A layer's keys and values
// must be computed before they move out, or have moved in before the layer is
// computed; what the other layers' computation does not hide lengthens the step.
func (m *moves) stepTime(t units.Seconds) units.Seconds {
	if m.beside > 0 {
		t = hardware.BesideLayers(t, m.beside, m.layers)
	}
	return t + m.before
}

// bytes is what moves in all, over all tiers and both directions.
func (m *moves) bytes() units.Bytes {
	total := m.byLayer.bytes()
	for _, c := range m.upFront {
		total += c.bytes()
	}
	return total
}
