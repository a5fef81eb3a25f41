package planner

import (
	"math/rand/v2"
	"slices"
)

// Shard is one of several processes that make the same plan at the same time and share a store: the Index-th of them, from 1 on. Each
// does what no other one is at, and finds in the store what the others have found, so that in the end every one has
// the whole plan. Nobody waits: one that is alone, or is left alone, makes the whole plan. What is found does not depend on it. The zero
// Shard is alone.
type Shard struct{ Index, Of int }

// order is the order in which n tasks are done that do not depend on each other: every Of-th first, which are the shard's own.
// Those of the others come shuffled: where they are not done yet, no two shards begin with the same.
func (s Shard) order(n int) []int {
	var own, others []int
	for i := range n {
		if s.Of < 2 || i%s.Of == s.Index-1 {
			own = append(own, i)
		} else {
			others = append(others, i)
		}
	}
	rand.New(rand.NewPCG(uint64(s.Index), uint64(s.Of))).Shuffle(len(others), func(a, b int) { others[a], others[b] = others[b], others[a] })
	return slices.Concat(own, others)
}
