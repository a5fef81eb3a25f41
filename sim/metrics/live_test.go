package metrics

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLiveKeepsWhatIsOpen: in whatever order requests end, those that have not are found,
// in the order of their IDs, and no others.
func TestLiveKeepsWhatIsOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l live
		open := map[int]int32{}
		opened := 0
		for range rapid.IntRange(0, 300).Draw(t, "actions") {
			if ids := slices.Sorted(maps.Keys(open)); len(ids) > 0 && rapid.Bool().Draw(t, "close") {
				id := ids[rapid.IntRange(0, len(ids)-1).Draw(t, "which")]
				l.unshelve(id)
				l.close(id)
				delete(open, id)
			} else if len(ids) > 0 && rapid.Bool().Draw(t, "shelve") {
				id := ids[rapid.IntRange(0, len(ids)-1).Draw(t, "which")]
				l.unshelve(id)
				l.shelve(id)
			} else {
				for range rapid.SampledFrom([]int{1, 1, 1, 40}).Draw(t, "new") {
					l.open(opened, Request{Input: int32(opened), Preemptions: int32(opened % 5 / 4)})
					open[opened] = int32(opened)
					opened++
				}
			}
			var all []int32
			for r := range l.all {
				all = append(all, r.Input)
			}
			if want := slices.Sorted(maps.Values(open)); !slices.Equal(all, want) || l.count != len(want) {
				t.Fatalf("%d: %v, not %v", l.count, all, want)
			}
			if rapid.Bool().Draw(t, "look at none") {
				continue
			}
			for id := range opened {
				l.unshelve(id)
				switch r, there := l.of(id), open[id]; {
				case r == nil && there > 0, r != nil && (r.Input != int32(id) || r.Preemptions != int32(id%5/4)):
					t.Fatalf("request %d: %v", id, r)
				}
			}
		}
	})
}

// TestLiveIsFlat: a long run with a few requests at a time holds a few pages.
func TestLiveIsFlat(t *testing.T) {
	var l live
	for id := range 1_000_000 {
		l.open(id, Request{})
		if id >= 100 {
			l.close(id - 100)
		}
	}
	if len(l.pages) > 8 || cap(l.pages) > 64 || len(l.spare) > 8 {
		t.Errorf("%d pages of %d, %d to spare", len(l.pages), cap(l.pages), len(l.spare))
	}
}
