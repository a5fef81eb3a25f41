package sim

import "kneepoint/policies"

// freeBlocks is the blocks that no sequence holds, in the order in which they are
// taken. Blank ones are counted only.
type freeBlocks interface {
	// add frees a cached block, and addBlank n blank ones.
	add(b *cachedBlock)
	addBlank(n int)

	// remove takes out a cached block that a sequence holds again.
	remove(b *cachedBlock)

	// blank makes a cached block in it a blank one.
	blank(b *cachedBlock)

	// take takes out the first block if it is cached, otherwise it and the blank ones
	// behind it, up to n in all.
	take(n int) (b *cachedBlock, blanks int)

	// walk returns the same as repeated calls of take would, and takes nothing. It is
	// valid until the blocks change.
	walk() freeWalk
}

// freeWalk goes along free blocks. It returns neither a block nor blanks at the end.
type freeWalk interface {
	next(n int) (b *cachedBlock, blanks int)
}

func newFreeBlocks(e policies.Eviction) freeBlocks {
	if e.OneQueue() {
		return newFreeQueue()
	}
	return &evictable{eviction: e}
}

// freeQueue is free blocks in the order in which they were freed: a ring of nodes, so
// that a block leaves from anywhere at no cost.
type freeQueue struct {
	root  freeNode  // before the first and behind the last
	spare *freeNode // a node to use again: runs of blank blocks come and go
}

// freeNode is a cached block in the queue, or a run of blank ones.
type freeNode struct {
	before, behind *freeNode
	block          *cachedBlock // nil: blank ones
	blanks         int
}

func newFreeQueue() *freeQueue {
	q := &freeQueue{}
	q.close()
	return q
}

// close makes a ring of nothing.
func (q *freeQueue) close() { q.root.before, q.root.behind = &q.root, &q.root }

func (q *freeQueue) empty() bool { return q.root.behind == &q.root }

// add implements freeBlocks.
func (q *freeQueue) add(b *cachedBlock) { q.append(&b.node) }

// addBlank implements freeBlocks.
func (q *freeQueue) addBlank(n int) {
	switch last := q.root.before; {
	case n == 0:
	case last != &q.root && last.block == nil:
		last.blanks += n
	default:
		node := q.spare
		if q.spare = nil; node == nil {
			node = &freeNode{}
		}
		node.blanks = n
		q.append(node)
	}
}

func (q *freeQueue) append(n *freeNode) {
	n.before, n.behind = q.root.before, &q.root
	n.before.behind, n.behind.before = n, n
}

// remove implements freeBlocks.
func (q *freeQueue) remove(b *cachedBlock) { b.node.leave() }

// blank implements freeBlocks: its place in the queue stays.
func (q *freeQueue) blank(b *cachedBlock) { b.node.block, b.node.blanks = nil, 1 }

// leave takes a node out of its queue. It must not lead to its neighbours any more:
// whoever still has an old block would keep all that were freed after it.
func (n *freeNode) leave() {
	n.before.behind, n.behind.before = n.behind, n.before
	n.before, n.behind = nil, nil
}

// take implements freeBlocks.
func (q *freeQueue) take(n int) (b *cachedBlock, blanks int) {
	first := q.root.behind
	blanks = min(n, first.blanks)
	if first.blanks -= blanks; first.blanks == 0 {
		first.leave()
		if first.block == nil {
			q.spare = first
		}
	}
	return first.block, blanks
}

// walk implements freeBlocks.
func (q *freeQueue) walk() freeWalk { return &queueWalk{end: &q.root, at: q.root.behind} }

// queueWalk is a walk along a freeQueue.
type queueWalk struct {
	end, at *freeNode
	passed  int // blank blocks of the node that it is at
}

// next implements freeWalk.
func (w *queueWalk) next(n int) (b *cachedBlock, blanks int) {
	if w.at == w.end {
		return nil, 0
	}
	b, blanks = w.at.block, min(n, w.at.blanks-w.passed)
	if w.passed += blanks; w.passed == w.at.blanks {
		w.at, w.passed = w.at.behind, 0
	}
	return b, blanks
}
