package sim

import (
	"sort"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// Tier is a memory below the accelerators'.
type Tier struct {
	Name      string
	Blocks    int                  // KV blocks that it holds
	Bandwidth units.BytesPerSecond // between it and each accelerator
	Latency   units.Seconds        // of a move
}

// time is how long moving so many bytes of each accelerator takes.
func (t *Tier) time(bytes units.Bytes) units.Seconds { return t.Latency + bytes.At(t.Bandwidth) }

// below is the sequences whose keys and values a replica has moved out of its
// accelerators' memory, into the first tier.
type below struct {
	parked parked
	used   int // blocks of parked sequences, and of those that are on their way
}

// parked are sequences, in order of admission, whose keys and values are below.
type parked []*sequence

// Len implements policies.Queue.
func (p *parked) Len() int { return len(*p) }

// At implements policies.Queue.
func (p *parked) At(i int) *policies.Sequence { return &(*p)[i].Sequence }

// insert parks s behind those that were admitted before it.
func (p *parked) insert(s *sequence) {
	i := sort.Search(len(*p), func(i int) bool { return (*p)[i].admitted > s.admitted })
	*p = append(*p, nil)
	copy((*p)[i+1:], (*p)[i:])
	(*p)[i] = s
}

// moves are the bytes that a step moves between each accelerator and the tiers.
type moves struct {
	tiers  []Tier
	layers int
	before []units.Bytes // by tier: that must be there before the step begins, or be gone
	beside units.Bytes   // of the first tier: that move layer by layer, while others are computed
}

func newMoves(c *Config) moves {
	return moves{tiers: c.Tiers, layers: c.Layers, before: make([]units.Bytes, len(c.Tiers))}
}

// reset forgets the moves of the last step.
func (m *moves) reset() {
	clear(m.before)
	m.beside = 0
}

// extend is the duration of a step that computes for so long. What moves beside
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

// bytesOf is the size of so many blocks on each accelerator.
func (r *replica) bytesOf(blocks int) units.Bytes {
	return units.Bytes(blocks) * r.fleet.config.BlockBytes
}

// restoring adds moves into the accelerators' memory to the step: layer by layer
// where steps overlap with moves.
func (r *replica) restoring(blocks int) {
	if r.fleet.config.Layers > 0 {
		r.moves.beside += r.bytesOf(blocks)
		return
	}
	r.moves.before[0] += r.bytesOf(blocks)
}

// blocksFor is the number of blocks that hold so many tokens.
func (r *replica) blocksFor(tokens int) int {
	size := r.fleet.config.BlockSize
	return (tokens + size - 1) / size
}

// reserveBelow sets so many blocks of the first tier aside for a sequence. They are
// not there for copies of cached blocks then.
func (r *replica) reserveBelow(s *sequence, blocks int) {
	r.below.used += blocks - s.below
	s.below = blocks
	r.pool.lower.limit(r.fleet.config.Tiers[0].Blocks - r.below.used)
}

// swapOut moves a sequence's keys and values out before the step.
func (r *replica) swapOut(s *sequence) {
	r.giveBack(s)
	s.Blocks = 0
	r.reserveBelow(s, r.blocksFor(s.Computed))
	r.below.parked.insert(s)
	r.moves.before[0] += r.bytesOf(s.below)
}

// restore brings the first n parked sequences back into the batch.
func (r *replica) restore(n int) {
	for range n {
		s := r.below.parked[0]
		if s.phase == away {
			r.enter(s, decodes)
		}
		r.below.parked = r.below.parked[1:]
		r.restoring(s.below)
		r.reserveBelow(s, 0)
		s.place = len(r.running)
		r.running = append(r.running, &s.Sequence)
		r.size++
		r.series = series{}
	}
}

// offload lets a sequence that joins leave again layer by layer: room for it is
// set aside below.
func (r *replica) offload(s *sequence) {
	s.Offloaded = true
	r.reserveBelow(s, r.blocksFor(s.Length()))
}

// moveOut adds what a chunk of a prompt that leaves moves: its own keys and
// values out, and those of the tokens before it in.
func (r *replica) moveOut(s *sequence) {
	r.moves.beside += r.bytesOf(r.blocksFor(s.tokens) + r.blocksFor(s.Computed))
}

// stream adds what decode steps read of the blocks that are not in the
// accelerators' memory, but in that part of the first tier which a decode step
// has the time to read.
func (r *replica) stream() {
	resident := r.pool.total - r.fleet.config.Streamed
	if out := r.pool.used() - resident; out > 0 && r.work.DecodeRows > 0 {
		r.moves.beside += r.bytesOf(out)
	}
}

// park takes a sequence out of the batch whose prefill has ended and whose keys
// and values have left.
func (r *replica) park(s *sequence) {
	r.pool.release(s.Blocks, nil)
	s.Blocks, s.Offloaded = 0, false
	r.below.parked.insert(s)
	r.enter(s, away)
	r.size--
	r.series = series{}
}

// moved counts what a step moved, and for how long nothing else happened.
func (r *replica) moved(cost hardware.Cost, took units.Seconds) {
	if !r.moves.any() {
		return
	}
	totals := &r.fleet.record.Totals
	totals.MovedBytes += r.moves.bytes()
	totals.Exposed += took - cost.Time
}
