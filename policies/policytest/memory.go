package policytest

import "kneepoint/policies"

// memory is the KV blocks of a replica, each with a name, so that it is plain
// who holds which.
type memory struct {
	total   int
	made    int // names given so far
	blocks  map[*policies.Sequence][]int
	holders map[int]int // of each block that somebody holds
}

func newMemory(total int) memory {
	return memory{total: total, blocks: map[*policies.Sequence][]int{}, holders: map[int]int{}}
}

func (m *memory) free() int { return m.total - len(m.holders) }

// grow lets s hold n blocks in all.
func (m *memory) grow(s *policies.Sequence, n int) {
	for len(m.blocks[s]) < n {
		m.made++
		m.blocks[s] = append(m.blocks[s], m.made)
		m.holders[m.made] = 1
	}
}

// share lets s, which has none, hold the first n blocks of another.
func (m *memory) share(s, donor *policies.Sequence, n int) {
	for _, b := range m.blocks[donor][:n] {
		m.blocks[s] = append(m.blocks[s], b)
		m.holders[b]++
	}
}

func (m *memory) release(s *policies.Sequence) {
	for _, b := range m.blocks[s] {
		if m.holders[b]--; m.holders[b] == 0 {
			delete(m.holders, b)
		}
	}
	delete(m.blocks, s)
}

// Lookup implements policies.PrefixCache: the whole blocks of the shared prefix
// that a running sequence has computed. Nothing is cached that nobody holds.
func (r *replica) Lookup(s *policies.Sequence) policies.Hit {
	donor := r.donor(s)
	if donor == nil {
		return policies.Hit{}
	}
	prefix := min(r.requests[s.ID].prefixTokens, r.requests[donor.ID].prefixTokens)
	blocks := min(prefix, donor.Computed, s.Length()-1) / r.blockSize
	return policies.Hit{Tokens: blocks * r.blockSize, Held: blocks}
}

// donor is the running sequence that has computed most with the prefix of s.
func (r *replica) donor(s *policies.Sequence) *policies.Sequence {
	var best *policies.Sequence
	for _, x := range r.running {
		same := r.requests[s.ID].prefix != 0 && r.requests[x.ID].prefix == r.requests[s.ID].prefix
		if same && x != s && (best == nil || x.Computed > best.Computed) {
			best = x
		}
	}
	return best
}

// Freed implements policies.PrefixCache.
func (r *replica) Freed(victims []*policies.Sequence) int {
	n, leaving := 0, map[int]int{}
	for _, s := range victims {
		for _, b := range r.memory.blocks[s] {
			if leaving[b]++; leaving[b] == r.memory.holders[b] {
				n++
			}
		}
	}
	return n
}
