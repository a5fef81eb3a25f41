package sim

import (
	"math"

	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// memory is the KV blocks of a replica. With prefix caching full blocks of named
// tokens keep their content when no sequence holds them any more, until their memory
// is needed. It only counts the others, which are blank: which of these a sequence
// gets makes no difference. The policy decides within what is free, so that free
// never falls below 0.
type memory struct {
	total     int
	free      int // blocks that no sequence holds, cached ones among them
	blockSize int // tokens of a block

	cached map[blockKey]*cachedBlock // by content, of several the first; nil without prefix caching
	order  freeBlocks                // in which free blocks are taken, with prefix caching
	freed  int64                     // times that a cached block lost its last holder: a clock for evictions
	copies *copies                   // of cached blocks, in the tiers; nil without tiers
}

// blockKey names a block by its content: the ID of its last token, which is that of
// everything up to there, and its index among the blocks of a sequence.
type blockKey struct {
	id, index int
}

// ownKey names the index-th block of a request that is like no other up to there. IDs
// from workloads are not as low.
func ownKey(request, index int) blockKey { return blockKey{math.MinInt + request, index} }

// own tells whether the block is named as one of a request's own.
func (k blockKey) own() bool { return k.id < math.MinInt/2 }

// cachedBlock is a full block that may be shared. Its content is computed, or will be
// in the step that is set up.
type cachedBlock struct {
	policies.CachedBlock
	key     blockKey
	holders int // sequences that use it

	// Blocks of the same content are in a ring, in the order in which they got it.
	earlier, later *cachedBlock

	node  freeNode // in the queue of free blocks; meaningless while there are holders
	index int      // in the heap of free blocks; likewise

	goneIn, heldIn int64 // the decision, by number, that takes it, or has it held again
}

func newMemory(p *Pool) memory {
	m := memory{total: p.Blocks, free: p.Blocks, blockSize: p.BlockSize}
	if p.Eviction != nil {
		m.cached, m.order = map[blockKey]*cachedBlock{}, newFreeBlocks(p.Eviction)
		m.order.addBlank(m.total)
		m.copies = newCopies(p.Tiers)
	}
	return m
}

// setTime tells the copies in the tiers the time of what follows.
func (m *memory) setTime(now units.Seconds) {
	if m.copies != nil {
		m.copies.now = now
	}
}

// used is the number of blocks that sequences hold.
func (m *memory) used() int { return m.total - m.free }

// key is that of the index-th block of a content.
func (m *memory) key(c *workloads.Content, index int) blockKey {
	return blockKey{c.At((index+1)*m.blockSize - 1), index}
}

// held is a block of a content that a sequence holds. There may be free ones, too, which
// loads of the same decision are to take.
func (m *memory) held(key blockKey) *cachedBlock {
	first := m.cached[key]
	for b := first; ; b = b.later {
		if b.holders > 0 {
			return b
		}
		if b.later == first {
			return first
		}
	}
}

// share lets one more sequence hold a cached block.
func (m *memory) share(b *cachedBlock) {
	m.copies.use(b.key)
	if b.holders == 0 {
		m.order.remove(b)
		m.free--
	}
	b.holders++
	b.Uses++
}

// allocate makes n free blocks used. Those that are cached lose their content.
func (m *memory) allocate(n int) {
	m.free -= n
	if m.cached == nil {
		return
	}
	for n > 0 {
		b, blanks := m.order.take(n)
		if b == nil && blanks == 0 {
			panic("sim: a decision takes more blocks than are free")
		}
		n -= blanks
		if b != nil {
			m.forget(b)
			n--
		}
	}
}

// publish registers a block, and copies it to the tiers.
func (m *memory) publish(key blockKey) *cachedBlock {
	m.copies.add(key, false)
	return m.register(key)
}

// register makes a blank block that a sequence holds, and fills, a cached one. There
// may be others of the same content already, which are found before it.
func (m *memory) register(key blockKey) *cachedBlock {
	b := &cachedBlock{CachedBlock: policies.CachedBlock{Depth: key.index, Uses: 1}, key: key, holders: 1}
	b.node.block = b
	b.earlier, b.later = b, b
	if first, ok := m.cached[key]; ok {
		b.earlier, b.later = first.earlier, first
		b.earlier.later, b.later.earlier = b, b
	} else {
		m.cached[key] = b
	}
	return b
}

// forget makes a cached block a blank one.
func (m *memory) forget(b *cachedBlock) {
	switch {
	case b.later == b:
		delete(m.cached, b.key)
		return
	case m.cached[b.key] == b:
		m.cached[b.key] = b.later
	}
	b.earlier.later, b.later.earlier = b.later, b.earlier
	b.earlier, b.later = nil, nil
}

// release gives back the blocks of a sequence: their number in all, and the
// cached ones among them, which are its first ones. The last is freed first, so that
// the ends of prefixes are taken before their starts: a block without those before it
// is of no use.
func (m *memory) release(blocks int, cached []*cachedBlock) {
	m.free += blocks - len(cached)
	if m.cached == nil {
		return
	}
	m.order.addBlank(blocks - len(cached))
	for i := len(cached) - 1; i >= 0; i-- {
		b := cached[i]
		if b.holders--; b.holders == 0 {
			m.free++
			m.freed++
			b.Freed = m.freed
			m.order.add(b)
		}
	}
}
