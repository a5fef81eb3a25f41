package sim

import (
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestAgendaFindsTheNext: whatever the times and however replicas are added, the next one is
// what a search finds, of several at the same time the one of the lowest number.
func TestAgendaFindsTheNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		var due []units.Seconds
		if a.next() != forever {
			t.Fatalf("without replicas: %v", a.next())
		}
		for range rapid.IntRange(1, 200).Draw(t, "actions") {
			if len(due) == 0 || rapid.IntRange(0, 4).Draw(t, "add") == 0 {
				a.add()
				due = append(due, forever)
			}
			replica := rapid.IntRange(0, len(due)-1).Draw(t, "replica")
			due[replica] = units.Seconds(rapid.SampledFrom([]float64{0, 1, 1, 2, 3, float64(forever)}).Draw(t, "at"))
			a.set(replica, due[replica])
			first := 0
			for i := range due {
				if due[i] < due[first] {
					first = i
				}
			}
			if a.first() != first || a.next() != due[first] {
				t.Fatalf("%v: replica %d next, at %v", due, a.first(), a.next())
			}
		}
	})
}
