package planner

import (
	"math"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
)

// Candidate is a way to serve the demand: units of a number of replicas, as many as it takes.
type Candidate struct {
	Option results.Option // what is known of it without a simulation

	// Unit is one unit under the whole demand.
	Unit scenario.Scenario

	// Price is that of a unit, in whatever is to be least; it is positive.
	Price float64

	// Most is how many units there may be, without spares, and Bound what bounds them; +Inf:
	// nothing does.
	Most  float64
	Bound string
}

// of is a fleet of n units.
func (c *Candidate) of(n int) scenario.Scenario {
	s := c.Unit
	s.Pools = slices.Clone(s.Pools)
	for i := range s.Pools {
		s.Pools[i].Replicas *= n
	}
	return s
}

// affordable is how many units cost no more than a sum, beside spares, as far as there may be so
// many.
func (c *Candidate) affordable(sum float64, spare int) float64 {
	const rounding = 1e-9 // of a price that was multiplied and divided
	return min(math.Floor(sum/c.Price*(1+rounding))-float64(spare), c.Most)
}
