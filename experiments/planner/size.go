package planner

import (
	"cmp"
	"context"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/search"
)

// sizing is the search for the least number of units of a candidate that meet the target, one
// look at a time.
//
// Attainment grows with the number of units, so that the search may bisect: the demand is the
// same, and its requests are. What it finds must hold for longer runs: they start empty, and
// one that is nearly overloaded looks well for a while.
type sizing struct {
	*planner
	*Candidate
	place     int
	thought   float64 // units that the pilot thinks it takes
	enough    float64 // units beyond which more change nothing
	length    int     // of runs, in requests
	confirmed bool    // runs are long enough
	looks     int
	steps     int // looks at runs of this length
	next      int // number that is looked at next
	doubted   int // one that seems to miss the target, and is looked at again before it does; 0: none
	judged    map[int]*results.Judgement
	missed    int // the largest number that missed the target; 0: none has, none at all do
	met       int // the least number that met it; 0: none has
	firm      int // the one that met it last in runs that are long enough
}

// newSizing starts where the pilot thinks the number to be.
func (p *planner) newSizing(c *Candidate, place int) *sizing {
	pilot := &p.pilots[place]
	s := &sizing{planner: p, Candidate: c, place: place, thought: pilot.units(), enough: pilot.enough(),
		judged: map[int]*results.Judgement{}, length: p.lengthOf(place, 1)}
	s.next = int(max(1, min(s.thought, s.enough, c.Most)))
	return s
}

// promise is what the candidate costs if the next look is right: before the first one with the pilot's
// doubts.
func (s *sizing) promise() float64 {
	price := s.Price * float64(s.next+s.Spare)
	if s.looks == 0 {
		price *= s.pilots[s.place].idleness(s.Target)
	}
	return price
}

// look judges the next number, of at most so many, and chooses the one after it. It is true when
// the least number is found.
func (s *sizing) look(ctx context.Context, most float64) (found bool, err error) {
	s.next = s.aim(most)
	if err := s.judge(ctx, s.next); err != nil {
		return false, err
	}
	s.looks++
	if s.steps++; s.doubted > 0 {
		return false, nil
	}
	if s.met == s.missed+1 {
		if s.firm == s.met {
			return true, nil
		}
		s.lengthen()
		return false, nil
	}
	s.next = s.between(s.choose())
	return false, nil
}

// aim is the number that is looked at next, of at most so many.
func (s *sizing) aim(most float64) int {
	if s.beyond(most) {
		return int(most)
	}
	return s.next
}

// beyond tells whether the most units are to be looked at next: a candidate that cannot win is out
// by that one look.
func (s *sizing) beyond(most float64) bool {
	if s.met > 0 {
		return most < float64(s.met)
	}
	return most < doubtful*max(float64(s.next), s.thought)
}

// doubtful is how far above the next number the most units may be for the look to be at these.
const doubtful = 1.5

// lengthen forgets the number that was found, which is looked at again in longer runs.
// From then on all runs are as long, and need not be confirmed.
func (s *sizing) lengthen() {
	s.confirmed, s.next, s.met, s.length, s.steps = true, s.met, 0, longer*s.length, 0
}

// choose is a number between those that missed the target and met it; beyond them where there are
// none.
func (s *sizing) choose() int {
	switch {
	case s.met == 0:
		return int(min(math.Ceil(float64(s.missed)*stride(s.steps)), s.enough, s.Most))
	case s.missed == 0:
		return int(float64(s.met) / stride(s.steps))
	}
	return int(math.Sqrt(float64(s.met) * float64(s.missed)))
}

// stride is by how much a step of the search for a bracket changes the number: little at first,
// since it starts where the answer is thought to be.
func stride(step int) float64 { return math.Pow(2, min(1, 0.25*float64(step))) }

// between is a number that is not judged yet.
func (s *sizing) between(n int) int {
	n = max(n, s.missed+1)
	if s.met > 0 {
		n = min(n, s.met-1)
	}
	return n
}

// judge looks at a number of units. Before runs are as long as those that confirm, the mean decides, and what seems not to be enough is
// as doubtful as what seems to be.
func (s *sizing) judge(ctx context.Context, n int) error {
	ask := s.ask(n)
	j, err := s.judges(ctx, s.Candidate, n, ask)
	if err != nil {
		return err
	}
	s.judged[n], s.doubted = j, 0
	switch {
	case ask.Tentative && j.Meets(s.Target):
		s.met = n
	case ask.Tentative && !j.Clear(s.Target):
		s.doubted, s.next = n, n
	case s.suffices(j, s.Target):
		s.met, s.firm = n, n
	default:
		s.missed = n
	}
	return nil
}

// ask is what is asked of a number of units: misses last no longer than those of fewer, of which the nearest that missed the target
// tell most. Where these are not settled, it takes as many requests to tell that more are enough.
func (s *sizing) ask(n int) search.Ask {
	ask := s.planner.ask(s.length)
	if ask.Tentative = !s.confirmed && n != s.doubted; n == s.doubted {
		ask = s.planner.ask(longer * s.length)
	}
	if fewer := s.judged[s.missed]; fewer != nil && s.missed < n {
		ask.Lasting = fewer.Lasting
		if !fewer.Clear(s.Target) {
			ask.Least = fewer.Requests
		}
	}
	return ask
}

// ask is what is asked of units in runs of a length at first.
func (p *planner) ask(length int) search.Ask {
	return search.Ask{Target: p.Target, Length: length, Allowed: max(cmp.Or(p.Allowed, mostRequests), doublings*length)}
}

// judgeUnits looks at a number of units of a candidate.
func (p *planner) judgeUnits(ctx context.Context, c *Candidate, n int, ask search.Ask) (*results.Judgement, error) {
	j, kept, err := runner.Keep(p.Store, p.judgementKey(c, n, ask), func() (results.Judgement, error) {
		o := p.searching()
		o.Done = func(runs int) { p.tellLook(c, n, runs) }
		return search.Judge(ctx, c.of(n), ask, o)
	})
	p.runs, p.requests = p.runs+j.Runs, p.requests+j.Requests
	if !kept {
		p.simulated++
	}
	return &j, err
}

// judgementKey is the key under which it is kept what judgeUnits finds.
func (p *planner) judgementKey(c *Candidate, n int, ask search.Ask) string {
	fleet := c.of(n)
	return runner.Key("judgement", search.Revision, fleet.Key(), ask)
}

const (
	// mostRequests is how many are simulated at most to tell whether a fleet is enough, unless
	// they are too few for runs that can be doubled once.
	mostRequests = 100_000
	doublings    = 30

	// fillings is how many times as many requests a run has at least as are in service at once, in a fleet that is enough:
	// twice the warm-up that a look leaves out for filling, and the end that nobody follows.
	fillings = 12

	// longer is how many times as long as the runs that found a number are those that confirm it.
	longer = 8
)
