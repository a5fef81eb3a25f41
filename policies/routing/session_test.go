package routing

import (
	"slices"
	"testing"
)

const sessions = 20000

// homes are the numbers of the replicas of so many conversations.
func homes(s *Session, f fleet) []int {
	of := make([]int, sessions)
	for i := range of {
		of[i] = f[s.Route(&Request{Session: i}, f)].number
	}
	return of
}

func TestSession(t *testing.T) {
	s, f := &Session{Salt: 1}, alike(10)
	before := homes(s, f)
	perReplica := make([]int, len(f))
	for _, home := range before {
		perReplica[home]++
	}
	expectShares(t, perReplica, even(len(f)))

	if !slices.Equal(before, homes(s, fleet{f[3], f[9], f[0], f[1], f[2], f[8], f[7], f[6], f[5], f[4]})) {
		t.Error("conversations move with the order of the replicas")
	}
	for i, home := range homes(s, slices.Delete(slices.Clone(f), 4, 5)) {
		if before[i] != 4 && home != before[i] {
			t.Fatalf("conversation %d moves from %d to %d as 4 goes", i, before[i], home)
		}
	}
	moved := []int{0, 0} // those that stay, those that move
	for i, home := range homes(s, append(slices.Clone(f), &replica{number: 77})) {
		if home != before[i] && home != 77 {
			t.Fatalf("conversation %d moves from %d to %d as 77 comes", i, before[i], home)
		}
		if home == 77 {
			moved[1]++
		} else {
			moved[0]++
		}
	}
	expectShares(t, moved, []float64{10, 1})
}

// TestSessionSalted: which conversations share a replica is another draw in each run.
func TestSessionSalted(t *testing.T) {
	f := alike(10)
	a, b := homes(&Session{Salt: 1}, f), homes(&Session{Salt: 2}, f)
	same := []int{0, 0}
	for i := range a {
		if a[i] == b[i] {
			same[1]++
		} else {
			same[0]++
		}
	}
	expectShares(t, same, []float64{9, 1})
}

func TestSessionWithout(t *testing.T) {
	s := &Session{Otherwise: &LeastRequests{Random: seeded(1)}}
	expectShares(t, counts(s, loads(3, 1, 4), 100), []float64{0, 1, 0})
}
