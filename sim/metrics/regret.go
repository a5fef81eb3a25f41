package metrics

import "kneepoint/units"

// Hindsight is how long a request took at the replica to which it was sent, from its arrival to its last
// token, and how long it would have taken at whichever of those that could have had it would have
// served it first. All others are routed as before, by what the router sees then.
type Hindsight struct {
	Chosen units.Seconds
	Best   units.Seconds // not more
}

// noRegret is the share of a latency up to which a difference is one of rounding.
const noRegret = 1e-6

// SetRegret stores what some requests lost since they were not sent to another replica, or nothing where
// there are none.
func (v Values) SetRegret(requests []Hindsight) {
	var regret, latency units.Seconds
	without := 0
	for _, r := range requests {
		lost := r.Chosen - r.Best
		if lost <= noRegret*r.Chosen {
			without++
		}
		regret += lost
		latency += r.Chosen
	}
	n := float64(len(requests))
	v.Set(MeanRegret, 1e3*float64(regret)/n)
	v.Set(RegretShare, float64(regret/latency))
	v.Set(NoRegret, float64(without)/n)
}
