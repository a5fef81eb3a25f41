package routing

import "math/rand/v2"

// choice is the replicas of the lowest cost among those that were offered.
type choice struct {
	tied       []int
	cost, then float64
}

// restart forgets what was offered.
func (c *choice) restart() { c.tied = c.tied[:0] }

// offer compares another replica, by its cost and, if that is the same, by a second one.
func (c *choice) offer(index int, cost, then float64) {
	if len(c.tied) > 0 && (cost > c.cost || cost == c.cost && then > c.then) {
		return
	}
	if len(c.tied) > 0 && (cost < c.cost || then < c.then) {
		c.tied = c.tied[:0]
	}
	c.tied = append(c.tied, index)
	c.cost, c.then = cost, then
}

// draw is one of those of the lowest cost, each as likely as the others.
func (c *choice) draw(random *rand.Rand) int {
	if len(c.tied) == 1 {
		return c.tied[0]
	}
	return c.tied[random.IntN(len(c.tied))]
}
