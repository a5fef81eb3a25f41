package sim

import "container/list"

// pool is the KV blocks of a replica. With prefix caching the blocks of shared
// prefixes stay in memory when nobody holds them any more, until their place is
// needed: least recently used first.
type pool struct {
	total int
	free  int // blocks that nobody holds, cached ones among them

	cached map[blockKey]*cachedBlock // nil without prefix caching
	unused *list.List                // of the cached blocks that nobody holds, least recently used first
}

// blockKey names a block by its content: the index-th of a prefix's blocks.
type blockKey struct {
	prefix, index int
}

// cachedBlock is a block whose content is computed and may be shared.
type cachedBlock struct {
	key     blockKey
	holders int
	place   *list.Element // in unused, while there are no holders
}

func newPool(total int, prefixCaching bool) pool {
	p := pool{total: total, free: total}
	if prefixCaching {
		p.cached, p.unused = map[blockKey]*cachedBlock{}, list.New()
	}
	return p
}

// used is the number of blocks that somebody holds.
func (p *pool) used() int { return p.total - p.free }

// find counts how many of the first n blocks of a prefix are cached, and how
// many of these somebody holds.
func (p *pool) find(prefix, n int) (blocks, held int) {
	for blocks < n {
		b, ok := p.cached[blockKey{prefix, blocks}]
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

// share lets one more sequence hold the first n blocks of a prefix, which are
// cached.
func (p *pool) share(prefix, n int) {
	for i := range n {
		b := p.cached[blockKey{prefix, i}]
		if b.holders == 0 {
			p.unused.Remove(b.place)
			p.free--
		}
		b.holders++
	}
}

// take allocates n blocks, in the place of cached ones where no others are left.
func (p *pool) take(n int) {
	p.free -= n
	if p.cached == nil {
		return
	}
	for p.unused.Len() > p.free {
		oldest := p.unused.Remove(p.unused.Front()).(*cachedBlock)
		delete(p.cached, oldest.key)
	}
}

// publish makes a block that a sequence holds and has computed the cached one of
// its content. It is false when there is one already.
func (p *pool) publish(key blockKey) bool {
	if _, ok := p.cached[key]; ok {
		return false
	}
	p.cached[key] = &cachedBlock{key: key, holders: 1}
	return true
}

// release gives back the blocks of a sequence: held in all, of which the first
// shared are cached blocks of the prefix. The last ones of the prefix are the
// first to lose their place.
func (p *pool) release(prefix, held, shared int) {
	p.free += held - shared
	for i := shared - 1; i >= 0; i-- {
		b := p.cached[blockKey{prefix, i}]
		if b.holders--; b.holders == 0 {
			b.place = p.unused.PushBack(b)
			p.free++
		}
	}
}
