package sim

import (
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
	s.hit, s.loads = s.hit[:0], 0
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
	blocks := len(s.hit)
	if m.memory.copies == nil && !m.shares() || blocks == most {
		return policies.Hit{Tokens: blocks * size, Held: held}
	}
	loadable := min(known/size, s.Length()/size, m.pool.blocksFor(s.Length()-1)) // the last token's block only where it has others
	if !m.pool.SerialMoves {
		return m.lookBelow(s, d, policies.Hit{Tokens: blocks * size, Held: held}, loadable)
	}
	more := m.findCopies(s, loadable)
	tokens := min(len(s.hit)*size, s.Length()-1)
	if s.loads == 0 || !m.loadPays(s, blocks*size, tokens) {
		s.hit, s.loads = s.hit[:blocks], 0
		return policies.Hit{Tokens: blocks * size, Held: held}
	}
	return policies.Hit{Tokens: tokens, Held: held + more}
}

// findCached notes as the sequence's hit those of its first n blocks that are cached in
// a row, and counts how many of these a sequence holds: the others count as free,
// and no longer do when they are shared.
func (m *machine) findCached(s *sequence, n int) (held int) {
	for len(s.hit) < n {
		b, found := m.cachedThen(s, len(s.hit))
		if !found {
			break
		}
		held += m.countHeld(b)
		s.hit = append(s.hit, b)
	}
	return held
}

// countHeld is 1 for a block that a sequence holds, or fills in the same step.
func (m *machine) countHeld(b *cachedBlock) int {
	if b == nil || b.holders > 0 || b.heldIn == m.foresight.decision {
		return 1
	}
	return 0
}

// findCopies goes on behind the hit: it adds blocks in a row, up to n in all, that are
// cached or have a copy in a tier, notes in m.step.loads by tier how many of these
// are to be loaded, and counts how many a sequence holds.
func (m *machine) findCopies(s *sequence, n int) (held int) {
	clear(m.step.loads)
	for len(s.hit) < n {
		b, found := m.cachedThen(s, len(s.hit))
		tier := m.memory.copies.find(m.keyOf(s, len(s.hit)))
		switch {
		case found:
			held += m.countHeld(b)
		case tier < 0:
			return held
		default:
			m.step.loads[tier]++
			s.loads++
		}
		s.hit = append(s.hit, b)
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
			t := m.pool.Tiers[i].time(m.pool.bytesOf(blocks))
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
	n, leaving := 0, map[*cachedBlock]int{}
	for _, v := range victims {
		s := m.sequences.all[v.ID]
		n += s.Blocks - len(s.cached)
		for _, b := range s.cached {
			if leaving[b]++; leaving[b] == b.holders {
				n++
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
			s.Blocks, s.computed, s.handover = len(s.hit), t.Cached, nil
		}
		m.takeCached(s)
	}
	m.memory.allocate(t.Blocks - s.Blocks)
	s.Blocks = t.Blocks
	s.certain = min(s.Computed+t.Tokens, m.known(s))
	m.publish(s, s.certain)
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
	for i, b := range s.hit {
		if b == nil && s.loads == 0 {
			b = m.memory.held(m.keyOf(s, i)) // of a sequence before, in this step
		}
		if b != nil {
			m.memory.share(b)
		}
		s.cached = append(s.cached, b)
	}
	if s.loads > 0 {
		m.loadCached(s)
	}
}

// loadCached loads the blocks of a hit that are not in memory.
func (m *machine) loadCached(s *sequence) {
	for i, b := range s.cached {
		if b != nil {
			continue
		}
		key := m.keyOf(s, i)
		if b = m.memory.cached.find(key); b != nil {
			m.memory.share(b)
		} else {
			b = m.load(s, key)
		}
		s.cached[i] = b
	}
}

// load takes a block for a copy, which the step has to load.
func (m *machine) load(s *sequence, key blockKey) *cachedBlock {
	if tier := m.memory.copies.find(key); tier >= 0 {
		m.step.moves.upFront[tier].in += m.pool.bytesOf(1)
	}
	if s.computed == 0 {
		m.totals.LoadedTokens += int64(min(m.pool.BlockSize, s.Computed-key.index*m.pool.BlockSize))
	}
	m.memory.copies.use(key)
	m.memory.allocate(1)
	return m.memory.register(key, m.changed)
}

// publish lets others find the full blocks of the sequence's named tokens among its
// first tokens.
func (m *machine) publish(s *sequence, tokens int) {
	if s.Offloaded {
		m.publishCopies(s, tokens)
		return
	}
	before := m.memory.copies.waiting()
	for n := m.namedBlocks(s, tokens); len(s.cached) < n; {
		key := m.memory.key(s.content, len(s.cached))
		b := m.memory.publish(key, m.changed)
		s.cached = append(s.cached, b)
		m.offer(s, b)
	}
	if m.memory.copies.waiting() > before {
		m.storing = append(m.storing, s)
	}
}

// publishCopies lets others find the copies of a sequence's full blocks that move to the
// first tier as they are computed.
func (m *machine) publishCopies(s *sequence, tokens int) {
	if s.content == nil {
		return
	}
	for i := s.Computed / m.pool.BlockSize; i < min(s.named, tokens)/m.pool.BlockSize; i++ {
		m.memory.copies.add(m.memory.key(s.content, i), true)
	}
}

// keepOwn names the full blocks of a sequence that is preempted, those that nobody else
// can ask for, too: it finds them itself when it comes back, if they are still there.
// Tokens that were not known when its last step was planned fill no block by name, such as
// those that were guessed right in it: that happens when blocks are handed out, and it
// had no turn since. With asynchronous scheduling the output of a step gives names too.
func (m *machine) keepOwn(s *sequence) {
	if m.async && s.last != m.now {
		s.certain = s.Computed
	}
	m.registerFirst(s, s.certain/m.pool.BlockSize)
}

// nameRest names the blocks that the last tokens of a sequence have filled when the output
// of a step has come, which the plan of the next one did not know. No copies are made of
// them, which is for a plan to order.
//
// Source: vllm/v1/core/sched/async_scheduler.py, _update_request_with_output.
func (m *machine) nameRest(s *sequence) {
	s.certain = max(s.certain, s.Computed)
	m.registerFirst(s, m.namedBlocks(s, s.Computed))
}

// nameOutput does so for all sequences when a step was planned ahead. But for guesses
// that were right the plan has named all of those that have a task, and others can wait
// until they have one, or end.
func (m *machine) nameOutput() {
	if !m.ahead || m.pool.Accepted == nil {
		return
	}
	for _, v := range m.running {
		m.nameRest(m.sequences.all[v.ID])
	}
}

// registerFirst names the first n blocks of a sequence.
func (m *machine) registerFirst(s *sequence, n int) {
	for m.memory.cached != nil && len(s.cached) < n {
		s.cached = append(s.cached, m.memory.register(m.keyOf(s, len(s.cached)), m.changed))
	}
}

// giveBack frees the blocks of a sequence that computes none of them again. Its own
// ones are blank then.
func (m *machine) giveBack(s *sequence) {
	for n := len(s.cached); n > 0 && s.cached[n-1].key.own(); n-- {
		m.memory.forget(s.cached[n-1])
		s.cached = s.cached[:n-1]
	}
	m.freeBlocks(s)
}

// freeBlocks frees all blocks that a sequence holds.
func (m *machine) freeBlocks(s *sequence) {
	m.memory.release(s.Blocks, s.cached, m.changed)
	s.cached = s.cached[:0]
}
