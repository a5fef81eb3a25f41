package workloads

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTurnQueue: turns come out by their times, of several at a time that of the conversation which started first, whatever the order in which
// they went in, and whatever went out between.
func TestTurnQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue turnQueue
		var sorted []*conversation
		for number := range rapid.IntRange(1, 60).Draw(t, "operations") {
			if len(sorted) > 0 && rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				if c := queue.pop(); c != sorted[0] {
					t.Fatalf("turn %+v comes first, want %+v", c, sorted[0])
				}
				sorted = sorted[1:]
				continue
			}
			c := &conversation{number: -number, at: float64(rapid.IntRange(0, 5).Draw(t, "at"))}
			queue.push(c)
			sorted = append(sorted, c)
			slices.SortFunc(sorted, func(a, b *conversation) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number)) })
		}
		if len(queue) != len(sorted) || len(sorted) > 0 && queue[0].conversation != sorted[0] {
			t.Fatalf("%d turns are left, want %d", len(queue), len(sorted))
		}
	})
}
