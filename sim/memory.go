package sim

import (
	"kneepoint/policies"
	"kneepoint/workloads"
)

// memory is the KV blocks of a replica. With prefix caching the blocks of named
// tokens keep their content when no sequence holds them any more, until their memory
// is needed. It only counts blocks, unless they are cached: which free block a
// sequence gets makes no difference. The policy decides within what is free, so that
// free never falls below 0.
type memory struct {
	total     int
	free      int // blocks that no sequence holds, cached ones among them
	blockSize int // tokens of a block

	cached    map[blockKey]*cachedBlock // nil without prefix caching
	evictable evictable                 // of the cached blocks, those that no sequence holds
	freed     int64                     // times that a cached block lost its last holder: a clock for evictions
	copies    *copies                   // of cached blocks, in the tiers; nil without tiers
}

// blockKey names a block by its content: the ID of its last token, which is that of
// everything up to there, and its index among the blocks of a sequence.
type blockKey struct {
	id, index int
}

// cachedBlock is a block whose content is computed and may be shared.
type cachedBlock struct {
	policies.CachedBlock
	key     blockKey
	holders int // sequences that use it
	index   int // in the heap of evictable blocks; meaningless while there are holders
}

func newMemory(p *Pool) memory {
	m := memory{total: p.Blocks, free: p.Blocks, blockSize: p.BlockSize}
	if p.Eviction != nil {
		m.cached, m.evictable.eviction = map[blockKey]*cachedBlock{}, p.Eviction
		m.copies = newCopies(p.Tiers)
	}
	return m
}

// used is the number of blocks that sequences hold.
func (m *memory) used() int { return m.total - m.free }

// key is that of the index-th block of a content.
func (m *memory) key(c *workloads.Content, index int) blockKey {
	return blockKey{c.At((index+1)*m.blockSize - 1), index}
}

// find counts how many of the first n blocks of a content are cached in a row, and how
// many of these a sequence holds: the others count as free, and no longer do when they
// are shared.
func (m *memory) find(c *workloads.Content, n int) (blocks, held int) {
	for blocks < n {
		b, ok := m.cached[m.key(c, blocks)]
		if !ok {
			break
		}
		if b.holders > 0 {
			held++
		}
		blocks++
	}
	return blocks, held
}

// findCopies goes on from the block at index from: it counts how many blocks in a
// row, up to n in all, are cached or have a copy in a tier, how many of these a
// sequence holds, and in loads by tier how many are to be loaded from there.
func (m *memory) findCopies(c *workloads.Content, from, n int, loads []int) (blocks, held int) {
	clear(loads)
	for blocks = from; blocks < n; blocks++ {
		key := m.key(c, blocks)
		b, ok := m.cached[key]
		tier := m.copies.find(key)
		switch {
		case ok && b.holders > 0:
			held++
		case ok:
		case tier < 0:
			return blocks, held
		default:
			loads[tier]++
		}
	}
	return blocks, held
}

// share lets one more sequence hold those of the first n blocks of a content that
// are cached, and appends them to what the sequence holds; nil for each of the
// others, which are to be loaded.
func (m *memory) share(c *workloads.Content, n int, holds []*cachedBlock) []*cachedBlock {
	for i := range n {
		key := m.key(c, i)
		b, ok := m.cached[key]
		m.copies.use(key)
		if !ok {
			holds = append(holds, nil)
			continue
		}
		if b.holders == 0 {
			m.evictable.remove(b)
			m.free--
		}
		b.holders++
		b.Uses++
		holds = append(holds, b)
	}
	return holds
}

// allocate makes n free blocks used. Where only cached ones are left, the eviction
// policy says which of them lose their content.
func (m *memory) allocate(n int) {
	m.free -= n
	if m.cached == nil {
		return
	}
	for len(m.evictable.heap) > m.free {
		delete(m.cached, m.evictable.evict().key)
	}
}

// publish makes a block that a sequence holds and has computed, the index-th of a
// content, the cached one. It returns nil when there is one already; the sequence then
// keeps its own block, which no other request will share.
func (m *memory) publish(c *workloads.Content, index int) *cachedBlock {
	key := m.key(c, index)
	if _, ok := m.cached[key]; ok {
		return nil
	}
	m.copies.add(key)
	return m.hold(key)
}

// hold makes a block the cached one of its content, with a single holder.
func (m *memory) hold(key blockKey) *cachedBlock {
	b := &cachedBlock{CachedBlock: policies.CachedBlock{Depth: key.index, Uses: 1}, key: key, holders: 1}
	m.cached[key] = b
	return b
}

// load allocates a block for the copy of the index-th block of a content, which a
// sequence holds from now on, and returns the tier that it is loaded from. When
// another sequence of the same step has loaded it already, it is shared, and tier is
// -1.
func (m *memory) load(c *workloads.Content, index int) (b *cachedBlock, tier int) {
	key := m.key(c, index)
	if b, ok := m.cached[key]; ok {
		b.holders++
		b.Uses++
		return b, -1
	}
	tier = m.copies.find(key)
	m.copies.use(key)
	m.allocate(1)
	return m.hold(key), tier
}

// release gives back the blocks of a sequence: their number in all, and the
// cached ones among them. The last of these is freed first, so that evicting by age
// takes the ends of prefixes before their starts: a block without those before it
// is of no use.
func (m *memory) release(blocks int, cached []*cachedBlock) {
	m.free += blocks - len(cached)
	for i := len(cached) - 1; i >= 0; i-- {
		b := cached[i]
		if b.holders--; b.holders == 0 {
			m.free++
			m.freed++
			b.Freed = m.freed
			m.evictable.add(b)
		}
	}
}
