package sim

import (
	"slices"
	"sort"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// parking is the sequences whose keys and values a machine has moved out of its
// accelerators' memory, into the first tier. They have no block on the accelerators,
// and nothing to compute again when they come back.
type parking struct {
	sequences parked
	blocks    int         // of the first tier: of parked sequences, and set aside for those that are moving out
	leaving   int         // blocks of accelerators that come free when sequences have moved out
	returning []*sequence // on their way back, in order, with a place in the batch and blocks
}

// parked are sequences, in order of admission, whose keys and values are in the first tier.
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

// moveIn adds the move of a sequence of a number of blocks into the accelerators' memory to the
// step: layer by layer where steps overlap with moves, before the step where not.
func (m *machine) moveIn(blocks int) {
	if m.pool.Layers > 0 {
		m.step.moves.byLayer.in += m.pool.movedOf(blocks)
		return
	}
	m.step.moves.upFront[0].in += m.pool.movedOf(blocks)
}

// reserveParking sets a number of blocks of the first tier aside for a sequence.
// Copies of cached blocks have that much less room.
func (m *machine) reserveParking(s *sequence, blocks int) {
	m.parking.blocks += blocks - s.parkedBlocks
	s.parkedBlocks = blocks
	m.memory.copies.limit(m.pool.Tiers[0].Blocks - m.parking.blocks)
}

// swapOut moves a sequence's keys and values out. Where steps wait for moves, this one
// gets their blocks at once: nothing is computed until they have moved. Otherwise
// the blocks come free when they have.
func (m *machine) swapOut(s *sequence) {
	m.reserveParking(s, m.pool.blocksFor(s.Computed))
	m.parking.sequences.insert(s)
	bytes := m.pool.movedOf(s.parkedBlocks)
	if m.pool.SerialMoves {
		m.giveBack(s)
		s.Blocks = 0
		m.step.moves.upFront[0].out += bytes
		return
	}
	s.Leaving = true
	m.parking.leaving += s.Blocks
	m.await(s, bytes, m.links[0].out.send(m.now, bytes), (*machine).endSwapOut)
}

// endSwapOut frees the blocks of a sequence that has moved out.
func (m *machine) endSwapOut(s *sequence, _ bool) {
	m.parking.leaving -= s.Blocks
	m.giveBack(s)
	s.Blocks, s.Leaving = 0, false
}

// fetch lets the first n parked sequences begin their way back, with blocks for what they
// are to compute next.
func (m *machine) fetch(n int) {
	for range n {
		s := m.parking.sequences[0]
		m.parking.sequences = m.parking.sequences[1:]
		m.parking.returning = append(m.parking.returning, s)
		s.Blocks = m.view.BlocksToFetch(&s.Sequence)
		m.memory.allocate(s.Blocks)
		m.notePeakMemory()
		bytes := m.pool.movedOf(s.parkedBlocks)
		m.await(s, bytes, m.links[0].in.send(m.now, bytes), (*machine).endFetch)
	}
}

// endFetch frees the first tier of a sequence that is back. It joins the batch when the
// next step is planned.
func (m *machine) endFetch(s *sequence, late bool) {
	m.reserveParking(s, 0)
	s.landed, s.late = true, late
}

// joinReturned puts the sequences into the batch that are back.
func (m *machine) joinReturned() {
	m.parking.returning = slices.DeleteFunc(m.parking.returning, func(s *sequence) bool {
		if s.back() {
			s.landed, s.Returned = false, true
			m.join(s)
			return true
		}
		return false
	})
}

// SwapPays implements policies.Links: moving the keys and values of s out and back,
// behind a number of other blocks that move out before, against the step that computes
// them again instead of one token behind them.
func (m *machine) SwapPays(v *policies.Sequence, ahead int) bool {
	s := m.sequences.all[v.ID]
	bytes := m.pool.movedOf(m.pool.blocksFor(s.Computed))
	out := m.links[0].out.wait(m.now, bytes+m.pool.bytesOf(ahead))
	return out+m.links[0].in.wait(m.now, bytes) < m.promptTime(s, 0)-m.promptTime(s, s.Computed)
}

// promptTime is how long a step takes that computes the tokens of a sequence behind a
// number that are in memory.
func (m *machine) promptTime(s *sequence, context int) units.Seconds {
	return m.prefillTime(s.Length(), context)
}

// restore brings the first n parked sequences back into the batch.
func (m *machine) restore(n int) {
	for range n {
		s := m.parking.sequences[0]
		if s.phase == away {
			m.enter(s, decodes)
		}
		m.parking.sequences = m.parking.sequences[1:]
		m.moveIn(s.parkedBlocks)
		m.reserveParking(s, 0)
		m.join(s)
	}
}

// reserveOffload lets a sequence that joins leave again layer by layer, to the
// first tier, where room for it is set aside.
func (m *machine) reserveOffload(s *sequence) {
	s.Offloaded = true
	m.reserveParking(s, m.pool.blocksFor(s.Length()))
}

// moveOut adds what a chunk of a prompt that leaves moves: its own keys and
// values out with the state, with the first one those that were cached, too, and those of the
// tokens before it in with theirs, as far as they are not cached.
func (m *machine) moveOut(s *sequence, first bool) {
	out := m.pool.blocksFor(s.tokens)
	if first {
		out += s.cached.blocks
	}
	m.step.moves.byLayer.out += m.pool.movedOf(out)
	if in := m.pool.blocksFor(s.Computed) - s.cached.blocks; in > 0 {
		m.step.moves.byLayer.in += m.pool.movedOf(in)
	}
}

// readStreamed adds what decode steps read of the blocks that are not in the
// accelerators' memory, but in that part of the first tier which a decode step
// has the time to read.
func (m *machine) readStreamed() {
	resident := m.memory.total - m.pool.Streamed
	if out := m.memory.used() - resident; out > 0 && m.step.work.DecodeRows > 0 {
		m.step.moves.byLayer.in += m.pool.bytesOf(out)
	}
}

// park takes a sequence out of the batch whose prefill has ended and whose keys
// and values have left.
func (m *machine) park(s *sequence) {
	m.freeBlocks(s)
	s.Blocks, s.Offloaded = 0, false
	m.parking.sequences.insert(s)
	m.enter(s, away)
	m.size--
	m.series.end()
}

// countMoves counts what the step that ends now moved, in bytes, and for how long
// nothing was computed because of that: took is the step's time, cost.Time that of its
// computation.
func (m *machine) countMoves(cost hardware.Cost, took units.Seconds) {
	bytes, exposed := m.step.moves.bytes(), took-cost.Time
	if bytes == 0 {
		return
	}
	m.totals.MovedBytes += bytes
	m.totals.Exposed += exposed
	m.observeMove(m.now, m.now+took, bytes, exposed)
}
