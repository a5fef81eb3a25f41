package sim

import (
	"math"

	"kneepoint/policies"
	"kneepoint/units"
)

// Lookup implements policies.PrefixCache: the whole blocks of a sequence's named
// tokens, or of all its tokens where it was preempted, that are in memory, or are
// loaded from the tiers faster than computed again. The last token is never among
// them, since its logits are needed; the rest of its block may be loaded, as in vLLM.
// Nothing changes: a policy may look up more than it admits.
func (m *machine) Lookup(v *policies.Sequence, d *policies.Decision) policies.Hit {
	s := m.sequences.all[v.ID]
	switch {
	case s.handover != nil:
		return m.lookArriving(s, d)
	case m.memory.cached == nil:
		return policies.Hit{}
	}
	s.hit.reset()
	s.loads = 0
	known := s.named
	if s.computed > 0 {
		known = s.Length()
	}
	size := m.pool.BlockSize
	if known < size {
		return policies.Hit{}
	}
	m.foresee(d)
	most := min(known, s.Length()-1) / size
	held := m.findCached(s, most)
	blocks := s.hit.blocks
	if m.memory.copies == nil && !m.shares() || blocks == most {
		return policies.Hit{Tokens: blocks * size, Held: held}
	}
	loadable := min(known/size, s.Length()/size, m.pool.blocksFor(s.Length()-1)) // the last token's block only where it has others
	if !m.pool.SerialMoves {
		return m.lookBelow(s, d, policies.Hit{Tokens: blocks * size, Held: held}, loadable)
	}
	more := m.findCopies(s, loadable)
	tokens := min(s.hit.blocks*size, s.Length()-1)
	if s.loads == 0 || !m.loadPays(s, blocks*size, tokens) {
		s.hit.limit(blocks)
		s.loads = 0
		return policies.Hit{Tokens: blocks * size, Held: held}
	}
	return policies.Hit{Tokens: tokens, Held: held + more}
}

// findCached notes as the sequence's hit those of its first n blocks that are cached in
// a row, and counts how many of these a sequence holds: the others count as free,
// and no longer do when they are shared.
func (m *machine) findCached(s *sequence, n int) (held int) {
	m.memory.hits = append(m.memory.hits, &s.hit)
	for s.hit.blocks < n {
		found, ok := m.cachedThen(s, n)
		if !ok {
			break
		}
		held += m.addHit(s, found)
	}
	return held
}

// addHit adds to the hit of a sequence what follows, and counts how many of its blocks a sequence holds, or fills in
// the same step.
func (m *machine) addHit(s *sequence, found *span) (held int) {
	s.hit.add(found)
	switch decision := m.memory.decision; {
	case found == nil:
		return 1
	case len(found.holders) > 0 || found.heldIn == decision:
		held = found.len()
	}
	found.foundIn = m.memory.decision
	return held
}

// findCopies goes on behind the hit: it adds blocks in a row, up to n in all, that are
// cached or have a copy in a tier, notes in m.step.loads by tier how many of these
// are to be loaded, and counts how many a sequence holds.
func (m *machine) findCopies(s *sequence, n int) (held int) {
	clear(m.step.loads)
	for s.hit.blocks < n {
		if found, ok := m.cachedThen(s, n); ok {
			held += m.addHit(s, found)
			continue
		}
		tier := m.memory.copies.find(m.keyOf(s, s.hit.blocks))
		if tier < 0 {
			return held
		}
		m.step.loads[tier]++
		s.load.last = tier
		s.loads++
		s.hit.add(nil)
	}
	return held
}

// keyOf is the key of the index-th block of a sequence: its content's where that names
// all of the block.
func (m *machine) keyOf(s *sequence, index int) blockKey {
	if (index+1)*m.pool.BlockSize <= s.named {
		return m.memory.key(s.content, index)
	}
	return ownKey(s.request, index)
}

// keyFrom is the key of a block of a sequence, and the index behind the blocks from it on whose keys differ in nothing but their indices.
func (m *machine) keyFrom(s *sequence, index int) (key blockKey, until int) {
	if (index+1)*m.pool.BlockSize > s.named {
		return ownKey(s.request, index), math.MaxInt
	}
	key, until = m.memory.keyFrom(s.content, index)
	return key, min(until, s.named/m.pool.BlockSize)
}

// namedBlocks is the number of full blocks among a sequence's first tokens that
// others may find.
func (m *machine) namedBlocks(s *sequence, tokens int) int {
	if m.memory.cached == nil || s.content == nil || s.Offloaded {
		return 0
	}
	return min(s.named, tokens) / m.pool.BlockSize
}

// loadPays tells whether the loads in m.step.loads take less time than they save: the
// step of the sequence's prompt with a number of tokens in memory already (with the
// loads), instead of another one (without). Neither counts who is served before: a busy
// link and a busy batch make the request wait, either way. Several tiers load at once,
// unless a step waits for them.
func (m *machine) loadPays(s *sequence, without, with int) bool {
	var sum, longest units.Seconds
	for i, blocks := range m.step.loads {
		if blocks > 0 {
			moved := m.pool.bytesOf(blocks)
			if i == s.load.last {
				moved = m.pool.movedOf(blocks)
			}
			t := m.pool.Tiers[i].time(moved)
			sum, longest = sum+t, max(longest, t)
		}
	}
	if !m.pool.SerialMoves {
		sum = longest
	}
	return sum < m.promptTime(s, without)-m.promptTime(s, with)
}

// Freed implements policies.PrefixCache: the number of blocks that would be free if
// all victims left. A block that victims share is freed by the last of them, and one
// that another sequence holds too is not.
func (m *machine) Freed(victims []*policies.Sequence) int {
	n, leaving := 0, map[*span]int{}
	for _, v := range victims {
		s := m.sequences.all[v.ID]
		n += s.Blocks - s.cached.blocks
		for _, held := range s.cached.spans {
			if leaving[held]++; leaving[held] == len(held.holders) {
				n += held.len()
			}
		}
	}
	return n
}

// takeBlocks gives a sequence the blocks of its task: those of a request that joins
// which are cached, then free ones. What it fills is found by others from now on:
// in the same step, too, since no layer reads keys and values before all of the
// step's are written.
func (m *machine) takeBlocks(s *sequence, t *policies.Task) {
	m.countHit(s, t)
	if t.Cached > 0 {
		m.notePrompt(s, t.Cached-s.Computed)
		s.Blocks, s.Computed = m.pool.blocksFor(t.Cached), t.Cached
		if s.handover != nil { // all of it is here, but in a buffer beside the blocks
			s.Blocks, s.computed, s.handover = s.hit.blocks, t.Cached, nil
		}
		m.takeCached(s)
	}
	m.memory.allocate(t.Blocks - s.Blocks)
	s.Blocks = t.Blocks
	s.certain = min(s.Computed+t.Tokens, m.known(s))
	m.publish(s, s.certain, m.now)
}

// known is the number of tokens of a sequence whose IDs are known when its step is planned.
// Where that is while the step before is under way, what comes of it has no name yet.
//
// Source: vllm/v1/core/kv_cache_manager.py, allocate_slots, where num_tokens_to_cache is
// at most the request's num_tokens, without placeholders.
func (m *machine) known(s *sequence) int {
	if m.ahead && s.Generated > 0 && s.last == m.now {
		return s.Length() - 1 - s.accepted
	}
	return s.Length()
}

// countHit counts what is cached of a request that joins. One that comes back from a
// preemption finds its own blocks, which is no hit.
func (m *machine) countHit(s *sequence, t *policies.Task) {
	if m.pool.Eviction == nil || s.computed > 0 || s.handover != nil {
		return
	}
	m.totals.AdmittedTokens += int64(s.Prompt)
	m.totals.CachedTokens += int64(t.Cached)
	m.totals.AdmittedBlocks += int64(m.pool.blocksFor(s.Prompt))
	m.totals.CachedBlocks += int64(m.pool.blocksFor(t.Cached))
}

// takeCached lets a sequence that joins hold the blocks of its hit: those in memory
// first, so that a load takes none of them.
func (m *machine) takeCached(s *sequence) {
	s.cached, s.hit = s.hit, s.cached
	if s.loads > 0 {
		m.holdFound(&s.cached, &s.cached)
	}
	blocks := 0
	for i := 0; i < len(s.cached.spans); i++ {
		switch found := s.cached.spans[i]; {
		case found == nil:
			m.takeMissing(s, i, blocks)
		case s.loads == 0:
			m.memory.share(found, &s.cached)
		}
		blocks += s.cached.spans[i].len()
	}
}

// holdFound lets a sequence hold those blocks of a hit that are in memory.
func (m *machine) holdFound(hit, cached *chain) {
	for _, found := range hit.spans {
		if found != nil {
			m.memory.share(found, cached)
		}
	}
}

// takeMissing lets a sequence hold what was missing of its hit, from an index of spans and one of blocks on: of a
// sequence before, in this step, or a block that is to be loaded.
func (m *machine) takeMissing(s *sequence, at, index int) {
	key, until := m.keyFrom(s, index)
	found := m.memory.cached.find(key)
	switch {
	case s.loads == 0:
		found = m.memory.held(key)
	case found == nil:
		s.cached.fill(at, m.load(s, key))
		return
	}
	found = m.memory.part(found, index, min(index+s.cached.missing(at), until))
	m.memory.share(found, &s.cached)
	s.cached.fill(at, found)
}

// load takes a block for a copy, which the step has to load.
func (m *machine) load(s *sequence, key blockKey) *span {
	if tier := m.memory.copies.find(key); tier >= 0 {
		moved := m.pool.bytesOf(1)
		if key.index == s.cached.blocks-1 { // the last one of the hit
			moved = m.pool.movedOf(1)
		}
		m.step.moves.upFront[tier].in += moved
	}
	if s.computed == 0 {
		m.totals.LoadedTokens += int64(min(m.pool.BlockSize, s.Computed-key.index*m.pool.BlockSize))
	}
	m.memory.copies.use(key)
	m.memory.allocate(1)
	m.memory.forgetExpired(key, m.changed)
	return m.memory.newSpan(key, &s.cached)
}

// giveBack frees the blocks of a sequence that computes none of them again. Its own
// ones are blank then.
func (m *machine) giveBack(s *sequence) {
	for last := s.cached.end(); last != nil && last.key(last.from).own(); last = s.cached.end() {
		m.memory.forget(last)
		s.cached.limit(last.from)
	}
	m.freeBlocks(s)
}

// freeBlocks frees all blocks that a sequence holds.
func (m *machine) freeBlocks(s *sequence) {
	m.memory.release(s.Blocks, &s.cached, m.changed)
}
