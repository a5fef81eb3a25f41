package sim

import (
	"math"
	"slices"

	"kneepoint/policies"
)

// evictable is free blocks of which the blank ones are taken first, then cached ones
// in the order of an eviction policy. A span stands in line with those whose last blocks have the same
// rank; these are taken in the order in which they were freed.
type evictable struct {
	blanks   int
	eviction policies.Eviction
	lines    []*line // the one that goes first is the last
	spare    []*line // to use again: lines come and go
	turns    int64   // how many spans were freed so far
	walking  lineWalk
}

// line is spans whose last blocks have the same rank.
type line struct {
	freeQueue
	rank  int64
	spans int
}

// first is the span that goes first.
func (l *line) first() *span { return l.root.behind.span }

// rank is that of the block of a span before an index.
func (e *evictable) rank(s *span, to int) int64 {
	return e.eviction.Rank(policies.CachedBlock{Depth: to - 1, Uses: s.uses})
}

// lineOf is the index of the line of a rank, and whether there is one.
func (e *evictable) lineOf(rank int64) (index int, found bool) {
	low, high := 0, len(e.lines)
	for low < high {
		if middle := (low + high) / 2; e.lines[middle].rank > rank {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(e.lines) && e.lines[low].rank == rank
}

// openLine is the line of a rank.
func (e *evictable) openLine(rank int64) *line {
	index, found := e.lineOf(rank)
	if !found {
		l := e.newLine()
		l.rank = rank
		e.lines = slices.Insert(e.lines, index, l)
	}
	return e.lines[index]
}

// newLine is an empty line.
func (e *evictable) newLine() *line {
	n := len(e.spare)
	if n == 0 {
		l := &line{}
		l.close()
		return l
	}
	l := e.spare[n-1]
	e.spare = e.spare[:n-1]
	return l
}

// closeEmpty forgets a line in which nobody stands any more.
func (e *evictable) closeEmpty(l *line) {
	if l.spans > 0 {
		return
	}
	index := len(e.lines) - 1
	if e.lines[index] != l {
		index, _ = e.lineOf(l.rank)
	}
	e.lines = slices.Delete(e.lines, index, index+1)
	e.spare = append(e.spare, l)
}

// add implements freeBlocks.
func (e *evictable) add(s *span) {
	e.turns++
	s.turn = e.turns
	e.enter(s)
}

// enter puts a span into its line.
func (e *evictable) enter(s *span) {
	l := e.openLine(e.rank(s, s.to))
	l.enter(s, l.root.before)
}

// enter puts a span into the line, behind the last of those up to a node that were freed before it: of spans that were
// one then the deepest comes first.
func (l *line) enter(s *span, before *freeNode) {
	for before != &l.root && (before.span.turn > s.turn || before.span.turn == s.turn && before.span.from < s.from) {
		before = before.before
	}
	l.enterBehind(s, before)
}

// enterBehind puts a span into the line behind a node.
func (l *line) enterBehind(s *span, node *freeNode) {
	s.line = l
	l.spans++
	s.node.enter(node)
}

// leave takes a span out of its line.
func (l *line) leave(s *span) {
	s.node.leave()
	l.spans--
}

// spares implements freeBlocks: of each span in the lines before, the blocks that go before are counted.
func (e *evictable) spares(s *span, to, n int, decision int64) bool {
	n -= e.blanks
	rank := e.rank(s, to)
	for i := len(e.lines) - 1; n > 0 && i >= 0 && e.lines[i].rank < rank; i-- {
		l := e.lines[i]
		for node := l.root.behind; n > 0 && node != &l.root; node = node.behind {
			if before := node.span; before.heldIn != decision {
				n -= e.below(before, min(n, before.len()), rank)
			}
		}
	}
	return n <= 0
}

// below is how many of the last n blocks of a span are of a lower rank. The last one is.
func (e *evictable) below(s *span, n int, rank int64) int {
	if e.rank(s, s.to-n+1) < rank {
		return n
	}
	low, high := 1, n-1
	for low < high {
		if middle := (low + high) / 2; e.rank(s, s.to-middle) < rank {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// addBlank implements freeBlocks.
func (e *evictable) addBlank(n int) { e.blanks += n }

// remove implements freeBlocks.
func (e *evictable) remove(s *span) {
	s.line.leave(s)
	e.closeEmpty(s.line)
}

// cut implements freeBlocks. The head comes right behind the tail, or in a line of its own.
func (e *evictable) cut(head, tail *span) {
	if e.rank(head, head.to) == tail.line.rank {
		tail.line.enterBehind(head, &tail.node)
	} else {
		e.enter(head)
	}
}

// blank implements freeBlocks.
func (e *evictable) blank(s *span) {
	e.remove(s)
	e.blanks++
}

// takeBlank implements freeBlocks.
func (e *evictable) takeBlank(n int) bool {
	if n > e.blanks {
		return false
	}
	e.blanks -= n
	return true
}

// take implements freeBlocks.
func (e *evictable) take(n int, emptied []*span) []*span {
	blanks := min(n, e.blanks)
	e.blanks -= blanks
	for n -= blanks; n > 0; {
		var taken int
		l := e.lines[len(e.lines)-1]
		if s := l.first(); l.spans == 1 || s.to > 1 && e.rank(s, s.to-1) == l.rank {
			taken = e.ahead(s, n)
			emptied = e.shorten(s, taken, emptied)
		} else {
			taken, emptied = e.takeRows(l, n, emptied)
		}
		n -= taken
	}
	return emptied
}

// ahead is how many blocks of the span that goes first, at most n, go before all others. It is alone in its line, or the block
// before its last one has the same rank as that.
func (e *evictable) ahead(s *span, n int) int {
	next := s.line.rank + 1
	if s.line.spans == 1 {
		next = e.nextRank()
	}
	return e.below(s, min(n, s.len()), next)
}

// nextRank is the rank of the line that goes behind the first one; the highest of all where there is none.
func (e *evictable) nextRank() int64 {
	if n := len(e.lines); n > 1 {
		return e.lines[n-2].rank
	}
	return math.MaxInt64
}

// shorten takes the last blocks of a span.
func (e *evictable) shorten(s *span, blocks int, emptied []*span) []*span {
	if s.to -= blocks; s.len() == 0 {
		e.remove(s)
		return append(emptied, s)
	}
	if l, rank := s.line, e.rank(s, s.to); rank != l.rank {
		e.sink(l, s, rank)
		e.closeEmpty(l)
	}
	return emptied
}

// takeRows takes the last block of each of the spans that go first, at most n, as far as they end where the first of them does, or
// several blocks of each that are the whole line. Those before the last ones go behind all these.
func (e *evictable) takeRows(l *line, n int, emptied []*span) (int, []*span) {
	first := l.first()
	uses, to, rows, taken := first.uses, first.to, 1, 0
	if n >= 2*l.spans {
		rows = e.rowsOf(l, n/l.spans)
	}
	var left *span // the last one with blocks
	for node := l.root.behind; node != &l.root && taken < n && node.span.to == to && node.span.uses == uses; taken += rows {
		s := node.span
		node = node.behind
		if s.to -= rows; s.len() > 0 {
			left = s
			continue
		}
		l.leave(s)
		emptied = append(emptied, s)
	}
	if left != nil {
		e.sink(l, left, e.rank(left, left.to))
	}
	e.closeEmpty(l)
	return taken, emptied
}

// rowsOf is how many blocks of each span of the line that goes first, at most so many, are taken a row after the other before others
// come first: those before the last ones are in the way of nobody, and none of the spans has fewer.
func (e *evictable) rowsOf(l *line, most int) int {
	first := l.first()
	for node := l.root.behind; node != &l.root; node = node.behind {
		if s := node.span; s.to != first.to || s.uses != first.uses {
			return 1
		}
		most = min(most, node.span.len())
	}
	rows := e.below(first, most, e.nextRank())
	for rows > 1 && rows < first.to && e.rank(first, first.to-rows) == e.rank(first, first.to-rows+1) { // these go together
		rows--
	}
	return rows
}

// sink moves the spans of the line that goes first, from the first to a last one, to where their blocks of another rank are. As a rule
// that is the next line, or between both.
func (e *evictable) sink(l *line, last *span, rank int64) {
	top := len(e.lines) - 1
	index := top
	for index > 0 && e.lines[index-1].rank < rank {
		index--
	}
	switch whole := last.node.behind == &l.root; {
	case index > 0 && e.lines[index-1].rank == rank:
		l.moveTo(e.lines[index-1], last)
	case whole:
		copy(e.lines[index+1:], e.lines[index:top])
		e.lines[index] = l
		l.rank = rank
	default:
		to := e.newLine()
		to.rank = rank
		l.moveTo(to, last)
		e.lines = slices.Insert(e.lines, index, to)
	}
}

// moveTo moves the spans from the first to a last one to another line.
func (l *line) moveTo(to *line, last *span) {
	for s, before := last, to.root.before; s != nil; {
		next := s.node.before.span // nil: s is the first
		l.leave(s)
		to.enter(s, before)
		before, s = s.node.before, next
	}
}
