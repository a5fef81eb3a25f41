package sim

import (
	"kneepoint/policies"
	"kneepoint/workloads"
)

// memory is the KV blocks of a replica. With prefix caching the blocks of named
// tokens keep their content when nobody holds them any more, until somebody needs
// the memory.
type memory struct {
	total     int
	free      int // blocks that nobody holds, cached ones among them
	blockSize int

	cached    map[blockKey]*cachedBlock // nil without prefix caching
	evictable evictable                 // of them, those that nobody holds
	freed     int64                     // times that a cached block lost its last holder
	copies    *copies                   // of cached blocks, in the tiers below
}

// blockKey names a block by its content: the ID that stands for its last token,
// and its index among the blocks of a sequence.
type blockKey struct {
	id, index int
}

// cachedBlock is a block whose content is computed and may be shared.
type cachedBlock struct {
	policies.CachedBlock
	key     blockKey
	holders int
	index   int // among the evictable ones, while there are no holders
}

func newMemory(p *Pool) memory {
	m := memory{total: p.Blocks, free: p.Blocks, blockSize: p.BlockSize}
	if p.Eviction != nil {
		m.cached, m.evictable.eviction = map[blockKey]*cachedBlock{}, p.Eviction
		m.copies = newCopies(p.Tiers)
	}
	return m
}

// used is the number of blocks that somebody holds.
func (m *memory) used() int { return m.total - m.free }

// key is that of the index-th block of a content.
func (m *memory) key(c *workloads.Content, index int) blockKey {
	return blockKey{c.At((index+1)*m.blockSize - 1), index}
}

// find counts how many of the first n blocks of a content are cached, and how
// many of these somebody holds.
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
// row, up to n in all, are cached or have a copy below, how many of these somebody
// holds, and how many each tier must deliver.
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

// allocate takes n blocks from the free ones, cached ones where no others are left.
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
// content, the cached one. It returns nil when there is one already.
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

// load takes a block for the copy of the index-th block of a content, which a
// sequence holds from now on, and tells where it comes from. When another sequence
// was faster, it is shared, and comes from nowhere: -1.
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
// cached ones among them, the last of which is freed first.
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
