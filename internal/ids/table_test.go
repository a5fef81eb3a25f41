package ids

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// TestTableIsAMap: of IDs that are counted, of hashes and of negative ones, in whatever order they come and go.
func TestTableIsAMap(t *testing.T) {
	all := rapid.OneOf(rapid.IntRange(0, 3*pageSize), rapid.IntRange(far-2, far+2), rapid.IntRange(-3, 3), rapid.Int())
	rapid.Check(t, func(t *rapid.T) {
		var table Table[int]
		want := map[int]int{}
		for range rapid.IntRange(1, 100).Draw(t, "operations") {
			id, value := all.Draw(t, "ID"), rapid.IntRange(0, 3).Draw(t, "value")
			if got := table.At(id); got != want[id] {
				t.Fatalf("ID %d has %d, want %d", id, got, want[id])
			}
			table.Put(id, value)
			if want[id] = value; value == 0 {
				delete(want, id)
			}
		}
		if got := maps.Collect(table.All); !maps.Equal(got, want) {
			t.Errorf("the table has %v, want %v", got, want)
		}
	})
}

// TestPagesComeAndGo: what a table takes depends on the IDs that have a value, and hardly on those that had one.
func TestPagesComeAndGo(t *testing.T) {
	var table Table[int]
	for id := range 100 * pageSize {
		table.Put(id, 1)
		table.Put(id-pageSize, 0)
	}
	pages := 0
	for _, p := range table.pages {
		if p != nil {
			pages++
		}
	}
	if pages != 1 {
		t.Errorf("%d pages are left for %d IDs", pages, pageSize)
	}
	table.Put(-1, 0)
	table.Put(far, 0)
	if table.others != nil {
		t.Error("IDs without a value take memory")
	}
}
