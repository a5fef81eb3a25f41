package planner

import (
	"cmp"
	"context"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/search"
)

// sizing is the search for the least number of units of a candidate that meet the target.
type sizing struct {
	*planner
	candidate *Candidate
	length    int  // of runs, in requests, at first
	confirmed bool // runs are long enough
	judged    map[int]*results.Judgement
	most      float64 // units at which the search ends
	missed    int     // the largest number that missed the target; 0: none has, none at all do
	met       int     // the least number that met it; 0: none has
}

// size finds the least number of units, at most so many, that meet the target, from where the
// pilot thinks it to be. met is 0 where none does.
//
// Attainment grows with the number of units, so that the search may bisect: the demand is the
// same, and its requests are. What it finds must hold for longer runs: they start empty, and
// one that is nearly overloaded looks well for a while.
func (p *planner) size(ctx context.Context, c *Candidate, pilot *pilot, most float64) (*sizing, error) {
	s := &sizing{planner: p, candidate: c, judged: map[int]*results.Judgement{}, most: most,
		length: max(search.FirstRequests, int(fillings*pilot.together()))}
	n := int(max(1, min(pilot.units(), most)))
	if most < pilot.units()*doubtful {
		n = int(most)
	}
	for step := 1; ; step++ {
		if err := s.judge(ctx, n); err != nil {
			return s, err
		}
		if s.met == s.missed+1 {
			if held, err := s.confirm(ctx); held || err != nil {
				return s, err
			}
		}
		switch {
		case s.met == 0 && float64(s.missed) >= s.most:
			return s, nil
		case s.met == 0:
			n = int(min(math.Ceil(float64(s.missed)*stride(step)), s.most))
		case s.missed == 0:
			n = int(float64(s.met) / stride(step))
		default:
			n = int(math.Sqrt(float64(s.met) * float64(s.missed)))
		}
		n = s.between(n)
	}
}

// confirm looks at the number that was found in longer runs, and forgets it where it misses
// the target in these. From then on all runs are as long, and need not be confirmed.
func (s *sizing) confirm(ctx context.Context) (held bool, err error) {
	if s.confirmed {
		return true, nil
	}
	n := s.met
	s.confirmed, s.met, s.length = true, 0, longer*s.length
	err = s.judge(ctx, n)
	return s.met == n, err
}

// doubtful is how far above the estimate the most units may be for the search to begin with
// them: a candidate that cannot win is out by one question.
const doubtful = 1.5

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

// judge looks at a number of units. Where the interval holds the target the mean decides.
func (s *sizing) judge(ctx context.Context, n int) error {
	fleet, allowed := s.candidate.of(n), max(cmp.Or(s.Allowed, mostRequests), doublings*s.length)
	key := runner.Key("judgement", search.Revision, fleet.Key(), s.Target, s.length, allowed)
	j, _, err := runner.Keep(s.Store, key, func() (results.Judgement, error) {
		return search.Judge(ctx, fleet, s.Target, s.length, allowed, s.searching())
	})
	s.runs, s.requests = s.runs+j.Runs, s.requests+j.Requests
	if err != nil {
		return err
	}
	s.judged[n] = &j
	if j.Meets(s.Target) {
		s.met = n
	} else {
		s.missed = n
	}
	return nil
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
