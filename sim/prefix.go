package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// Lookup implements policies.PrefixCache: the whole blocks of a sequence's named
// tokens that are in memory, or are loaded from the tiers faster than computed
// again. The last token is never among them, since its logits are needed; the rest
// of its block may be loaded, as in vLLM. Nothing changes: a policy may look up more
// than it admits.
func (m *machine) Lookup(v *policies.Sequence) policies.Hit {
	s := m.sequences.all[v.ID]
	size := m.pool.BlockSize
	most := min(s.named, s.Length()-1) / size
	blocks, held := m.memory.find(s.content, most)
	if m.memory.copies == nil || blocks == most {
		return policies.Hit{Tokens: blocks * size, Held: held}
	}
	all, more := m.memory.findCopies(s.content, blocks, min(s.named, s.Length())/size, m.step.loads)
	tokens := min(all*size, s.Length()-1)
	if all == blocks || !m.loadPays(s, blocks*size, tokens) {
		return policies.Hit{Tokens: blocks * size, Held: held}
	}
	return policies.Hit{Tokens: tokens, Held: held + more}
}

// loadPays tells whether the loads in m.step.loads take less time than they save: the
// step of the sequence's prompt with a number of tokens in memory already (with the
// loads), instead of another one (without).
func (m *machine) loadPays(s *sequence, without, with int) bool {
	cost, end := m.pool.Cost, s.Length()
	long := cost.Step(&hardware.Work{Prefill: []hardware.Chunk{{Context: without, Tokens: end - without}}, LogitRows: 1})
	short := cost.Step(&hardware.Work{Prefill: []hardware.Chunk{{Context: with, Tokens: end - with}}, LogitRows: 1})
	var load units.Seconds
	for i, blocks := range m.step.loads {
		if blocks > 0 {
			load += m.links[i].in.wait(m.now, m.pool.bytesOf(blocks))
		}
	}
	return load < long.Time-short.Time
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

// admitCached hands cached blocks to the sequences that join, before any block
// is allocated, which could evict a cached one. Hits are counted for sequences that
// were never computed before: one that comes back from a preemption finds its own
// blocks, which is no hit.
func (m *machine) admitCached(d *policies.Decision) {
	if m.pool.Eviction == nil {
		return
	}
	totals, short := m.totals, false
	for _, t := range d.Tasks {
		s := m.sequences.all[t.Sequence.ID]
		if s.computed == 0 {
			totals.AdmittedTokens += int64(s.Prompt)
			totals.CachedTokens += int64(t.Cached)
			totals.AdmittedBlocks += int64(m.pool.blocksFor(s.Prompt))
			totals.CachedBlocks += int64(m.pool.blocksFor(t.Cached))
		}
		if t.Cached > 0 {
			s.Blocks, s.Computed = m.pool.blocksFor(t.Cached), t.Cached
			s.published = s.Blocks
			s.cached = m.memory.share(s.content, s.Blocks, s.cached)
			short = short || slices.Contains(s.cached, nil)
		}
	}
	if short {
		m.loadCached(d)
	}
}

// loadCached loads the blocks from the tiers that were promised to the sequences which
// join and are not in memory: those that share left nil. It comes after all of share,
// so that a load evicts no block that another joining sequence is to have.
func (m *machine) loadCached(d *policies.Decision) {
	size := m.pool.BlockSize
	for _, t := range d.Tasks {
		s := m.sequences.all[t.Sequence.ID]
		for i, b := range s.cached {
			if b != nil {
				continue
			}
			var tier int
			if s.cached[i], tier = m.memory.load(s.content, i); tier >= 0 {
				m.step.moves.upFront[tier].in += m.pool.bytesOf(1)
				if s.computed == 0 {
					m.totals.LoadedTokens += int64(min(size, t.Cached-i*size))
				}
			}
		}
	}
}

// publish caches the whole blocks of the sequence's named tokens among its first
// tokens, of which a number is computed. Where another sequence was faster, this
// one's block stays its own.
func (m *machine) publish(s *sequence, tokens int) {
	if m.memory.cached == nil || s.content == nil || s.Offloaded {
		return
	}
	for whole := min(s.named, tokens) / m.memory.blockSize; s.published < whole; s.published++ {
		if b := m.memory.publish(s.content, s.published); b != nil {
			s.cached = append(s.cached, b)
		}
	}
}

// giveBack frees a sequence's blocks. What it generated is cached only now: no other
// request could have asked for it before.
func (m *machine) giveBack(s *sequence) {
	m.publish(s, s.Computed)
	m.memory.release(s.Blocks, s.cached)
	s.cached, s.published = s.cached[:0], 0
}
