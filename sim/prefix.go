package sim

import "kneepoint/policies"

// Lookup implements policies.PrefixCache: the whole blocks of a sequence's named
// tokens that are in memory. The last token is never among them, since its
// logits are needed.
func (r *replica) Lookup(v *policies.Sequence) policies.Hit {
	s := r.sequences.all[v.ID]
	size := r.fleet.config.BlockSize
	blocks, held := r.pool.find(s.content, min(s.named, s.Length()-1)/size)
	return policies.Hit{Tokens: blocks * size, Held: held}
}

// Freed implements policies.PrefixCache.
func (r *replica) Freed(victims []*policies.Sequence) int {
	n, leaving := 0, map[*cachedBlock]int{}
	for _, v := range victims {
		s := r.sequences.all[v.ID]
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
// is allocated, which could take the place of a cached one.
func (r *replica) admitCached(d *policies.Decision) {
	if r.fleet.config.Eviction == nil {
		return
	}
	totals := &r.fleet.record.Totals
	for _, t := range d.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		if s.computed == 0 {
			totals.AdmittedTokens += int64(s.Prompt)
			totals.CachedTokens += int64(t.Cached)
			totals.AdmittedBlocks += int64((s.Prompt + r.fleet.config.BlockSize - 1) / r.fleet.config.BlockSize)
			totals.CachedBlocks += int64(t.Cached / r.fleet.config.BlockSize)
		}
		if t.Cached > 0 {
			s.Blocks, s.Computed = t.Cached/r.fleet.config.BlockSize, t.Cached
			s.published = s.Blocks
			s.cached = r.pool.share(s.content, s.Blocks, s.cached)
		}
	}
}

// publish caches the blocks of the sequence's named tokens that lie within its
// first ones, so many, which are computed. Where another sequence was faster,
// this one's block stays its own.
func (r *replica) publish(s *sequence, tokens int) {
	if r.pool.cached == nil || s.content == nil || s.Offloaded {
		return
	}
	for whole := min(s.named, tokens) / r.pool.blockSize; s.published < whole; s.published++ {
		if b := r.pool.publish(s.content, s.published); b != nil {
			s.cached = append(s.cached, b)
		}
	}
}

// giveBack takes a sequence's blocks from it. What it generated is cached only
// now: nobody could have asked for it before.
func (r *replica) giveBack(s *sequence) {
	r.publish(s, s.Computed)
	r.pool.release(s.Blocks, s.cached)
	s.cached, s.published = s.cached[:0], 0
}
