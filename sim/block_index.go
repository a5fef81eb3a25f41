package sim

import "slices"

// blockIndex finds cached blocks by their content. The blocks of an ID are found by their
// index, so that those of a prompt, which come in a row, cost one search in a map.
type blockIndex struct {
	ids   map[int]*idBlocks
	last  *idBlocks   // which was searched for last
	spare []*idBlocks // to use again: IDs come and go
}

// idBlocks is the blocks that an ID names.
type idBlocks struct {
	id    int
	from  int     // index of the first one
	spans []*span // that have them, from there on: nil where none is cached, but for the last one
}

func newBlockIndex() *blockIndex { return &blockIndex{ids: map[int]*idBlocks{}} }

// find is the span with the block of a content, of several the first; nil when none is cached.
func (x *blockIndex) find(key blockKey) *span {
	if x.last == nil || x.last.id != key.id {
		found := x.ids[key.id]
		if found == nil {
			return nil
		}
		x.last = found
	}
	return x.last.at(key.index)
}

// put has the blocks of a span found by their content from now on, those from an index on.
func (x *blockIndex) put(s *span, from int) {
	if s.named == nil {
		s.named = x.open(s.key(from))
	}
	ofID := s.named
	first, end := from-ofID.from, s.to-ofID.from
	if first < 0 {
		ofID.spans = append(make([]*span, -first), ofID.spans...)
		ofID.from, first, end = from, 0, end-first
	}
	if more := end - len(ofID.spans); more > 0 {
		ofID.spans = slices.Grow(ofID.spans, more)[:end] // no span is left behind the last one
	}
	for i := first; i < end; i++ {
		ofID.spans[i] = s
	}
}

// at is the span with the block at an index; nil when none is cached.
func (b *idBlocks) at(index int) *span {
	if at := index - b.from; at >= 0 && at < len(b.spans) {
		return b.spans[at]
	}
	return nil
}

// open is the blocks of a key's ID. Where there are none yet those from this block on are named.
func (x *blockIndex) open(key blockKey) *idBlocks {
	if x.last == nil || x.last.id != key.id {
		x.last = x.ids[key.id]
	}
	if x.last == nil {
		x.last = x.unused()
		x.last.id, x.last.from = key.id, key.index
		x.ids[key.id] = x.last
	}
	return x.last
}

// unused is the blocks of an ID that names none any more.
func (x *blockIndex) unused() *idBlocks {
	n := len(x.spare)
	if n == 0 {
		return &idBlocks{}
	}
	ofID := x.spare[n-1]
	x.spare = x.spare[:n-1]
	return ofID
}

// remove has n blocks of a span, from an index on, found no more.
func (x *blockIndex) remove(s *span, from, n int) {
	ofID := s.named
	at := from - ofID.from
	clear(ofID.spans[at : at+n])
	last := len(ofID.spans)
	for last > 0 && ofID.spans[last-1] == nil {
		last--
	}
	if ofID.spans = ofID.spans[:last]; last > 0 {
		return
	}
	delete(x.ids, ofID.id)
	x.spare = append(x.spare, ofID)
	if x.last == ofID {
		x.last = nil
	}
}
