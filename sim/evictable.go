package sim

import (
	"slices"
	"sort"

	"kneepoint/policies"
)

// evictable is free blocks of which the blank ones are taken first, then cached ones
// in the order of an eviction policy. A span stands in line with those whose last blocks go neither
// before its own nor behind it; these are taken in the order in which they were freed.
type evictable struct {
	blanks   int
	eviction policies.Eviction
	lines    []*line              // the one that goes first is the last
	spare    []*line              // to use again: lines come and go
	turns    int64                // spans that were freed so far
	a, b     policies.CachedBlock // that are compared: here they need no memory of their own
}

// line is spans none of whose last blocks goes before another.
type line struct {
	freeQueue
	like policies.CachedBlock // one of these blocks
	at   int                  // its index when it was last asked for
}

// lineOf is the index of the line of such blocks, and whether there is one.
func (e *evictable) lineOf(like policies.CachedBlock) (index int, found bool) {
	return slices.BinarySearchFunc(e.lines, like, func(l *line, like policies.CachedBlock) int {
		switch {
		case e.before(like, l.like):
			return -1
		case e.before(l.like, like):
			return 1
		}
		return 0
	})
}

// indexOf is the index of a line. Lines come and go a few at a time, so that it is near where it was.
func (e *evictable) indexOf(l *line) int {
	for i := max(0, l.at-1); i < min(len(e.lines), l.at+2); i++ {
		if e.lines[i] == l {
			l.at = i
			return i
		}
	}
	l.at, _ = e.lineOf(l.like)
	return l.at
}

// before tells whether a block goes before another one.
func (e *evictable) before(a, b policies.CachedBlock) bool {
	e.a, e.b = a, b
	return e.eviction.Before(&e.a, &e.b)
}

// alike tells whether neither of two blocks goes before the other.
func (e *evictable) alike(a, b policies.CachedBlock) bool { return !e.before(a, b) && !e.before(b, a) }

// add implements freeBlocks.
func (e *evictable) add(s *span) {
	e.turns++
	s.turn = e.turns
	e.enter(s, e.lineOf)
}

// queueBehind puts a span into its line, which comes behind those from an index on: as a rule right behind.
func (e *evictable) queueBehind(s *span, index int) {
	e.enter(s, func(last policies.CachedBlock) (int, bool) {
		switch {
		case index == 0 || e.before(last, e.lines[index-1].like):
			return index, false
		case !e.before(e.lines[index-1].like, last):
			return index - 1, true
		}
		return e.lineOf(last)
	})
}

// enter puts a span into a line, where it comes behind those that were freed before it.
func (e *evictable) enter(s *span, lineOf func(policies.CachedBlock) (index int, found bool)) {
	index, found := lineOf(s.last())
	if !found {
		e.lines = slices.Insert(e.lines, index, e.newLine(s.last()))
	}
	s.line = e.lines[index]
	before := s.line.root.before
	for before != &s.line.root && before.span.turn > s.turn {
		before = before.before
	}
	s.node.enter(before)
}

// newLine is an empty line for such blocks.
func (e *evictable) newLine(like policies.CachedBlock) *line {
	n := len(e.spare)
	if n == 0 {
		l := &line{like: like}
		l.close()
		return l
	}
	l := e.spare[n-1]
	e.spare, l.like = e.spare[:n-1], like
	return l
}

// addBlank implements freeBlocks.
func (e *evictable) addBlank(n int) { e.blanks += n }

// remove implements freeBlocks.
func (e *evictable) remove(s *span) {
	if s.node.leave(); s.line.empty() {
		index := e.indexOf(s.line)
		e.lines = slices.Delete(e.lines, index, index+1)
		e.spare = append(e.spare, s.line)
	}
}

// cut implements freeBlocks. The tail has the place of the span, and the head comes right behind it, or in
// a line of its own.
func (e *evictable) cut(was, head, tail *span) {
	if was == head {
		tail.node.enter(&head.node)
		head.node.leave()
	}
	if e.alike(head.last(), tail.last()) {
		head.line = tail.line
		head.node.enter(&tail.node)
	} else {
		e.queueBehind(head, e.indexOf(tail.line))
	}
}

// blank implements freeBlocks.
func (e *evictable) blank(s *span) {
	e.remove(s)
	e.blanks++
}

// take implements freeBlocks.
func (e *evictable) take(n int) (s *span, blocks int) {
	if e.blanks > 0 {
		blocks = min(n, e.blanks)
		e.blanks -= blocks
		return nil, blocks
	}
	if len(e.lines) == 0 {
		return nil, 0
	}
	first := len(e.lines) - 1
	s = e.lines[first].root.behind.span
	blocks = e.ahead(s, first, n)
	if blocks < s.len() && e.alike(s.last(), s.block(s.to-1-blocks)) {
		s.to -= blocks
		return s, blocks
	}
	e.remove(s)
	if s.to -= blocks; s.len() > 0 {
		e.queueBehind(s, first)
	}
	return s, blocks
}

// ahead is how many blocks of a span, at most n, go before all that come behind its last one: behind that one in its line,
// whose index is known, or in the next line.
func (e *evictable) ahead(s *span, line, n int) int {
	n = min(n, s.len())
	switch {
	case n == 1 || e.alike(s.last(), s.block(s.to-n)):
		return n
	case s.node.behind != &s.line.root:
		return 1
	case line == 0:
		return n
	}
	next := e.lines[line-1].like
	return 1 + sort.Search(n-1, func(i int) bool { return !e.before(s.block(s.to-2-i), next) })
}

// walk implements freeBlocks.
func (e *evictable) walk() freeWalk { return &lineWalk{evictable: e, blanks: e.blanks} }

// lineWalk is a walk along the blocks of an evictable.
type lineWalk struct {
	*evictable
	blanks int       // that are left
	line   *line     // that it is in; nil: not begun
	passed *freeNode // of the line, behind which it is
}

// next implements freeWalk.
func (w *lineWalk) next(n int) (s *span, blocks int) {
	if w.blanks > 0 {
		blocks = min(n, w.blanks)
		w.blanks -= blocks
		return nil, blocks
	}
	index := len(w.lines)
	if w.line != nil {
		index = w.indexOf(w.line)
	}
	if w.line == nil || w.passed.behind == &w.line.root {
		if index--; index < 0 {
			return nil, 0
		}
		w.line = w.lines[index]
		w.passed = &w.line.root
	}
	s = w.passed.behind.span
	return s, w.ahead(s, index, n)
}

// pass implements freeWalk.
func (w *lineWalk) pass(s *span) { w.passed = &s.node }
