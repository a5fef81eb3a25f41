package sim

import "kneepoint/policies"

// freeBlocks is the blocks that no sequence holds, in the order in which they are
// taken: of a span the last one first. Blank ones are counted only.
type freeBlocks interface {
	// add frees a span, and addBlank n blank blocks.
	add(s *span)
	addBlank(n int)

	// remove takes out a span that a sequence holds again.
	remove(s *span)

	// cut makes two spans of one that is in it, which one of the two was.
	cut(was, head, tail *span)

	// blank makes a span of one block in it a blank block.
	blank(s *span)

	// take takes out n blocks, or fewer: the last ones of a span, which is as much
	// shorter then, or blank ones (nil).
	take(n int) (s *span, blocks int)

	// walk returns the same as repeated calls of take would, and takes nothing. It is
	// valid until blocks are taken, added or removed.
	walk() freeWalk
}

// freeWalk goes along free blocks.
type freeWalk interface {
	// next is up to n blocks: the last ones of a span, at which the walk stays, or blank ones, which
	// it passes; 0 at the end.
	next(n int) (s *span, blocks int)

	// pass goes on behind the span at which the walk is, or the tail of it that was cut off.
	pass(s *span)
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

// freeNode is a span in the queue, or a run of blank blocks.
type freeNode struct {
	before, behind *freeNode
	span           *span // nil: blank ones
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
func (q *freeQueue) add(s *span) { s.node.enter(q.root.before) }

// addBlank implements freeBlocks.
func (q *freeQueue) addBlank(n int) {
	switch last := q.root.before; {
	case n == 0:
	case last != &q.root && last.span == nil:
		last.blanks += n
	default:
		node := q.spare
		if q.spare = nil; node == nil {
			node = &freeNode{}
		}
		node.blanks = n
		node.enter(last)
	}
}

// enter puts a node behind another one.
func (n *freeNode) enter(other *freeNode) {
	n.before, n.behind = other, other.behind
	n.before.behind, n.behind.before = n, n
}

// leave takes a node out of its queue. It must not lead to its neighbours any more:
// whoever still has an old span would keep all that were freed after it.
func (n *freeNode) leave() {
	n.before.behind, n.behind.before = n.behind, n.before
	n.before, n.behind = nil, nil
}

// remove implements freeBlocks.
func (q *freeQueue) remove(s *span) { s.node.leave() }

// cut implements freeBlocks.
func (q *freeQueue) cut(was, head, tail *span) {
	if was == head {
		tail.node.enter(head.node.before)
	} else {
		head.node.enter(&tail.node)
	}
}

// blank implements freeBlocks: its place in the queue stays.
func (q *freeQueue) blank(s *span) { s.node.span, s.node.blanks = nil, 1 }

// take implements freeBlocks.
func (q *freeQueue) take(n int) (s *span, blocks int) {
	first := q.root.behind
	if s = first.span; s != nil {
		blocks = min(n, s.len())
		if s.to -= blocks; s.len() == 0 {
			first.leave()
		}
		return s, blocks
	}
	blocks = min(n, first.blanks)
	if first.blanks -= blocks; blocks > 0 && first.blanks == 0 {
		first.leave()
		q.spare = first
	}
	return nil, blocks
}

// walk implements freeBlocks.
func (q *freeQueue) walk() freeWalk { return &queueWalk{end: &q.root, passed: &q.root} }

// queueWalk is a walk along a freeQueue.
type queueWalk struct {
	end    *freeNode
	passed *freeNode // behind which it is
	blanks int       // of the node behind that one, that it has passed too
}

// next implements freeWalk.
func (w *queueWalk) next(n int) (s *span, blocks int) {
	at := w.passed.behind
	switch {
	case at == w.end:
		return nil, 0
	case at.span != nil:
		return at.span, min(n, at.span.len())
	}
	blocks = min(n, at.blanks-w.blanks)
	if w.blanks += blocks; w.blanks == at.blanks {
		w.passed, w.blanks = at, 0
	}
	return nil, blocks
}

// pass implements freeWalk.
func (w *queueWalk) pass(s *span) { w.passed = &s.node }
