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

	cached    *blockIndex    // nil without prefix caching
	order     freeBlocks     // in which free blocks are taken, with prefix caching
	ttl       units.Seconds  // how long one is found after that; 0: for ever
	copies    *copies        // of cached blocks, in the tiers; nil without tiers
	forgotten []*cachedBlock // to use again
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
	holders int  // sequences that use it
	offered bool // others may fetch its content

	freedAt units.Seconds // when the last of them left

	// Blocks of the same content are in a ring, in the order in which they got it.
	earlier, later *cachedBlock

	node freeNode // in the queue of free blocks; meaningless while there are holders
	line *line    // of free blocks like it; likewise

	goneIn, heldIn int64 // the decision, by number, that takes it, or has it held again
}

func newMemory(p *Pool) memory {
	m := memory{total: p.Blocks, free: p.Blocks, blockSize: p.BlockSize, ttl: p.CacheTTL}
	if p.Eviction != nil {
		m.cached, m.order = newBlockIndex(), newFreeBlocks(p.Eviction)
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

// expired tells whether a block is found no more at a time, since nobody has held it for too long.
func (m *memory) expired(b *cachedBlock, now units.Seconds) bool {
	return m.ttl > 0 && b.holders == 0 && now-b.freedAt > m.ttl
}

// finds tells whether a block is cached at a time.
func (m *memory) finds(key blockKey, now units.Seconds) bool {
	return m.has(key, func(b *cachedBlock) bool { return !m.expired(b, now) })
}

// offers tells whether a block is cached at a time of which others may fetch the content.
func (m *memory) offers(key blockKey, now units.Seconds) bool {
	return m.has(key, func(b *cachedBlock) bool { return b.offered && !m.expired(b, now) })
}

// has tells whether there is a block of a content such as is asked for.
func (m *memory) has(key blockKey, such func(*cachedBlock) bool) bool {
	first := m.cached.find(key)
	if first == nil {
		return false
	}
	for b := first; ; b = b.later {
		if such(b) {
			return true
		}
		if b.later == first {
			return false
		}
	}
}

// held is a block of a content that a sequence holds. There may be free ones, too, which
// loads of the same decision are to take.
func (m *memory) held(key blockKey) *cachedBlock {
	first := m.cached.find(key)
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
			m.forgotten = append(m.forgotten, b)
			n--
		}
	}
}

// publish registers a block at a time, and copies it to the tiers.
func (m *memory) publish(key blockKey, now units.Seconds) *cachedBlock {
	m.copies.add(key, false)
	return m.register(key, now)
}

// register makes a blank block that a sequence holds, and fills, a cached one at a time.
// There may be others of the same content already, which are found before it.
func (m *memory) register(key blockKey, now units.Seconds) *cachedBlock {
	m.forgetExpired(key, now)
	b := m.newBlock()
	*b = cachedBlock{CachedBlock: policies.CachedBlock{Depth: key.index, Uses: 1}, key: key, holders: 1, earlier: b, later: b}
	b.node.block = b
	if first := m.cached.find(key); first != nil {
		b.earlier, b.later = first.earlier, first
		b.earlier.later, b.later.earlier = b, b
	} else {
		m.cached.put(b)
	}
	return b
}

// newBlock is memory for a block: of one that was forgotten, or else new one for several, since those
// of a sequence are used in a row.
func (m *memory) newBlock() *cachedBlock {
	if len(m.forgotten) == 0 {
		more := make([]cachedBlock, 8)
		for i := range more {
			m.forgotten = append(m.forgotten, &more[i])
		}
	}
	last := len(m.forgotten) - 1
	b := m.forgotten[last]
	m.forgotten = m.forgotten[:last]
	return b
}

// forgetExpired makes those blocks of a content blank ones that are found no more. As long as nobody
// fills another one they only look cached, and when they are taken that makes no difference.
func (m *memory) forgetExpired(key blockKey, now units.Seconds) {
	if m.ttl == 0 {
		return
	}
	for b := m.cached.find(key); b != nil && m.expired(b, now); b = m.cached.find(key) {
		m.forget(b)
		m.order.blank(b)
	}
}

// forget makes a cached block a blank one.
func (m *memory) forget(b *cachedBlock) {
	switch {
	case b.later == b:
		m.cached.remove(b.key)
		return
	case m.cached.find(b.key) == b:
		m.cached.put(b.later)
	}
	b.earlier.later, b.later.earlier = b.later, b.earlier
	b.earlier, b.later = nil, nil
}

// release gives back at a time the blocks of a sequence: their number in all, and the
// cached ones among them, which are its first ones. The last is freed first, so that
// the ends of prefixes are taken before their starts: a block without those before it
// is of no use.
func (m *memory) release(blocks int, cached []*cachedBlock, now units.Seconds) {
	m.free += blocks - len(cached)
	if m.cached == nil {
		return
	}
	m.order.addBlank(blocks - len(cached))
	for i := len(cached) - 1; i >= 0; i-- {
		b := cached[i]
		if b.holders--; b.holders == 0 {
			m.free++
			b.freedAt = now
			m.order.add(b)
		}
	}
}
