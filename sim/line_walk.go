package sim

import (
	"math"
	"sort"
)

// lineWalk is a walk along the blocks of an evictable. What is left of a span of which it has passed some stands in line anew.
type lineWalk struct {
	*evictable
	decision int64
	blanks   int       // that are left
	line     *line     // that it is in; nil: not begun
	passed   *freeNode // of the line, behind which it is
	begun    []rest    // in order. What is passed of a row of spans leaves rests that go behind each other
	first    int       // the index of the first of them
}

// rest is what is left of a span of which a walk has passed some blocks.
type rest struct {
	rank, turn int64
	from, to   int
	span       *span // with the last block
}

// before tells whether the last block goes before that of another rest.
func (r *rest) before(other *rest) bool {
	switch {
	case r.rank != other.rank:
		return r.rank < other.rank
	case r.turn != other.turn:
		return r.turn < other.turn
	}
	return r.from > other.from
}

// walk implements freeBlocks.
func (e *evictable) walk(decision int64) freeWalk {
	e.walking = lineWalk{evictable: e, decision: decision, blanks: e.blanks, begun: e.walking.begun[:0]}
	return &e.walking
}

// pass implements freeWalk.
func (w *lineWalk) pass(n int) int {
	if w.blanks > 0 {
		n = min(n, w.blanks)
		w.blanks -= n
		return n
	}
	for {
		r, ok := w.take()
		if !ok {
			return 0
		}
		if blocks := w.passOf(&r, n); blocks > 0 {
			return blocks
		}
	}
}

// take takes out what goes first: what is left of a span, or the next one in the lines.
func (w *lineWalk) take() (r rest, ok bool) {
	if next := w.next(); next != nil {
		r = rest{rank: next.line.rank, turn: next.turn, from: next.from, to: next.to, span: next}
		if w.first == len(w.begun) || r.before(&w.begun[w.first]) {
			w.passed = &next.node
			return r, true
		}
	}
	if w.first == len(w.begun) {
		return r, false
	}
	w.first++
	return w.begun[w.first-1], true
}

// push adds a rest to those that are begun, as a rule behind the others.
func (w *lineWalk) push(r rest) {
	if w.first > 64 && w.first > len(w.begun)/2 {
		w.begun = append(w.begun[:0], w.begun[w.first:]...)
		w.first = 0
	}
	w.begun = append(w.begun, r)
	for i := len(w.begun) - 1; i > w.first && w.begun[i].before(&w.begun[i-1]); i-- {
		w.begun[i], w.begun[i-1] = w.begun[i-1], w.begun[i]
	}
}

// next is the span in the lines to which the walk comes next; nil where there is none.
func (w *lineWalk) next() *span {
	for {
		if w.line == nil || w.passed.behind == &w.line.root {
			index := len(w.lines)
			if w.line != nil {
				index, _ = w.lineOf(w.line.rank)
			}
			if index == 0 {
				return nil
			}
			w.line = w.lines[index-1]
			w.passed = &w.line.root
		}
		s := w.passed.behind.span
		if s.heldIn != w.decision && s.goneIn != w.decision { // those that are cut off what was begun are passed with the rest of it
			return s
		}
		w.passed = &s.node
	}
}

// passOf passes up to n blocks of what is left of a span; none where they are held.
func (w *lineWalk) passOf(r *rest, n int) int {
	if r.to <= r.span.from { // the span was cut
		r.span = r.span.named.at(r.to - 1)
	}
	s := r.span
	blocks := r.to - max(r.from, s.from)
	held := s.heldIn == w.decision
	if !held {
		blocks = w.before(r, min(n, blocks))
		s.goneIn, s.goneFrom = w.decision, r.to-blocks
	}
	if r.to -= blocks; r.to > r.from {
		r.rank = w.rank(s, r.to)
		w.push(*r)
	}
	if held {
		return 0
	}
	return blocks
}

// before is how many of the last n blocks of what is left of a span go before all others.
func (w *lineWalk) before(r *rest, n int) int {
	if w.rank(r.span, r.to-n+1) == r.rank {
		return n
	}
	other := int64(math.MaxInt64)
	if next := w.next(); next != nil {
		other = next.line.rank
	}
	if w.first < len(w.begun) {
		other = min(other, w.begun[w.first].rank)
	}
	if other = max(other, r.rank+1); w.rank(r.span, r.to-1) >= other {
		return 1
	}
	return sort.Search(n, func(i int) bool { return w.rank(r.span, r.to-i) >= other })
}
