package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBlockIndexIsAMap: blocks are found as in a map by their content, in whatever order they come and go.
func TestBlockIndexIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, want := newBlockIndex(), map[blockKey]*span{}
		ids, indexes := rapid.SampledFrom([]int{1, -7, 1 << 40}), rapid.IntRange(0, 9)
		for range rapid.IntRange(1, 100).Draw(t, "operations") {
			key := blockKey{ids.Draw(t, "id"), indexes.Draw(t, "index")}
			if found := index.find(key); found != want[key] {
				t.Fatalf("%v is found as %p, want %p", key, found, want[key])
			}
			if want[key] != nil && rapid.Bool().Draw(t, "remove") {
				index.remove(want[key], key.index, 1)
				delete(want, key)
			} else {
				want[key] = &span{id: key.id, from: key.index, to: key.index + 1}
				index.put(want[key], key.index)
			}
		}
	})
}
