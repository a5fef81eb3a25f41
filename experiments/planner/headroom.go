package planner

import (
	"context"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
)

const (
	// roomy is of how many of the cheapest answers the headroom is found out.
	roomy = 3

	// mostRoom is the demand, as a multiple of the planned one, up to which the headroom is looked for.
	mostRoom = 4

	// roomTolerance is how close in the demand what is met comes to what is missed.
	roomTolerance = 1.04
)

// findHeadroom finds of the cheapest answers by how much the demand may grow before their units miss the target. A trace has one demand.
func (p *planner) findHeadroom(ctx context.Context) error {
	for done, i := range p.Shard.order(min(roomy, len(p.found))) {
		p.tell(Progress{Stage: FindingRooms, Done: done, Total: min(roomy, len(p.found))})
		s := &p.found[i]
		if load, _ := s.Unit.Traffic.Load(); s.Unit.Traffic.TraceTimes() || load == 0 {
			return nil
		}
		room, err := p.headroom(ctx, s)
		if err != nil {
			return err
		}
		s.option.Headroom = room
	}
	return nil
}

// headroom is the demand that the units of an answer bear, as a multiple of the planned one, and the least
// more that they do not: by steps that grow, and then by bisection.
func (p *planner) headroom(ctx context.Context, found *sized) (*results.Headroom, error) {
	room := &results.Headroom{Met: 1}
	for step := 1; room.Missed == 0 || room.Missed > room.Met*roomTolerance; step++ {
		factor := math.Sqrt(room.Met * room.Missed)
		if room.Missed == 0 {
			factor = min(room.Met*(1+0.05*float64(step)*float64(step)), mostRoom)
		}
		there := found.at(factor)
		if factor = multiple(there, found.Candidate); room.Missed > 0 && factor >= room.Missed {
			return room, nil // there is no client, or user, between them
		}
		length := p.lengthOf(found.place, factor)
		ask := search.Ask{Target: p.Target, Length: length, Allowed: doublings * length}
		j, err := p.judges(ctx, there, found.option.Units, ask)
		switch {
		case err != nil:
			return nil, err
		case !j.Meets(p.Target):
			room.Missed = factor
		case factor >= mostRoom:
			return &results.Headroom{Met: factor}, nil
		default:
			room.Met = factor
		}
	}
	return room, nil
}

// multiple is the load of a candidate over that of another one.
func multiple(c, of *Candidate) float64 {
	load, _ := c.Unit.Traffic.Load()
	base, _ := of.Unit.Traffic.Load()
	return load / base
}

// at is the candidate under a multiple of the demand.
func (c *Candidate) at(factor float64) *Candidate {
	there := *c
	there.Unit.Traffic = c.Unit.Traffic.Scaled(factor)
	return &there
}

// lengthOf is how many requests the runs of a candidate have at first, under a multiple of the demand.
func (p *planner) lengthOf(place int, factor float64) int {
	return max(search.FirstRequests, int(fillings*factor*p.pilots[place].together()))
}
