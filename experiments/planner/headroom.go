package planner

import (
	"context"
	"math"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
)

const (
	// roomy is of how many of the cheapest answers the headroom is found out.
	roomy = 3

	// mostRoom is the demand, as a multiple of the planned one, up to which the headroom is looked for.
	mostRoom = 4

	// mostlyMet is the attainment from which on it tells how long misses last: below it, how long they are interrupted.
	mostlyMet = 0.5

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

// headroom is the demand that the units of an answer are shown to bear, as a multiple of the planned one, and the least more that they are
// shown not to: by steps that grow, and then by bisection. What lies between them is not told.
func (p *planner) headroom(ctx context.Context, found *sized) (*results.Headroom, error) {
	r := room{met: 1, unmissed: 1}
	for step := 1; ; step++ {
		between := r.apart()
		if r.missed > 0 && between == nil {
			return &results.Headroom{Met: r.met, Missed: r.missed}, nil
		}
		factor := min(r.unmissed*(1+0.05*float64(step)*float64(step)), mostRoom)
		if between != nil {
			factor = math.Sqrt(between[0] * between[1])
		}
		there := found.at(factor)
		if factor = multiple(there, found.Candidate); between != nil && (factor <= between[0] || factor >= between[1]) {
			r.whole = append(r.whole, *between) // there is no client, or user, between them
			continue
		}
		ask := p.ask(p.lengthOf(found.place, factor))
		ask.Lasting = r.lasting
		j, err := p.judges(ctx, there, found.option.Units, ask)
		if err != nil {
			return nil, err
		}
		if r.note(factor, j, p.Target); r.missed == 0 && factor >= mostRoom {
			return &results.Headroom{Met: r.met}, nil
		}
	}
}

// room is what is known of the multiples of a demand: the largest that is shown to meet the target and the least above it that is not, the
// least that is shown to miss it and the largest below it that is not; 0 where there is none yet.
type room struct {
	met, unmet, unmissed, missed float64
	lasting                      float64      // correlation of misses at the last of them, than which they last no longer below it
	whole                        [][2]float64 // between which there is none
}

// note is what a judgement of a multiple adds. Before one is shown to miss the target it is not known how long misses last, and what is
// not clear is looked at again.
func (r *room) note(factor float64, j *results.Judgement, target float64) {
	shown, missed := j.Clear(target) && j.Meets(target), j.Clear(target) && !j.Meets(target)
	if missed {
		r.missed = factor
	} else {
		r.unmissed = max(r.unmissed, factor)
	}
	if missed && j.Attainment > mostlyMet {
		r.lasting = j.Lasting
	}
	switch below := r.unmet == 0 || factor < r.unmet; {
	case shown && below:
		r.met = factor
	case r.missed > 0 && below:
		r.unmet = factor
	}
}

// apart is one of the two pairs between which a multiple is to be looked at, since they are not near each other; nil where both are, or
// a larger multiple is to be looked at first.
func (r *room) apart() *[2]float64 {
	if r.missed == 0 {
		return nil
	}
	for _, pair := range [][2]float64{{r.unmissed, r.missed}, {r.met, r.unmet}} {
		if pair[1] > pair[0]*roomTolerance && !slices.Contains(r.whole, pair) {
			return &pair
		}
	}
	return nil
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
