package sim

import (
	"container/list"
	"slices"

	"kneepoint/units"
)

// copies is the copies of cached blocks in the tiers, made when a block is filled and
// kept when the block itself is evicted: in each tier those that were used last, and
// what a tier has no room for goes to the next one, beside the links to the
// accelerators. A copy can be loaded once it has arrived. A nil *copies, without tiers,
// has none.
type copies struct {
	tiers  []tierCopies
	byKey  map[blockKey]*blockCopy
	unsent []*blockCopy  // whose blocks are filled by the step under way
	now    units.Seconds // of the plan that looks for some
}

// tierCopies is one tier's copies, the least recently used first.
type tierCopies struct {
	blocks int // that it has room for
	order  *list.List
}

// blockCopy is a block in a tier.
type blockCopy struct {
	key     blockKey
	tier    int           // index of its tier
	ready   units.Seconds // when it has arrived
	moved   bool          // by the step that fills the block
	element *list.Element // of the tier's order
}

func newCopies(tiers []Tier) *copies {
	if len(tiers) == 0 {
		return nil
	}
	c := &copies{byKey: map[blockKey]*blockCopy{}}
	for _, t := range tiers {
		c.tiers = append(c.tiers, tierCopies{t.Blocks, list.New()})
	}
	return c
}

// find is the index of the tier that has a copy of the block, -1 when none has.
func (c *copies) find(key blockKey) int {
	if c == nil {
		return -1
	}
	if b, ok := c.byKey[key]; ok && b.ready <= c.now {
		return b.tier
	}
	return -1
}

// waiting is the number of copies that are to be sent.
func (c *copies) waiting() int {
	if c == nil {
		return 0
	}
	return len(c.unsent)
}

// use notes that a block was used, of which there may be a copy: it is then the last
// to leave its tier.
func (c *copies) use(key blockKey) {
	if c == nil {
		return
	}
	if b, ok := c.byKey[key]; ok {
		c.tiers[b.tier].order.MoveToBack(b.element)
	}
}

// add makes a copy of a block that the step under way fills, in the first tier; one that
// exists stays where it is. Some are moved there by the step itself.
func (c *copies) add(key blockKey, moved bool) {
	if c == nil {
		return
	}
	if b := c.insert(key); b != nil {
		b.moved = moved
		c.unsent = append(c.unsent, b)
	}
}

// insert makes a copy of a block in the first tier, which has not arrived yet; nil where there is one.
func (c *copies) insert(key blockKey) *blockCopy {
	if _, ok := c.byKey[key]; ok {
		c.use(key)
		return nil
	}
	b := &blockCopy{key: key, ready: forever}
	c.byKey[key] = b
	b.element = c.tiers[0].order.PushBack(b)
	c.overflow(0)
	return b
}

// remove forgets copies that do not come.
func (c *copies) remove(copies []*blockCopy) {
	for _, b := range c.kept(copies) {
		delete(c.byKey, b.key)
		c.tiers[b.tier].order.Remove(b.element)
	}
}

// kept are those of some copies for which there is still room.
func (c *copies) kept(copies []*blockCopy) []*blockCopy {
	return slices.DeleteFunc(copies, func(b *blockCopy) bool { return c.byKey[b.key] != b })
}

// limit changes the number of blocks that the first tier has for copies: what parked
// sequences leave of it.
func (c *copies) limit(blocks int) {
	if c != nil {
		c.tiers[0].blocks = blocks
		c.overflow(0)
	}
}

// overflow moves the copies for which a tier, or one behind it, has no room to the
// next one, the least recently used first. Behind the last tier they are lost.
func (c *copies) overflow(tier int) {
	for ; tier < len(c.tiers); tier++ {
		t := &c.tiers[tier]
		for t.order.Len() > t.blocks {
			b := t.order.Remove(t.order.Front()).(*blockCopy)
			if b.tier++; b.tier == len(c.tiers) {
				delete(c.byKey, b.key)
			} else {
				b.element = c.tiers[b.tier].order.PushBack(b)
			}
		}
	}
}
