package sim

import "container/list"

// lower is the copies of cached blocks in the tiers below, made when a block is
// cached and kept when its place in the accelerators' memory is taken: in each
// tier those that were used last, and what a tier has no room for goes to the next
// one. Nil without tiers.
type lower struct {
	tiers  []lowerTier
	copies map[blockKey]*copied
}

// lowerTier is one tier's copies, the least recently used first.
type lowerTier struct {
	blocks int // that it holds
	order  *list.List
}

// copied is a block in a tier.
type copied struct {
	key   blockKey
	tier  int
	place *list.Element // in the tier's order
}

func newLower(tiers []Tier) *lower {
	if len(tiers) == 0 {
		return nil
	}
	l := &lower{copies: map[blockKey]*copied{}}
	for _, t := range tiers {
		l.tiers = append(l.tiers, lowerTier{t.Blocks, list.New()})
	}
	return l
}

// find is the tier that has a copy of the block, -1 when none has.
func (l *lower) find(key blockKey) int {
	if l == nil {
		return -1
	}
	if c, ok := l.copies[key]; ok {
		return c.tier
	}
	return -1
}

// use notes that a block was used, of which there may be a copy.
func (l *lower) use(key blockKey) {
	if l == nil {
		return
	}
	if c, ok := l.copies[key]; ok {
		l.tiers[c.tier].order.MoveToBack(c.place)
	}
}

// add keeps a copy of a block, in the first tier.
func (l *lower) add(key blockKey) {
	if l == nil {
		return
	}
	if _, ok := l.copies[key]; ok {
		l.use(key)
		return
	}
	c := &copied{key: key}
	l.copies[key] = c
	c.place = l.tiers[0].order.PushBack(c)
	l.settle(0)
}

// limit changes the number of blocks that the first tier has for copies.
func (l *lower) limit(blocks int) {
	if l != nil {
		l.tiers[0].blocks = blocks
		l.settle(0)
	}
}

// settle moves what a tier has no room for to the next one.
func (l *lower) settle(tier int) {
	for ; tier < len(l.tiers); tier++ {
		t := &l.tiers[tier]
		for t.order.Len() > t.blocks {
			c := t.order.Remove(t.order.Front()).(*copied)
			if c.tier++; c.tier == len(l.tiers) {
				delete(l.copies, c.key)
			} else {
				c.place = l.tiers[c.tier].order.PushBack(c)
			}
		}
	}
}
