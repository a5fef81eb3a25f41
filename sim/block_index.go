package sim

import (
	"slices"

	"kneepoint/internal/ids"
)

// blockIndex finds cached blocks by their content: those of an ID by their index.
type blockIndex struct {
	ids     ids.Table[*idBlocks]
	spare   []*idBlocks // to use again: IDs come and go
	fillers int         // IDs with a filler
	name    func(filler *sequence)
}

// idBlocks is the blocks that an ID names.
type idBlocks struct {
	spans []*span  // that have them, by their first index: of several with the same content the first one
	one   [1]*span // where spans are as long as there is one

	filler *sequence // that has a span of them, and fills more of which names are put off until somebody looks for the ID; nil: none
}

// find is the span with the block of a content, of several the first; nil when none is cached.
func (x *blockIndex) find(key blockKey) *span {
	ofID := x.ids.At(key.id)
	if ofID == nil {
		return nil
	}
	if ofID.filler != nil {
		x.name(ofID.filler)
	}
	return ofID.at(key.index)
}

// put has the blocks of a span found by their content from now on, in place of those of another one that begins where it does.
func (x *blockIndex) put(s *span) {
	if s.named == nil {
		s.named = x.open(s.id)
	}
	ofID := s.named
	switch i := ofID.place(s.from); {
	case i == len(ofID.spans): // as a rule
		ofID.spans = append(ofID.spans, s)
	case ofID.spans[i].from == s.from:
		ofID.spans[i] = s
	default:
		ofID.spans = slices.Insert(ofID.spans, i, s)
	}
}

// place is the place of a span that begins at an index: behind those that begin before it.
func (b *idBlocks) place(from int) int {
	low, high := 0, len(b.spans)
	for low < high {
		if middle := (low + high) / 2; b.spans[middle].from < from {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// at is the span with the block at an index; nil when none is cached.
func (b *idBlocks) at(index int) *span {
	if i := b.place(index + 1); i > 0 && index < b.spans[i-1].to {
		return b.spans[i-1]
	}
	return nil
}

// has tells whether the blocks of a span are found. It may have been cut down to none.
func (b *idBlocks) has(s *span) bool {
	i := b.place(s.from)
	return i < len(b.spans) && b.spans[i] == s
}

// behind is the index up to which nothing is cached from the end of a span on, or another one.
func (b *idBlocks) behind(s *span, end int) int {
	if i := b.place(s.from) + 1; i < len(b.spans) {
		return min(end, b.spans[i].from)
	}
	return end
}

// open is the blocks of an ID.
func (x *blockIndex) open(id int) *idBlocks {
	ofID := x.ids.At(id)
	if ofID == nil {
		ofID = x.unused()
		x.ids.Put(id, ofID)
	}
	return ofID
}

// unused is the blocks of an ID that names none any more.
func (x *blockIndex) unused() *idBlocks {
	n := len(x.spare)
	if n == 0 {
		ofID := &idBlocks{}
		ofID.spans = ofID.one[:0]
		return ofID
	}
	ofID := x.spare[n-1]
	x.spare = x.spare[:n-1]
	return ofID
}

// remove has the blocks of a span found no more.
func (x *blockIndex) remove(s *span) {
	ofID := s.named
	last := len(ofID.spans) - 1
	if ofID.spans[last] != s { // spans are taken from their ends on
		i := ofID.place(s.from)
		copy(ofID.spans[i:], ofID.spans[i+1:])
	}
	ofID.spans[last] = nil
	if ofID.spans = ofID.spans[:last]; last > 0 {
		return
	}
	x.ids.Put(s.id, nil)
	x.spare = append(x.spare, ofID)
}
