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

	// cut has the head of a span in it, which is the tail now, be one of its own.
	cut(head, tail *span)

	// blank makes a span of one block in it a blank block.
	blank(s *span)

	// takeBlank takes out n blocks if blank ones are the next that take would take, and is false if not.
	takeBlank(n int) bool

	// take takes out n blocks. There must be as many. Spans get shorter; those of which nothing
	// is left are added to a list.
	take(n int, emptied []*span) []*span

	// walk passes blocks in the order in which a decision would take them, but for those that it has
	// held again. It is valid until blocks are taken, added or removed.
	walk(decision int64) freeWalk

	// spares tells whether it is plain without a walk that a decision takes n blocks before that of a span before an index. It
	// takes none that it has held again.
	spares(s *span, to, n int, decision int64) bool
}

// freeWalk goes along free blocks.
type freeWalk interface {
	// pass passes up to n blocks, blank ones or the last ones of a span, which are gone then (span.gone). It
	// is how many; 0 at the end.
	pass(n int) int
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
func (q *freeQueue) cut(head, tail *span) { head.node.enter(&tail.node) }

// blank implements freeBlocks: its place in the queue stays.
func (q *freeQueue) blank(s *span) { s.node.span, s.node.blanks = nil, 1 }

// takeBlank implements freeBlocks. The last of a run is left to take.
func (q *freeQueue) takeBlank(n int) bool {
	if first := q.root.behind; first.span == nil && n < first.blanks {
		first.blanks -= n
		return true
	}
	return false
}

// take implements freeBlocks.
func (q *freeQueue) take(n int, emptied []*span) []*span {
	for n > 0 {
		first := q.root.behind
		s := first.span
		if s == nil {
			n -= q.takeRun(first, n)
			continue
		}
		blocks := min(n, s.len())
		n -= blocks
		if s.to -= blocks; s.len() == 0 {
			first.leave()
			emptied = append(emptied, s)
		}
	}
	return emptied
}

// takeRun takes up to n blocks of a run of blank ones.
func (q *freeQueue) takeRun(run *freeNode, n int) int {
	n = min(n, run.blanks)
	if run.blanks -= n; run.blanks == 0 {
		run.leave()
		q.spare = run
	}
	return n
}

// walk implements freeBlocks.
func (q *freeQueue) walk(decision int64) freeWalk {
	return &queueWalk{decision: decision, end: &q.root, passed: &q.root}
}

// spares implements freeBlocks.
func (q *freeQueue) spares(_ *span, _, n int, _ int64) bool {
	first := q.root.behind
	return first.span == nil && first.blanks >= n
}

// queueWalk is a walk along a freeQueue.
type queueWalk struct {
	decision int64
	end      *freeNode
	passed   *freeNode // behind which it is
	blanks   int       // of the node behind that one, that it has passed too
}

// pass implements freeWalk.
func (w *queueWalk) pass(n int) int {
	for at := w.passed.behind; at != w.end; at = at.behind {
		if at.span == nil {
			n = min(n, at.blanks-w.blanks)
			if w.blanks += n; w.blanks == at.blanks {
				w.passed, w.blanks = at, 0
			}
			return n
		}
		if blocks := at.span.passInRow(n, w.decision); blocks > 0 {
			return blocks
		}
		w.passed = at
	}
	return 0
}

// passInRow passes up to n of the blocks of a span that are not gone, unless it is held.
func (s *span) passInRow(n int, decision int64) int {
	left := s.to
	switch decision {
	case s.heldIn:
		return 0
	case s.goneIn:
		left = min(left, s.goneFrom)
	}
	n = max(0, min(n, left-s.from))
	s.goneIn, s.goneFrom = decision, left-n
	return n
}
