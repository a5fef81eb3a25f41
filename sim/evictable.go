package sim

import (
	"slices"

	"kneepoint/policies"
)

// evictable is free blocks of which the blank ones are taken first, then cached ones
// in the order of an eviction policy. Blocks of which none goes before another are taken in the order
// in which they were freed, so that they stand in line.
type evictable struct {
	blanks   int
	eviction policies.Eviction
	lines    []*line // the one that goes first is the last
	spare    []*line // to use again: lines come and go
}

// line is free blocks none of which goes before another.
type line struct {
	freeQueue
	like policies.CachedBlock // one of them
}

// lineOf is the index of the line of such blocks, and whether there is one.
func (e *evictable) lineOf(like *policies.CachedBlock) (index int, found bool) {
	return slices.BinarySearchFunc(e.lines, like, func(l *line, like *policies.CachedBlock) int {
		switch {
		case e.eviction.Before(like, &l.like):
			return -1
		case e.eviction.Before(&l.like, like):
			return 1
		}
		return 0
	})
}

// add implements freeBlocks.
func (e *evictable) add(b *cachedBlock) {
	index, found := e.lineOf(&b.CachedBlock)
	if !found {
		e.lines = slices.Insert(e.lines, index, e.newLine(b.CachedBlock))
	}
	b.line = e.lines[index]
	b.line.add(b)
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
func (e *evictable) remove(b *cachedBlock) {
	if b.node.leave(); b.line.empty() {
		index, _ := e.lineOf(&b.CachedBlock)
		e.lines = slices.Delete(e.lines, index, index+1)
		e.spare = append(e.spare, b.line)
	}
}

// blank implements freeBlocks.
func (e *evictable) blank(b *cachedBlock) {
	e.remove(b)
	e.blanks++
}

// take implements freeBlocks.
func (e *evictable) take(n int) (b *cachedBlock, blanks int) {
	if e.blanks > 0 {
		blanks = min(n, e.blanks)
		e.blanks -= blanks
		return nil, blanks
	}
	b = e.lines[len(e.lines)-1].root.behind.block
	e.remove(b)
	return b, 0
}

// walk implements freeBlocks.
func (e *evictable) walk() freeWalk {
	return &lineWalk{blanks: e.blanks, lines: e.lines}
}

// lineWalk is a walk along the blocks of an evictable.
type lineWalk struct {
	blanks int     // that are left
	lines  []*line // likewise, with the one that it is in
	at     *freeNode
}

// next implements freeWalk.
func (w *lineWalk) next(n int) (b *cachedBlock, blanks int) {
	if w.blanks > 0 {
		blanks = min(n, w.blanks)
		w.blanks -= blanks
		return nil, blanks
	}
	if len(w.lines) == 0 {
		return nil, 0
	}
	last := w.lines[len(w.lines)-1]
	if w.at == nil {
		w.at = last.root.behind
	}
	b = w.at.block
	if w.at = w.at.behind; w.at == &last.root {
		w.lines, w.at = w.lines[:len(w.lines)-1], nil
	}
	return b, 0
}
