package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBlockIndexIsAMap: blocks are found as in a map by their content, in whatever order spans of them come and go, and get shorter or longer.
func TestBlockIndexIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, want := &blockIndex{}, map[blockKey]*span{}
		ids, indexes := rapid.SampledFrom([]int{1, -7, 1 << 40}), rapid.IntRange(0, 9)
		for range rapid.IntRange(1, 100).Draw(t, "operations") {
			key := blockKey{ids.Draw(t, "id"), indexes.Draw(t, "index")}
			found := index.find(key)
			if found != want[key] {
				t.Fatalf("%v is found as %p, want %p", key, found, want[key])
			}
			switch what := rapid.SampledFrom([]string{"forget", "cut off", "go on", "replace"}).Draw(t, "what"); {
			case found == nil:
				want[key] = &span{id: key.id, from: key.index, to: key.index + 1}
				index.put(want[key])
			case what == "forget":
				for i := found.from; i < found.to; i++ {
					delete(want, found.key(i))
				}
				index.remove(found)
			case what == "cut off":
				if found.to--; found.len() == 0 {
					if !found.named.has(found) {
						t.Fatalf("a span that lost its last block %v is not there", key)
					}
					index.remove(found)
				}
				delete(want, found.key(found.to))
			case what == "go on":
				before, end := found.to, found.to+3
				for found.to = found.named.behind(found, end); before < found.to; before++ {
					want[found.key(before)] = found
				}
				if want[found.key(before)] == nil && before < end {
					t.Fatalf("a span that might go on up to block %d goes on up to %d", end, before)
				}
			default:
				other := *found
				index.put(&other)
				for i := other.from; i < other.to; i++ {
					want[other.key(i)] = &other
				}
			}
		}
	})
}
