package sim

import "slices"

// chain is the first blocks of a sequence, in a row.
type chain struct {
	spans  []*span // nil: a block that is not in memory
	blocks int     // of all
}

// length is the number of blocks of a span in a chain.
func length(s *span) int {
	if s == nil {
		return 1
	}
	return s.len()
}

// add puts a span behind the others.
func (c *chain) add(s *span) {
	c.spans = append(c.spans, s)
	c.blocks += length(s)
}

// end is the last span; nil where there is none.
func (c *chain) end() *span {
	if len(c.spans) == 0 {
		return nil
	}
	return c.spans[len(c.spans)-1]
}

// reset drops all, which may have changed since.
func (c *chain) reset() { c.spans, c.blocks = c.spans[:0], 0 }

// limit drops the spans behind a number of blocks, at which one ends.
func (c *chain) limit(blocks int) {
	for c.blocks > blocks {
		c.blocks -= length(c.end())
		c.spans = c.spans[:len(c.spans)-1]
	}
}

// missing is how many blocks that are not in memory stand in a row from an index of spans on.
func (c *chain) missing(at int) int {
	n := 0
	for at+n < len(c.spans) && c.spans[at+n] == nil {
		n++
	}
	return n
}

// fill puts a span in the place of as many blocks that were not in memory, from an index of spans on.
func (c *chain) fill(at int, s *span) {
	c.spans[at] = s
	c.spans = slices.Delete(c.spans, at+1, at+s.len())
}

// cut takes note that one of two spans was both, if the chain has that one.
func (c *chain) cut(head, tail *span) {
	i := slices.IndexFunc(c.spans, func(s *span) bool { return s != nil && (s == head || s == tail) })
	if i < 0 || i+1 < len(c.spans) && c.spans[i+1] == tail {
		return
	}
	c.spans[i] = head
	c.spans = slices.Insert(c.spans, i+1, tail)
}
