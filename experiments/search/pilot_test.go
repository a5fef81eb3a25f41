package search

import (
	"math"
	"testing"

	"kneepoint/experiments/results"
)

// seen is a look at a load of 10 runs of 4,000 requests, of which a share met the objective.
func seen(load, share, correlation float64, saturated bool) look {
	l := look{load: load, counted: 4000, requests: 40_000, settled: true, saturated: saturated, correlation: correlation}
	for range pilotReplications {
		l.shares = append(l.shares, share)
	}
	return l
}

// TestGuessIsWithinTheBracket: near saturation attainment falls the steeper the larger the load is, and while the backlog grows it
// depends on how long a run is: a line through such looks has the knee where the bracket excludes it, and a pilot that
// follows it creeps along an end. The line between the ends has it between them.
func TestGuessIsWithinTheBracket(t *testing.T) {
	s := &searcher{Question: Question{Target: 0.9}, met: 17.006, missed: 19.589, looks: []look{
		seen(13.454, 0.99999, 1, false), seen(22.627, 0.43, 95, true), seen(19.589, 0.7, 900, false), seen(17.006, 0.9965, 3, false)}}
	if slope, between := s.slope(), s.steepness(); math.Abs(slope/between-1) > 1e-9 || math.Abs(between-33.9) > 0.1 {
		t.Errorf("slope %v, want %v, that between the ends of the bracket, since no others are near and in a steady state", slope, between)
	}
	middle := math.Sqrt(s.met * s.missed)
	if g := s.guess(middle); math.Abs(g-18.826) > 0.01 {
		t.Errorf("the knee is guessed at %v, want where the line between the ends has it, 18.83", g)
	}
	s.looks = append(s.looks, seen(19.6, 0.69, 900, false), seen(20.5, 0.68, 900, false)) // a slope of 1 has the knee at 6
	if g := s.guess(middle); math.Abs(g-18.826) > 0.01 {
		t.Errorf("the knee is guessed at %v with a slope of %v, want 18.83", g, s.slope())
	}
}

// TestCorrelationIsPooled: one look among four whose correlation is nine times that of the others makes it √3 times theirs.
func TestCorrelationIsPooled(t *testing.T) {
	s := &searcher{Question: Question{Target: 0.9}, looks: []look{
		seen(1, 0.93, 100, false), seen(1.02, 0.91, 100, false), seen(1.05, 0.88, 100, false), seen(1.1, 0.85, 900, false)}}
	if c := s.correlation(); math.Abs(c-100*math.Sqrt(3)) > 1e-9 {
		t.Errorf("correlation %v, want %v", c, 100*math.Sqrt(3))
	}
	if c := (&searcher{}).correlation(); c != 1 {
		t.Errorf("correlation %v of no looks, want 1", c)
	}
}

// TestSlopeIsOfSteadyStates: what an overloaded system shows before its warm-up ends says nothing of the slope, and one look near the target
// does not either; where the slope is not known the probes are as short as they may be, since between the ends of the bracket it is
// smaller, and they would be longer by its square.
func TestSlopeIsOfSteadyStates(t *testing.T) {
	const width, warmUp = 0.03, 10
	unsettled := seen(22.6, 0.4, 100, false)
	unsettled.settled = false
	far, near := seen(13.5, 0.99999, 1, false), seen(19, 0.93, 10, false)
	s := searcher{Question: Question{Target: 0.9, Basis: results.SteadyState}, Limits: Limits{Tolerance: 0.02, Requests: MostRequests},
		met: 19, missed: 22.6, looks: []look{far, unsettled, near}}
	if _, known := s.localSlope(); known {
		t.Error("the slope is known of one look near the target, and of one that is not settled")
	}
	if s.plan(width, warmUp); s.count != fewReplications || s.requests != int(s.least())+warmUp {
		t.Errorf("%d runs of %d requests, want %d of %d", s.count, s.requests, fewReplications, int(s.least())+warmUp)
	}
	s.see(seen(20, 0.91, 10, false)) // a slope of 5.3
	if s.plan(width, warmUp); s.count != replications {
		t.Errorf("%d runs where the slope is known to be %v, want %d", s.count, s.slope(), replications)
	}
}

// TestLongerLooksReplaceShorterOnes: of a load the last look counts, which has the longest runs.
func TestLongerLooksReplaceShorterOnes(t *testing.T) {
	s := searcher{Question: Question{Target: 0.9}}
	s.see(seen(19, 0.99, 1, false))
	s.see(seen(20, 0.7, 1, false))
	s.see(seen(19, 0.93, 1, false))
	if len(s.looks) != 2 || s.nearestLook().share() != s.looks[1].share() || math.Abs(s.looks[1].share()-0.93) > 1e-9 {
		t.Errorf("%d looks, want two, the last one at 19", len(s.looks))
	}
	still := seen(22, 0.4, 1, false)
	still.settled = false // its warm-up lasts
	if s.see(still); len(s.settled) != 3 {
		t.Errorf("%d looks say how long the warm-up is, want the 3 that are past it", len(s.settled))
	}
}
