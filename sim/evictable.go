package sim

import "kneepoint/policies"

// evictable is the cached blocks that no sequence holds, the one first that an
// eviction policy lets go first. A heap does: the order of blocks does not change
// while they are in it, since only a holder uses a block.
type evictable struct {
	heap     minHeap[candidate]
	eviction policies.Eviction
}

// candidate is a block that may be evicted, with the policy that orders the heap.
type candidate struct {
	block    *cachedBlock
	eviction policies.Eviction
}

func (c candidate) before(d candidate) bool {
	return c.eviction.Before(&c.block.CachedBlock, &d.block.CachedBlock)
}

// moved notes where in the heap the block is, so that it can be found there.
func (c candidate) moved(index int) { c.block.index = index }

// add makes a block evictable, whose last holder has gone.
func (e *evictable) add(b *cachedBlock) { e.heap.push(candidate{b, e.eviction}) }

// remove takes out a block that a sequence holds again.
func (e *evictable) remove(b *cachedBlock) { e.heap.remove(b.index) }

// evict takes out the block that the policy lets go first.
func (e *evictable) evict() *cachedBlock { return e.heap.pop().block }
