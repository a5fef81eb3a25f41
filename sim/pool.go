package sim

import (
	"kneepoint/policies"
	"kneepoint/workloads"
)

// pool is the KV blocks of a replica. With prefix caching the blocks of named
// tokens stay in memory when nobody holds them any more, until their place is
// needed.
type pool struct {
	total     int
	free      int // blocks that nobody holds, cached ones among them
	blockSize int

	cached map[blockKey]*cachedBlock // nil without prefix caching
	unused unused                    // of them, those that nobody holds
	freed  int64                     // times that a cached block lost its last holder
	lower  *lower                    // copies of cached blocks in the tiers below
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
	place   int // in unused, while there are no holders
}

func newPool(c *Config) pool {
	p := pool{total: c.Blocks, free: c.Blocks, blockSize: c.BlockSize}
	if c.Eviction != nil {
		p.cached, p.unused.eviction = map[blockKey]*cachedBlock{}, c.Eviction
		p.lower = newLower(c.Tiers)
	}
	return p
}

// used is the number of blocks that somebody holds.
func (p *pool) used() int { return p.total - p.free }

// key is that of the index-th block of a content.
func (p *pool) key(c *workloads.Content, index int) blockKey {
	return blockKey{c.At((index+1)*p.blockSize - 1), index}
}

// find counts how many of the first n blocks of a content are cached, and how
// many of these somebody holds.
func (p *pool) find(c *workloads.Content, n int) (blocks, held int) {
	for blocks < n {
		b, ok := p.cached[p.key(c, blocks)]
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

// findLower goes on from the block at index from: it counts how many blocks in a
// row, up to n in all, are cached or have a copy below, how many of these somebody
// holds, and how many each tier must deliver.
func (p *pool) findLower(c *workloads.Content, from, n int, loads []int) (blocks, held int) {
	clear(loads)
	for blocks = from; blocks < n; blocks++ {
		key := p.key(c, blocks)
		b, ok := p.cached[key]
		tier := p.lower.find(key)
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
func (p *pool) share(c *workloads.Content, n int, holds []*cachedBlock) []*cachedBlock {
	for i := range n {
		key := p.key(c, i)
		b, ok := p.cached[key]
		p.lower.use(key)
		if !ok {
			holds = append(holds, nil)
			continue
		}
		if b.holders == 0 {
			p.unused.remove(b)
			p.free--
		}
		b.holders++
		b.Uses++
		holds = append(holds, b)
	}
	return holds
}

// take allocates n blocks, in the place of cached ones where no others are left.
func (p *pool) take(n int) {
	p.free -= n
	if p.cached == nil {
		return
	}
	for p.unused.Len() > p.free {
		delete(p.cached, p.unused.evict().key)
	}
}

// publish makes a block that a sequence holds and has computed, the index-th of a
// content, the cached one. It returns nil when there is one already.
func (p *pool) publish(c *workloads.Content, index int) *cachedBlock {
	key := p.key(c, index)
	if _, ok := p.cached[key]; ok {
		return nil
	}
	p.lower.add(key)
	return p.hold(key)
}

// hold makes a block the cached one of its content, with a single holder.
func (p *pool) hold(key blockKey) *cachedBlock {
	b := &cachedBlock{CachedBlock: policies.CachedBlock{Depth: key.index, Uses: 1}, key: key, holders: 1}
	p.cached[key] = b
	return b
}

// load takes a block for the copy of the index-th block of a content, which a
// sequence holds from now on, and tells where it comes from. When another sequence
// was faster, it is shared, and comes from nowhere: -1.
func (p *pool) load(c *workloads.Content, index int) (b *cachedBlock, tier int) {
	key := p.key(c, index)
	if b, ok := p.cached[key]; ok {
		b.holders++
		b.Uses++
		return b, -1
	}
	tier = p.lower.find(key)
	p.lower.use(key)
	p.take(1)
	return p.hold(key), tier
}

// release gives back the blocks of a sequence: so many in all, and the cached
// ones among them, the last of which is freed first.
func (p *pool) release(blocks int, cached []*cachedBlock) {
	p.free += blocks - len(cached)
	for i := len(cached) - 1; i >= 0; i-- {
		b := cached[i]
		if b.holders--; b.holders == 0 {
			p.free++
			p.freed++
			b.Freed = p.freed
			p.unused.add(b)
		}
	}
}
