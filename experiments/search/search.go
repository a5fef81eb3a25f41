package search

import (
	"context"
	"math"

	"kneepoint/experiments/results"
)

// Question is what is searched for: the largest load at which a share of the requests
// meets the objective.
type Question struct {
	Target float64 // share of the requests

	// Met and Missed are loads that are thought to meet the target and to miss it, from
	// which the search starts; they may be equal, and wrong.
	Met, Missed float64

	// Least and Most are where the search ends: what meets the target at Most, or misses it
	// at Least, is not searched beyond. 0: nowhere.
	Least, Most float64

	Basis results.Basis
	Whole bool // loads are whole numbers: clients or users

	// Length is how many requests each run of the pilot has at first, and in a search over
	// a horizon about how many every run has.
	Length int
}

// Limits say how close a search comes and what it may cost.
type Limits struct {
	Tolerance float64 // share of the load that half the interval should be
	Requests  int     // simulated at most, about
}

// What a search does that is not told otherwise.
const (
	Tolerance     = 0.02
	MostRequests  = 1_000_000
	FirstRequests = 1000 // in each run of a steady state
)

const (
	pilotReplications = 10
	replications      = 20 // of the probes, over a horizon at least
	mostReplications  = 200

	// firstReplication is that of the pilot: none of an experiment's own runs has its random
	// numbers. Each later set of runs begins replicationSet further on.
	firstReplication = 1 << 20
	replicationSet   = 1 << 10

	// farthest is how often the load is doubled or halved to find a bracket.
	farthest = 12
)

// sampler simulates replications first to first+count-1 at a load.
type sampler func(ctx context.Context, load float64, requests, first, count int) ([]sample, error)

// searcher is a search under way.
type searcher struct {
	Question
	Limits
	sample sampler

	requests int    // of each run
	looks    []look // of the pilot, at each load the longest
	overload bool   // a load met the target and was missed for its backlog alone
	found    results.Searched
}

// find carries out a search.
func find(ctx context.Context, q Question, limits Limits, sample sampler) (results.Searched, error) {
	s := &searcher{Question: q, Limits: limits, sample: sample, requests: q.Length}
	s.found.Basis, s.found.Target = q.Basis, q.Target
	bracketed, err := s.bracket(ctx)
	if err != nil || !bracketed {
		return s.found, err
	}
	centre, err := s.bisect(ctx)
	if err != nil || s.overload {
		return s.found, err
	}
	return s.found, s.probe(ctx, centre)
}

// observe simulates replications of the present length at a load.
func (s *searcher) observe(ctx context.Context, load float64, first, count int) ([]sample, error) {
	runs, err := s.sample(ctx, load, s.requests, first, count)
	for i := range runs {
		s.found.Requests += len(runs[i].attained)
	}
	s.found.Runs += len(runs)
	return runs, err
}

func (s *searcher) steady() bool { return s.Basis == results.SteadyState }

// near is a load next to another one, times a factor: where loads are whole numbers at
// least one away, and at least 1.
func (s *searcher) near(load, factor float64) float64 {
	next := load * factor
	if !s.Whole {
		return next
	}
	next = math.Round(next)
	if next == load && factor != 1 {
		next += math.Copysign(1, factor-1)
	}
	return max(next, 1)
}
