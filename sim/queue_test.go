package sim

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/units"
)

// TestQueueIsSorted compares the queue with a sorted list: at any time, however
// far a policy has looked, requests are in order of rank and then of arrival, behind
// those that were put at the front.
func TestQueueIsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var want []*policies.Sequence
		for id := range rapid.IntRange(1, 80).Draw(t, "events") {
			switch event := rapid.IntRange(0, 5).Draw(t, "event"); {
			case event == 0 && len(want) > 0:
				q.At(0)
				if got := q.popFront(); got != want[0] {
					t.Fatalf("request %d is first, want %d", got.ID, want[0].ID)
				}
				want = want[1:]
			case event == 1:
				s := &policies.Sequence{ID: id, Rank: math.Inf(-1)}
				q.pushFront(s)
				want = slices.Insert(want, 0, s)
			default:
				s := &policies.Sequence{ID: id, Rank: float64(rapid.IntRange(0, 4).Draw(t, "rank")),
					Arrival: units.Seconds(id / 4)}
				if event == 2 { // one that was preempted
					s.Arrival = units.Seconds(rapid.IntRange(0, id/4).Draw(t, "arrival"))
				}
				q.insert(s)
				want = append(want, s)
				slices.SortStableFunc(want, func(a, b *policies.Sequence) int {
					return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Arrival, b.Arrival))
				})
			}
			if q.Len() != len(want) {
				t.Fatalf("%d requests wait, want %d", q.Len(), len(want))
			}
			for i := range rapid.IntRange(0, len(want)).Draw(t, "looks") {
				if got := q.At(i); got != want[i] {
					t.Fatalf("request %d is at %d, want %d", got.ID, i, want[i].ID)
				}
			}
		}
	})
}

// TestIDsAreUsedAgain: a replica names no more sequences than it ever has at once.
func TestIDsAreUsedAgain(t *testing.T) {
	traffic := &scripted{}
	for i := range 100 {
		traffic.add(units.Seconds(10*(i/2)), 3, 2)
	}
	for _, reference := range []bool{false, true} {
		config := written(traffic.again(), 100, continuous(8, 100)())
		config.Reference = reference
		f := newFleet(context.Background(), &config)
		if _, err := f.run(); err != nil {
			t.Fatal(err)
		}
		if n := len(f.replicas[0].sequences.all); n != 2 {
			t.Errorf("two at a time have %d IDs", n)
		}
	}
}
