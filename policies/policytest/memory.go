package policytest

import (
	"slices"

	"kneepoint/policies"
)

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

// Lookup implements policies.PrefixCache: the whole blocks of the shared prefix that a
// running sequence, or one with a task already, has computed or is to compute in this
// step. Nothing is cached that nobody holds.
func (r *replica) Lookup(s *policies.Sequence, d *policies.Decision) policies.Hit {
	_, shared := r.donor(s, d)
	blocks := min(shared, s.Length()-1) / r.blockSize
	return policies.Hit{Tokens: blocks * r.blockSize, Held: blocks}
}

// donor is the sequence that has computed most of the prefix of s, which it has in
// memory, and how much.
func (r *replica) donor(s *policies.Sequence, d *policies.Decision) (best *policies.Sequence, most int) {
	wanted := r.requests[s.ID]
	offer := func(x *policies.Sequence, computed int) {
		shared := min(computed, wanted.prefixTokens, r.requests[x.ID].prefixTokens)
		same := wanted.prefix != 0 && r.requests[x.ID].prefix == wanted.prefix
		if same && x != s && !x.Offloaded && shared > most && !slices.Contains(d.Preempt, x) {
			best, most = x, shared
		}
	}
	for _, x := range r.running {
		if !x.Offloaded {
			offer(x, x.Computed)
		}
	}
	for _, t := range d.Tasks {
		if t.Offload || t.Sequence.Offloaded {
			continue
		}
		offer(t.Sequence, t.Sequence.Computed+t.Cached+t.Tokens)
	}
	return best, most
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
