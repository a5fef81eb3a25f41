package search

import (
	"cmp"
	"context"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// Question is what is searched for: the hardest load at which a share of the requests
// meets the objective. The harder of two loads is the larger one, or where they rise the
// smaller one.
type Question struct {
	Target float64 // share of the requests

	// Met and Missed are loads that are thought to meet the target and to miss it, from
	// which the search starts; they may be equal, and wrong.
	Met, Missed float64

	// Easiest and Hardest are where the search ends: what meets the target at the hardest
	// load, or misses it at the easiest, is not searched beyond. 0: nowhere.
	Easiest, Hardest float64

	// Smallest and Largest are the ends of what a load can be. 0: none is known.
	Smallest, Largest float64

	Basis  results.Basis
	Rising bool // more of the load is easier to serve, such as replicas
	Whole  bool // loads are whole numbers: clients, users or replicas

	// Length is how many requests each run of the pilot has at first, and in a search over
	// a horizon about how many every run has.
	Length int
}

// Limits say how close a search comes and what it may cost.
type Limits struct {
	// Tolerance is the share of the load that half the interval should be. 0: whole loads
	// are told from their neighbours.
	Tolerance float64
	Requests  int // simulated at most, about
}

// Revision is raised with every change of what a search finds, or of how a Finding is kept.
const Revision = 20

// What a search does that is not told otherwise.
const (
	Tolerance     = 0.02
	MostRequests  = 1_000_000
	FirstRequests = 1000 // in each run of a steady state
)

const (
	fewReplications  = 8  // of the probes at each load, where these are as long as their correlation asks for
	replications     = 20 // else, over a horizon at least
	mostReplications = 200

	// firstReplication is that of the pilot: none of an experiment's own runs has its random
	// numbers. Each later set of runs begins replicationSet further on.
	firstReplication = 1 << 20
	replicationSet   = 1 << 10
	probeSet         = replicationSet / probeLoads

	// farthest is how often the load is doubled or halved to find a bracket.
	farthest = 12
)

// Finding is what a search found.
type Finding struct {
	results.Searched

	// Simulated is what was at the probes; without probes at the loads of the bracket, with
	// which the search ended.
	Simulated []Simulated
}

// sampler simulates replications first to first+count-1 at a load.
type sampler func(ctx context.Context, load float64, requests, first, count int) ([]sample, error)

// searcher is a search under way. Its loads are hardships, of which more is harder: those that
// rise are inverted.
type searcher struct {
	Question
	Limits
	sample sampler

	requests int              // of each run
	count    int              // of the probes' replications at each load
	looks    []look           // of the pilot, at each load the longest
	settled  []look           // all of the pilot's whose warm-up ended
	overload bool             // a load met the target and was missed for its backlog alone
	met      float64          // the hardest that met the target below all that missed it; 0: none
	missed   float64          // the easiest of these; 0: none
	doubted  map[float64]bool // of these two, whether its mean decided where the interval did not

	latest map[float64]Simulated // by load, of the last time that it was
	found  results.Searched
}

// find carries out a search.
func find(ctx context.Context, q Question, limits Limits, sample sampler) (Finding, error) {
	s := &searcher{Question: q, Limits: limits, sample: sample, requests: q.Length,
		latest: map[float64]Simulated{}, doubted: map[float64]bool{}}
	s.found.Basis, s.found.Target, s.found.Rising, s.found.Whole = q.Basis, q.Target, q.Rising, q.Whole
	s.bound()
	if q.Whole && q.Rising {
		s.Hardest = cmp.Or(s.Hardest, 1)
	} else if q.Whole {
		s.Easiest = cmp.Or(s.Easiest, 1)
	}
	err := s.search(ctx)
	return s.finding(), err
}

// bound makes hardships of the question's loads, and ends the search where there are no more.
func (s *searcher) bound() {
	for _, load := range []*float64{&s.Question.Met, &s.Question.Missed, &s.Easiest, &s.Hardest, &s.Smallest, &s.Largest} {
		if *load > 0 {
			*load = s.hardship(*load)
		}
	}
	if s.Rising {
		s.Smallest, s.Largest = s.Largest, s.Smallest
	}
	s.Easiest = max(s.Easiest, s.Smallest)
	if s.Largest > 0 {
		s.Hardest = min(cmp.Or(s.Hardest, s.Largest), s.Largest)
	}
}

// possible is the hardship nearest to one that there is.
func (s *searcher) possible(hardship float64) float64 {
	if s.Largest > 0 {
		hardship = min(hardship, s.Largest)
	}
	return max(hardship, s.Smallest)
}

// search brackets the knee, bisects, and probes what is left. Where longer runs put an end of the bracket on the other side of the knee,
// it begins again from there.
func (s *searcher) search(ctx context.Context) error {
	for {
		bracketed, err := s.bracket(ctx)
		if err != nil || !bracketed {
			return err
		}
		centre, err := s.bisect(ctx)
		moved := false
		if err == nil && s.exact() {
			moved, err = s.confirm(ctx)
		}
		switch {
		case err != nil || s.overload || s.exact():
			return err
		case !moved:
			s.found.Limited = s.exacting()
			return s.probe(ctx, centre)
		}
	}
}

// finding is what was found so far, in loads.
func (s *searcher) finding() Finding {
	f := Finding{Searched: s.found}
	f.Met, f.Missed = s.load(s.met), s.load(s.missed)
	at := []float64{f.Met, f.Missed}
	if len(f.Probes) > 0 {
		at = nil
		for _, p := range f.Probes {
			at = append(at, p.Load)
		}
	}
	for _, load := range at {
		if there, ok := s.latest[load]; ok {
			f.Simulated = append(f.Simulated, there)
		}
	}
	return f
}

// observe simulates replications of the present length.
func (s *searcher) observe(ctx context.Context, hardship float64, first, count int) ([]sample, error) {
	load := s.load(hardship)
	runs, err := s.sample(ctx, load, s.requests, first, count)
	made := Simulated{Load: load, First: first, requests: s.requests}
	for i := range runs {
		s.found.Requests += len(runs[i].attained)
		made.Runs = append(made.Runs, runs[i].run)
	}
	s.found.Runs += len(runs)
	if before, ok := s.latest[load]; ok && before.First+len(before.Runs) == first {
		made.First, made.Runs = before.First, append(before.Runs, made.Runs...)
	}
	s.latest[load] = made
	return runs, err
}

func (s *searcher) steady() bool { return s.Basis == results.SteadyState }

// exacting tells whether loads are to be told from their neighbours.
func (s *searcher) exacting() bool { return s.Whole && s.Tolerance == 0 }

// exact tells whether loads next to each other are known to meet and to miss the target.
func (s *searcher) exact() bool {
	return s.exacting() && math.Abs(s.load(s.met)-s.load(s.missed)) == 1 && !s.doubted[s.met] && !s.doubted[s.missed]
}

// precision is how many digits of an inverted load are kept: those that its inverse has, too.
const precision = 14

// load is the one of a hardship; 0 of 0, which is none.
func (s *searcher) load(hardship float64) float64 {
	switch {
	case hardship == 0:
		return 0
	case s.Rising:
		hardship = units.Round(1/hardship, precision)
	}
	if s.Whole {
		return max(math.Round(hardship), 1)
	}
	return hardship
}

// hardship is that of a load.
func (s *searcher) hardship(load float64) float64 {
	if s.Rising {
		return 1 / load
	}
	return load
}

// near is a hardship next to another one, times a factor: where loads are whole numbers at
// least one away, and at least 1.
func (s *searcher) near(hardship, factor float64) float64 {
	next := hardship * factor
	if !s.Whole {
		return next
	}
	load := s.load(next)
	if load == s.load(hardship) && factor != 1 {
		return s.beside(hardship, math.Copysign(1, factor-1))
	}
	return s.hardship(max(load, 1))
}

// beside is the whole number next to a hardship: the harder one of 1, the easier one of -1.
func (s *searcher) beside(hardship, harder float64) float64 {
	if s.Rising {
		harder = -harder
	}
	return s.hardship(max(s.load(hardship)+harder, 1))
}
