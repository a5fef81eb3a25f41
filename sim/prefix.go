package sim

import "kneepoint/policies"

// Lookup implements policies.PrefixCache: the whole blocks of a sequence's
// shared prefix that are in memory. The last token is never among them, since
// its logits are needed.
func (r *replica) Lookup(v *policies.Sequence) policies.Hit {
	s := r.sequences.all[v.ID]
	size := r.fleet.config.BlockSize
	blocks, held := r.pool.find(s.prefix, min(s.prefixTokens, s.Length()-1)/size)
	return policies.Hit{Tokens: blocks * size, Held: held}
}

// Freed implements policies.PrefixCache.
func (r *replica) Freed(victims []*policies.Sequence) int {
	n, leaving := 0, map[blockKey]int{}
	for _, v := range victims {
		s := r.sequences.all[v.ID]
		n += s.Blocks - s.shared
		for i := range s.shared {
			key := blockKey{s.prefix, i}
			if leaving[key]++; leaving[key] == r.pool.cached[key].holders {
				n++
			}
		}
	}
	return n
}

// admitCached hands cached blocks to the sequences that join, before any block
// is allocated, which could take the place of a cached one.
func (r *replica) admitCached(d *policies.Decision) {
	if !r.fleet.config.PrefixCaching {
		return
	}
	totals := &r.fleet.record.Totals
	for _, t := range d.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		if s.computed == 0 {
			totals.AdmittedTokens += int64(s.Prompt)
			totals.CachedTokens += int64(t.Cached)
			totals.AdmittedBlocks += int64(s.Prompt / r.fleet.config.BlockSize)
			totals.CachedBlocks += int64(t.Cached / r.fleet.config.BlockSize)
		}
		if t.Cached > 0 {
			s.shared = t.Cached / r.fleet.config.BlockSize
			s.Blocks, s.Computed = s.shared, t.Cached
			r.pool.share(s.prefix, s.shared)
		}
	}
}

// publish caches the blocks of the sequence's shared prefix that the last step
// completed. Where another sequence was faster, this one's blocks stay its own.
func (r *replica) publish(s *sequence) {
	size := r.fleet.config.BlockSize
	if r.pool.cached == nil || s.prefix == 0 {
		return
	}
	for whole := min(s.prefixTokens, s.Computed) / size; s.shared < whole; s.shared++ {
		if !r.pool.publish(blockKey{s.prefix, s.shared}) {
			return
		}
	}
}
