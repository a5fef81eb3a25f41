package sim

import "kneepoint/policies"

// evictable is free blocks of which the blank ones are taken first, then cached ones
// in the order of an eviction policy. A heap does: the order of blocks does not change
// while they are in it, since only a holder uses a block.
type evictable struct {
	blanks   int
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

// add implements freeBlocks.
func (e *evictable) add(b *cachedBlock) { e.heap.push(candidate{b, e.eviction}) }

// addBlank implements freeBlocks.
func (e *evictable) addBlank(n int) { e.blanks += n }

// remove implements freeBlocks.
func (e *evictable) remove(b *cachedBlock) { e.heap.remove(b.index) }

// take implements freeBlocks.
func (e *evictable) take(n int) (b *cachedBlock, blanks int) {
	if e.blanks > 0 {
		blanks = min(n, e.blanks)
		e.blanks -= blanks
		return nil, blanks
	}
	return e.heap.pop().block, 0
}

// walk implements freeBlocks.
func (e *evictable) walk() freeWalk { return &heapWalk{free: e, blanks: e.blanks} }

// heapWalk is a walk along the blocks of an evictable. Of the heap it knows the first
// block behind which each branch has not been walked yet.
type heapWalk struct {
	free     *evictable
	blanks   int // that are left
	begun    bool
	branches minHeap[branch]
}

// branch is the part of a heap from an index on.
type branch struct {
	candidate
	at int
}

func (b branch) before(c branch) bool { return b.candidate.before(c.candidate) }
func (b branch) moved(int)            {}

// next implements freeWalk.
func (w *heapWalk) next(n int) (b *cachedBlock, blanks int) {
	if w.blanks > 0 {
		blanks = min(n, w.blanks)
		w.blanks -= blanks
		return nil, blanks
	}
	if !w.begun {
		w.begun = true
		w.branch(0)
	}
	if len(w.branches) == 0 {
		return nil, 0
	}
	first := w.branches.pop()
	w.branch(2*first.at + 1)
	w.branch(2*first.at + 2)
	return first.block, 0
}

// branch adds the branch at an index, where there is one.
func (w *heapWalk) branch(at int) {
	if at < len(w.free.heap) {
		w.branches.push(branch{candidate: w.free.heap[at], at: at})
	}
}
