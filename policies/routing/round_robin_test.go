package routing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRoundRobin(t *testing.T) {
	r, f := &RoundRobin{}, alike(3)
	var got []int
	route := func(n int) {
		for range n {
			got = append(got, f[r.Route(&Request{}, f)].number)
		}
	}
	route(5) // 0 1 2 0 1
	f = fleet{f[0], f[2], {number: 3}, {number: 4}}
	route(6)               // those that stay first, from where the round was; then those that come, in their order
	f = fleet{f[2], f[1]}  // two go, and the others change their places
	route(3)               // the round was behind 0 2
	f = fleet{{number: 5}} // all go
	route(2)               // nobody is left of the round
	f = fleet{{number: 6}} // one for one: noticed at the turn
	route(2)               // of the one that is gone
	want := []int{0, 1, 2, 0, 1, 2, 0, 3, 4, 2, 0, 3, 2, 3, 5, 5, 6, 6}
	if !slices.Equal(got, want) {
		t.Errorf("to %v, want %v", got, want)
	}
}

// TestRoundRobinFair: between two turns of a replica, each that has had one before and is
// there all the while has one, whoever else comes and goes and wherever it stands in
// the list. One that comes has its first turn within two rounds.
func TestRoundRobinFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, c := &RoundRobin{}, crowd{fleet: alike(rapid.IntRange(1, 6).Draw(t, "replicas"))}
		came, last := map[int]int{}, map[int]int{} // by number: when it was seen first, and had its last turn
		for now := 1; now <= 60; now++ {
			c.change(t)
			for _, x := range c.away {
				delete(came, x.number)
				delete(last, x.number)
			}
			for _, x := range c.fleet {
				if came[x.number] == 0 {
					came[x.number] = now
				}
				if waits := now - max(came[x.number], last[x.number]); waits > 2*mostReplicas {
					t.Fatalf("replica %d has had no turn for %d requests", x.number, waits)
				}
			}
			chosen := c.fleet[r.Route(&Request{}, c)].number
			for _, x := range c.fleet {
				if last[x.number] != 0 && last[x.number] < last[chosen] {
					t.Fatalf("replica %d has two turns while %d waits for one", chosen, x.number)
				}
			}
			last[chosen] = now
		}
	})
}

const mostReplicas = 8

// change lets replicas come and go, and stand elsewhere in the list. Some of those that
// come have been there before.
func (c *crowd) change(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "changes") > 0 {
		return
	}
	c.fleet = slices.Clone(c.fleet)
	if len(c.fleet) > 1 && rapid.Bool().Draw(t, "one goes") {
		i := rapid.IntRange(0, len(c.fleet)-1).Draw(t, "which")
		c.away = append(c.away, c.fleet[i])
		c.fleet = slices.Delete(c.fleet, i, i+1)
	}
	if len(c.fleet) < mostReplicas && rapid.Bool().Draw(t, "one comes") {
		if i := rapid.IntRange(-1, len(c.away)-1).Draw(t, "again"); i >= 0 {
			c.fleet = append(c.fleet, c.away[i])
			c.away = slices.Delete(c.away, i, i+1)
		} else {
			c.fleet = append(c.fleet, &replica{number: len(c.fleet) + len(c.away), weight: 1, View: View{TotalBlocks: 10, FreeBlocks: 10}})
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "shuffled") == 0 {
		c.fleet = rapid.Permutation(c.fleet).Draw(t, "order")
	}
}

// crowd is a fleet whose replicas come and go.
type crowd struct {
	fleet
	away fleet
}
