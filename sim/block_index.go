package sim

// blockIndex finds cached blocks by their content. The blocks of an ID are found by their
// index, so that those of a prompt, which come in a row, cost one search in a map.
type blockIndex struct {
	ids   map[int]*idBlocks
	last  *idBlocks   // which was searched for last
	spare []*idBlocks // to use again: IDs come and go
}

// idBlocks is the blocks that an ID names.
type idBlocks struct {
	id     int
	from   int            // index of the first one
	blocks []*cachedBlock // from there on: nil where none is cached, but for the last one
	cached int            // that are not nil
}

func newBlockIndex() *blockIndex { return &blockIndex{ids: map[int]*idBlocks{}} }

// find is the block of a content, of several the first; nil when none is cached.
func (x *blockIndex) find(key blockKey) *cachedBlock {
	if x.last == nil || x.last.id != key.id {
		found := x.ids[key.id]
		if found == nil {
			return nil
		}
		x.last = found
	}
	if at := key.index - x.last.from; at >= 0 && at < len(x.last.blocks) {
		return x.last.blocks[at]
	}
	return nil
}

// put has a block found by its content from now on.
func (x *blockIndex) put(b *cachedBlock) {
	ofID := x.open(b.key)
	at := b.key.index - ofID.from
	if at < 0 {
		ofID.blocks = append(make([]*cachedBlock, -at), ofID.blocks...)
		ofID.from, at = b.key.index, 0
	}
	for len(ofID.blocks) <= at {
		ofID.blocks = append(ofID.blocks, nil)
	}
	if ofID.blocks[at] == nil {
		ofID.cached++
	}
	ofID.blocks[at] = b
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

// remove has no block of a content found any more.
func (x *blockIndex) remove(key blockKey) {
	ofID := x.open(key)
	ofID.blocks[key.index-ofID.from] = nil
	ofID.cached--
	n := len(ofID.blocks)
	for n > 0 && ofID.blocks[n-1] == nil {
		n--
	}
	if ofID.blocks = ofID.blocks[:n]; n == 0 {
		delete(x.ids, key.id)
		x.last = nil
		x.spare = append(x.spare, ofID)
	}
}
