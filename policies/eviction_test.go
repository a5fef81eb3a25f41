package policies_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
)

// TestEvictionOrders: the block with which two requests began, and three that came
// behind it. Those of which neither goes before the other stay as they were freed.
func TestEvictionOrders(t *testing.T) {
	blocks := []policies.CachedBlock{{Depth: 0, Uses: 2}, {Depth: 1, Uses: 1}, {Depth: 7, Uses: 1}, {Depth: 6, Uses: 1}}
	for _, c := range []struct {
		eviction policies.Eviction
		depths   []int
	}{
		{policies.LRU{}, []int{0, 1, 7, 6}},
		{policies.LFU{}, []int{1, 7, 6, 0}},
		{policies.LengthAware{}, []int{7, 6, 1, 0}},
	} {
		sorted := slices.Clone(blocks)
		slices.SortStableFunc(sorted, func(a, b policies.CachedBlock) int {
			return cmp.Compare(c.eviction.Rank(a), c.eviction.Rank(b))
		})
		var depths []int
		for _, b := range sorted {
			depths = append(depths, b.Depth)
		}
		if !slices.Equal(depths, c.depths) {
			t.Errorf("%T evicts blocks at depths in the order %v, want %v", c.eviction, depths, c.depths)
		}
	}
}

// TestDeeperBlocksGoFirst: of blocks with as many uses, as contexts of many tokens have them, too.
func TestDeeperBlocksGoFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := policies.CachedBlock{Depth: rapid.IntRange(0, 1<<24).Draw(t, "depth"), Uses: rapid.IntRange(1, 1<<24).Draw(t, "uses")}
		b := a
		b.Depth += rapid.IntRange(1, 1<<24).Draw(t, "deeper")
		for _, e := range []policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}} {
			if e.Rank(a) < e.Rank(b) {
				t.Errorf("%T takes %+v before %+v, which is of no use without it", e, a, b)
			}
			if more := (policies.CachedBlock{Depth: b.Depth, Uses: a.Uses + 1}); e.Rank(more) < e.Rank(a) {
				t.Errorf("%T takes %+v, which more have held, before %+v", e, more, a)
			}
		}
	})
}
