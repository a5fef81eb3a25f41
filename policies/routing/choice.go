package routing

import "math/rand/v2"

// choice is the replica of the lowest cost among those that were offered, of several
// any one of them, each as likely as the others: of n that tie the last one offered
// replaces the chosen one with probability 1/n.
type choice struct {
	index      int
	ties       int // replicas of its cost; 0: none was offered
	cost, then float64
}

// offer compares another replica, by its cost and, if it is the same, by a second one.
func (c *choice) offer(random *rand.Rand, index int, cost, then float64) {
	switch {
	case c.ties == 0 || cost < c.cost || cost == c.cost && then < c.then:
		*c = choice{index: index, ties: 1, cost: cost, then: then}
	case cost == c.cost && then == c.then:
		c.ties++
		if random.IntN(c.ties) == 0 {
			c.index = index
		}
	}
}
