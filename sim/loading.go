package sim

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// load is what is loaded of a sequence that waits, from the tiers: as it was last looked
// up, or on its way.
type load struct {
	first  blockKey  // of its blocks
	blocks []int     // by tier
	last   int       // tier of the last of them, with which a state comes
	shared int       // blocks behind these, from others
	legs   int       // that are on their way: from the tiers, from others
	tokens int       // in memory when it has ended
	leader *sequence // whose load it waits for instead; nil: its own
}

// lookBelow goes on with a lookup behind a number of blocks that are in memory, where
// loads pass beside the steps: every block behind them is loaded from a tier, as far as
// there are copies, up to n blocks in all, unless others do that already.
//
// Source: vllm/distributed/kv_transfer/kv_connector/v1/offloading/scheduler.py,
// get_num_new_matched_tokens, which loads whatever it takes.
func (m *machine) lookBelow(s *sequence, d *policies.Decision, hit policies.Hit, n int) policies.Hit {
	from := s.hit.blocks
	s.load = load{first: m.keyOf(s, from), blocks: s.load.blocks[:0]}
	if m.leaderOf(s.load.first, d) != nil {
		return policies.Hit{Follows: true}
	}
	clear(m.step.loads)
	blocks := from
	for ; blocks < n; blocks++ {
		tier := m.memory.copies.find(m.keyOf(s, blocks))
		if tier < 0 {
			break
		}
		m.step.loads[tier]++
		s.load.last = tier
	}
	tokens := min(blocks*m.pool.BlockSize, s.Length()-1)
	if blocks > from && !m.loadPays(s, hit.Tokens, tokens) {
		return hit
	}
	s.load.shared = m.findShared(s, blocks, n)
	if blocks += s.load.shared; blocks == from {
		return hit
	}
	tokens = min(blocks*m.pool.BlockSize, s.Length()-1)
	s.load.blocks, s.load.tokens = append(s.load.blocks, m.step.loads...), tokens
	return policies.Hit{Tokens: tokens, Held: hit.Held, Load: true}
}

// leaderOf is the sequence that loads a block first, or will for d; nil when none does. It
// left the queue before those that follow it, and while it holds the loaded block nobody
// asks who loads that.
func (m *machine) leaderOf(first blockKey, d *policies.Decision) *sequence {
	for _, s := range m.loading {
		if s.load.first == first {
			return s
		}
	}
	for i := range d.Load {
		if s := m.sequenceOf(&d.Load[i]); d.Load[i].Blocks > 0 && s.load.first == first {
			return s
		}
	}
	return nil
}

// takeLoads takes the sequences that begin to be loaded out of the queue, before those
// come to its front that are preempted. They hold what is in memory of them from now on,
// before any block is taken.
func (m *machine) takeLoads() {
	d := &m.decision
	if len(d.Load) == 0 {
		return
	}
	m.holdForLoads()
	var joining []*policies.Sequence
	loads := d.Load
	for range d.Admit {
		v := m.waiting.popFront()
		if len(loads) > 0 && loads[0].Sequence == v {
			loads = loads[1:]
			continue
		}
		joining = append(joining, v)
	}
	for i := len(joining) - 1; i >= 0; i-- {
		m.waiting.pushFront(joining[i])
	}
}

// holdForLoads shares the blocks that are in memory of sequences that begin to be loaded.
func (m *machine) holdForLoads() {
	for i := range m.decision.Load {
		t := &m.decision.Load[i]
		if t.Blocks == 0 {
			continue // it follows others
		}
		s := m.sequenceOf(t)
		m.holdFound(&s.hit, &s.cached)
	}
}

// beginLoads lets the sequences of the decision wait for their loads, when the tasks have
// their blocks.
func (m *machine) beginLoads() {
	d := &m.decision
	for i := range d.Load {
		t := &d.Load[i]
		s := m.sequenceOf(t)
		if s.phase == waits {
			m.enter(s, loads)
		}
		switch {
		case s.handover != nil:
			m.beginArrival(s, t)
		case t.Blocks == 0:
			s.load.leader = m.leaderOf(s.load.first, d)
		default:
			m.beginLoad(s, t)
		}
		m.loading = append(m.loading, s)
	}
	d.Load = d.Load[:0]
}

// beginLoad gives a sequence all its blocks, and has the links load what it has no
// content of.
func (m *machine) beginLoad(s *sequence, t *policies.Task) {
	m.countHit(s, t)
	if s.computed == 0 {
		fetched := min(s.load.shared*m.pool.BlockSize, t.Cached-s.hit.blocks*m.pool.BlockSize)
		m.totals.FetchedTokens += int64(fetched)
		m.totals.LoadedTokens += int64(t.Cached - s.hit.blocks*m.pool.BlockSize - fetched)
	}
	m.takeForLoad(s, t)
	var bytes units.Bytes
	lands := m.now
	for tier, blocks := range s.load.blocks {
		if blocks > 0 {
			moved := m.pool.bytesOf(blocks)
			if tier == s.load.last && s.load.shared == 0 {
				moved = m.pool.movedOf(blocks)
			}
			lands = max(lands, m.links[tier].in.send(m.now, moved))
			bytes += moved
		}
	}
	if s.load.legs = 0; bytes > 0 || s.load.shared == 0 {
		s.load.legs++
		m.await(s, bytes, lands, (*machine).endLoad)
	}
	if s.load.shared > 0 {
		s.load.legs++
		m.fetchShared(s)
	}
}

// takeForLoad gives a sequence all its blocks before what is not in memory comes into
// them: those of its hit, which it holds already but for what is filled in this step.
func (m *machine) takeForLoad(s *sequence, t *policies.Task) {
	s.cached, s.hit = s.hit, s.cached
	blocks := 0
	for i := 0; i < len(s.cached.spans); i++ {
		if s.cached.spans[i] == nil {
			m.takeMissing(s, i, blocks)
		}
		blocks += s.cached.spans[i].len()
	}
	m.memory.allocate(t.Blocks - blocks)
	m.notePeakMemory()
	s.Blocks = t.Blocks
}

// endLoad makes the loaded blocks of a sequence cached ones. It comes back to the queue when
// the next step is planned, with those that followed it.
func (m *machine) endLoad(s *sequence, late bool) {
	if s.load.legs--; s.load.legs > 0 {
		return
	}
	for n := m.pool.blocksFor(s.load.tokens); s.cached.blocks < n; {
		key := m.keyOf(s, s.cached.blocks)
		m.memory.copies.use(key)
		if m.shares() {
			m.fleet.sharing.store.use(key)
		}
		m.memory.register(&s.cached, key.id, 1, m.changed)
		if m.shares() {
			s.cached.end().offered = s.cached.blocks <= s.Prompt/m.pool.BlockSize
		}
	}
	m.notePrompt(s, s.load.tokens-s.Computed)
	s.Computed = s.load.tokens
	s.computed = max(s.computed, s.Computed)
	for _, other := range m.loading {
		if other == s || other.load.leader == s {
			other.landed, other.late = true, late
			if other.phase == loads {
				m.enter(other, waits)
			}
		}
	}
}

// requeueLoaded puts those back at the front of the queue, in the order in which they left
// it, for whom nothing is loaded any more: those that have their blocks before the others,
// which are in order of rank where requests are ranked.
func (m *machine) requeueLoaded() {
	for i := len(m.loading) - 1; i >= 0; i-- {
		switch s := m.loading[i]; {
		case !s.back():
		case s.Blocks > 0:
			m.waiting.pushFront(&s.Sequence)
		case m.waiting.lines != nil:
			m.waiting.lines.back(s)
		case m.fleet.config.Rank != nil:
			m.waiting.insert(&s.Sequence)
		default:
			m.waiting.putBack(&s.Sequence)
		}
	}
	kept := m.loading[:0]
	for _, s := range m.loading {
		if s.back() {
			s.landed, s.load.leader = false, nil
		} else {
			kept = append(kept, s)
		}
	}
	m.loading = kept
}

// back tells whether what a sequence waited for has come before the plan that is made.
func (s *sequence) back() bool { return s.landed && !s.late }

// noticeLate lets the next plan see what came after the last one was made. It is
// false when nothing did.
func (m *machine) noticeLate() bool {
	loaded, returned := noticeAmong(m.loading), noticeAmong(m.parking.returning)
	return loaded || returned
}

func noticeAmong(waiting []*sequence) (found bool) {
	for _, s := range waiting {
		found = found || s.late
		s.late = false
	}
	return found
}

// sendCopies sends copies of the blocks that a step which ends now has filled to the first
// tier: beside the steps that follow, or at no time where these wait for what they move.
func (m *machine) sendCopies(end units.Seconds) {
	c := m.memory.copies
	if c == nil || len(c.unsent) == 0 {
		return
	}
	c.now = end
	blocks := 0
	for _, b := range c.unsent {
		if !b.moved && c.byKey[b.key] == b {
			blocks++
		}
	}
	ready := end
	if !m.pool.SerialMoves {
		ready = m.links[0].out.sendSome(end, m.pool.bytesOf(blocks))
	}
	for _, b := range c.unsent {
		if b.ready = ready; b.moved {
			b.ready = end
		}
	}
	for _, s := range m.storing {
		s.stored = ready
	}
	c.unsent, m.storing = c.unsent[:0], m.storing[:0]
}

// release gives the memory of a sequence that has ended back, once its blocks have
// been copied, and its ID. It is the time of the last integrate.
//
// Source: vllm/distributed/kv_transfer/kv_connector/v1/offloading/scheduler.py,
// request_finished.
func (m *machine) release(s *sequence) {
	if s.stored > m.changed {
		m.await(s, 0, s.stored, (*machine).endStore)
		return
	}
	m.endStore(s, false)
}

// nextStored is when the blocks of the first of those sequences are copied that have ended
// and leave the batch with the next step; forever when none are being copied.
func (m *machine) nextStored() units.Seconds {
	first := forever
	for _, s := range m.ended {
		if s.stored > m.now {
			first = min(first, s.stored)
		}
	}
	return first
}

// endStore frees the memory of a sequence that has ended, and its ID.
func (m *machine) endStore(s *sequence, _ bool) {
	m.giveBack(s)
	if s.parkedBlocks > 0 {
		m.reserveParking(s, 0)
	}
	m.sequences.release(s.ID)
}

// holdStep has the step wait until the blocks of a preempted sequence are copied that are
// being copied: it may write to them at once.
//
// Source: vllm/distributed/kv_transfer/kv_connector/v1, handle_preemptions.
func (m *machine) holdStep(s *sequence) {
	m.step.moves.before = max(m.step.moves.before, s.stored-m.now)
}
