package policies_test

import (
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
			switch {
			case c.eviction.Before(&a, &b):
				return -1
			case c.eviction.Before(&b, &a):
				return 1
			}
			return 0
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

// TestEvictionsAreOrders: a strict weak order, on which lines of blocks rely. What goes before a block goes before those
// after it, and what is alike to one of two blocks that are alike is so to the other.
func TestEvictionsAreOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b [3]policies.CachedBlock
		for i := range b {
			b[i] = policies.CachedBlock{Depth: rapid.IntRange(0, 2).Draw(t, "depth"), Uses: rapid.IntRange(1, 3).Draw(t, "uses")}
		}
		for _, e := range []policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}} {
			before := func(i, j int) bool { return e.Before(&b[i], &b[j]) }
			alike := func(i, j int) bool { return !before(i, j) && !before(j, i) }
			if b[0].Uses == b[1].Uses && b[0].Depth < b[1].Depth && before(0, 1) {
				t.Errorf("%T takes %+v before %+v, which is of no use without it", e, b[0], b[1])
			}
			if before(0, 0) || before(0, 1) && before(1, 0) {
				t.Errorf("%T does not order %+v and %+v", e, b[0], b[1])
			}
			if before(0, 1) && before(1, 2) && !before(0, 2) || alike(0, 1) && alike(1, 2) && !alike(0, 2) {
				t.Errorf("%T goes around in %+v", e, b)
			}
		}
	})
}
