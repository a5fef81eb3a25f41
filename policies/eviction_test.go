package policies_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
)

// TestEvictionOrders: the block with which two requests began, and three that came
// behind it.
func TestEvictionOrders(t *testing.T) {
	blocks := []policies.CachedBlock{
		{Depth: 0, Uses: 2, Freed: 1},
		{Depth: 1, Uses: 1, Freed: 2},
		{Depth: 7, Uses: 1, Freed: 4},
		{Depth: 7, Uses: 1, Freed: 3},
	}
	for _, c := range []struct {
		eviction policies.Eviction
		freed    []int64
	}{
		{policies.LRU{}, []int64{1, 2, 3, 4}},
		{policies.LFU{}, []int64{2, 3, 4, 1}},
		{policies.LengthAware{}, []int64{3, 4, 2, 1}},
	} {
		sorted := slices.Clone(blocks)
		slices.SortFunc(sorted, func(a, b policies.CachedBlock) int {
			if c.eviction.Before(&a, &b) {
				return -1
			}
			return 1
		})
		var freed []int64
		for _, b := range sorted {
			freed = append(freed, b.Freed)
		}
		if !slices.Equal(freed, c.freed) {
			t.Errorf("%T evicts blocks in the order %v, want %v", c.eviction, freed, c.freed)
		}
	}
}

// TestEvictionsAreOrders: of two blocks exactly one goes first, and what goes
// before a block goes before those after it. A heap relies on that.
func TestEvictionsAreOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b [3]policies.CachedBlock
		freed := rapid.Permutation([]int64{1, 2, 3}).Draw(t, "freed")
		for i := range b {
			b[i] = policies.CachedBlock{Depth: rapid.IntRange(0, 2).Draw(t, "depth"), Uses: rapid.IntRange(1, 3).Draw(t, "uses"), Freed: freed[i]}
		}
		for _, e := range []policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}} {
			if e.Before(&b[0], &b[0]) || e.Before(&b[0], &b[1]) == e.Before(&b[1], &b[0]) {
				t.Errorf("%T does not order %+v and %+v", e, b[0], b[1])
			}
			if e.Before(&b[0], &b[1]) && e.Before(&b[1], &b[2]) && !e.Before(&b[0], &b[2]) {
				t.Errorf("%T goes around in %+v", e, b)
			}
		}
	})
}
