package sim

import (
	"slices"

	"kneepoint/policies"
	"kneepoint/units"
)

// plainMemory is a plain model of the memory, in which every block has an
// identity, the free ones are a list, and whatever is asked is looked for.
type plainMemory struct {
	eviction policies.Eviction
	ttl      units.Seconds
	blocks   []*plainBlock // all
	order    []*plainBlock // free ones, by when they were freed
	entered  int
}

// plainBlock is a block of it.
type plainBlock struct {
	key     blockKey // id 0: blank
	holders int
	entered int // when it got its content
	freedAt units.Seconds
	policies.CachedBlock
}

func newPlainMemory(p *Pool) *plainMemory {
	m := &plainMemory{eviction: p.Eviction, ttl: p.CacheTTL}
	for range p.Blocks {
		b := &plainBlock{}
		m.blocks, m.order = append(m.blocks, b), append(m.order, b)
	}
	return m
}

// expired tells whether a block is found no more.
func (m *plainMemory) expired(b *plainBlock, now units.Seconds) bool {
	return m.ttl > 0 && b.holders == 0 && now-b.freedAt > m.ttl
}

// contents are the cached blocks by their content, in the order in which they got it.
func (m *plainMemory) contents() map[blockKey][]*plainBlock {
	contents := map[blockKey][]*plainBlock{}
	for _, b := range m.blocks {
		if b.key.id != 0 {
			contents[b.key] = append(contents[b.key], b)
		}
	}
	for _, alike := range contents {
		slices.SortFunc(alike, func(a, b *plainBlock) int { return a.entered - b.entered })
	}
	return contents
}

// first is the block that has had a content for the longest time, of those that are found.
func (m *plainMemory) first(key blockKey, now units.Seconds) *plainBlock {
	for _, b := range m.contents()[key] {
		if !m.expired(b, now) {
			return b
		}
	}
	return nil
}

// hold lets one more sequence hold a block.
func (m *plainMemory) hold(b *plainBlock) {
	b.holders++
	b.Uses++
	m.order = slices.DeleteFunc(m.order, func(x *plainBlock) bool { return x == b })
}

// enter gives a block a content. The first ones that have it and are expired become blank, up to one that is found.
func (m *plainMemory) enter(b *plainBlock, key blockKey, now units.Seconds) {
	for _, old := range m.contents()[key] {
		if !m.expired(old, now) {
			break
		}
		old.key = blockKey{}
	}
	m.entered++
	b.key, b.entered, b.CachedBlock = key, m.entered, policies.CachedBlock{Depth: key.index, Uses: 1}
}

// take is the next free block.
func (m *plainMemory) take() *plainBlock {
	next := m.order[0]
	for _, b := range m.order[1:] {
		if m.before(b, next) {
			next = b
		}
	}
	m.order = slices.DeleteFunc(m.order, func(x *plainBlock) bool { return x == next })
	return next
}

// takeAll takes n free blocks for a sequence.
func (m *plainMemory) takeAll(n int) []*plainBlock {
	var taken []*plainBlock
	for range n {
		b := m.take()
		*b = plainBlock{holders: 1}
		taken = append(taken, b)
	}
	return taken
}

// before tells which of two free blocks is taken first; the second was freed first.
func (m *plainMemory) before(a, b *plainBlock) bool {
	switch {
	case m.eviction.OneQueue() || b.key.id == 0:
		return false
	case a.key.id == 0:
		return true
	}
	return m.eviction.Rank(a.CachedBlock) < m.eviction.Rank(b.CachedBlock)
}
