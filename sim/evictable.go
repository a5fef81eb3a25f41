package sim

import "kneepoint/policies"

// evictable is the cached blocks that nobody holds, the one first that an eviction
// policy lets go first.
type evictable struct {
	heap     minHeap[candidate]
	eviction policies.Eviction
}

// candidate is a block whose memory may be taken.
type candidate struct {
	block    *cachedBlock
	eviction policies.Eviction
}

func (c candidate) before(d candidate) bool {
	return c.eviction.Before(&c.block.CachedBlock, &d.block.CachedBlock)
}

// moved notes where in the heap the block is, so that it can be found there.
func (c candidate) moved(index int) { c.block.index = index }

// add lets a block wait for its eviction.
func (e *evictable) add(b *cachedBlock) { e.heap.push(candidate{b, e.eviction}) }

// remove takes out a block that somebody holds again.
func (e *evictable) remove(b *cachedBlock) { e.heap.remove(b.index) }

// evict takes out the block whose memory goes to somebody else.
func (e *evictable) evict() *cachedBlock { return e.heap.pop().block }
