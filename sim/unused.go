package sim

import (
	"container/heap"

	"kneepoint/policies"
)

// unused is the cached blocks that nobody holds, in the order of an eviction
// policy: a heap that knows where each block is.
type unused struct {
	blocks   []*cachedBlock
	eviction policies.Eviction
}

// add lets a block wait for its eviction.
func (u *unused) add(b *cachedBlock) { heap.Push(u, b) }

// remove takes out a block that somebody holds again.
func (u *unused) remove(b *cachedBlock) { heap.Remove(u, b.place) }

// evict takes out the block that loses its place.
func (u *unused) evict() *cachedBlock { return heap.Pop(u).(*cachedBlock) }

// Len implements heap.Interface.
func (u *unused) Len() int { return len(u.blocks) }

// Less implements heap.Interface.
func (u *unused) Less(i, j int) bool {
	return u.eviction.Before(&u.blocks[i].CachedBlock, &u.blocks[j].CachedBlock)
}

// Swap implements heap.Interface.
func (u *unused) Swap(i, j int) {
	u.blocks[i], u.blocks[j] = u.blocks[j], u.blocks[i]
	u.blocks[i].place, u.blocks[j].place = i, j
}

// Push implements heap.Interface.
func (u *unused) Push(x any) {
	b := x.(*cachedBlock)
	b.place = len(u.blocks)
	u.blocks = append(u.blocks, b)
}

// Pop implements heap.Interface.
func (u *unused) Pop() any {
	last := len(u.blocks) - 1
	b := u.blocks[last]
	u.blocks = u.blocks[:last]
	return b
}
