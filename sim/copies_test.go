package sim

import (
	"testing"

	"kneepoint/policies"
)

// TestUsedBlocksKeepTheirCopies: a block that is used again and again, without
// being read from below, is not the one whose copy has to go.
func TestUsedBlocksKeepTheirCopies(t *testing.T) {
	p := newMemory(&Pool{Blocks: 10, BlockSize: 1, Eviction: policies.LRU{}, Tiers: []Tier{{Blocks: 2}}})
	p.allocate(4)
	var first chain
	p.publish(&first, 1, 1, 0)
	for id := 2; id <= 4; id++ {
		p.share(first.end(), &chain{})
		p.publish(&chain{}, id, 1, 0)
	}
	p.setTime(forever)
	for id, tier := range map[int]int{1: 0, 2: -1, 3: -1, 4: 0} {
		if got := p.copies.find(blockKey{id, 0}); got != tier {
			t.Errorf("the copy of block %d is in tier %d, want %d", id, got, tier)
		}
	}
}
