package search

import (
	"context"
	"math"
	"slices"
	"testing"

	"kneepoint/internal/effort"
)

// TestFound: a request finds those that came before it and have not left.
func TestFound(t *testing.T) {
	s := stays{came: []float64{0, 1, 2, 3, 9}, left: []float64{5, 2, 7, 4, 10}}
	if got, want := s.found(4), []float64{0, 1, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got := s.found(5)[4]; got != 0 {
		t.Errorf("the last one found %v", got)
	}
}

// TestFewEpisodes: of 115 servers under 100 requests a second, .0213 of whose requests wait longer than .1 s (Erlang), misses come together
// some 160 at a time: four runs of a few thousand requests may have none, and 19 of 20 intervals hold the share still. By the spread
// of the runs alone two of three do.
func TestFewEpisodes(t *testing.T) {
	const truth, requests = 1 - 0.021296, 3000
	n, held, narrow := effort.Times(t, 100), 0, 0
	for seed := range n {
		q := servers{rate: 100, mu: 1, wait: 0.1, group: 1, seed: uint64(seed)}
		runs, err := q.sample(t.Context(), 115, requests, firstReplication, fewPilots)
		if err != nil {
			t.Fatal(err)
		}
		j := judging{steady: true}
		l := j.lookAt(runs)
		half := l.half(sure)
		if l.share()-half <= truth && truth <= l.share()+half {
			held++
		}
		if half < 0.1 {
			narrow++
		}
	}
	t.Logf("%d of %d intervals hold the share, %d are narrower than .1", held, n, narrow)
	if share := float64(held) / float64(n); share < sure-3*math.Sqrt(sure*(1-sure)/float64(n)) || narrow < n/4 {
		t.Errorf("%.3f of %d intervals hold the share; %d are narrower than .1", share, n, narrow)
	}
}

// TestLasting: where no episode of misses was seen they may last as long as anything is remembered, or as they do under a larger load;
// where two of them were, Student's distribution of two degrees of freedom says how long, 4.303/1.960 times at 95 %; where many were,
// as long as they did, and in a tentative judgement in any case. Those that come within the memory of each other are one.
func TestLasting(t *testing.T) {
	for _, c := range []struct{ missed, correlation, memory, most, want float64 }{
		{0, 1, 200, 200, 200}, {0, 1, 200, 50, 50}, {100, 20, 50, 50, 50}, {100, 40, 200, 200, 200},
		{100, 20, 50, 1000, 1000}, {2000, 20, 1000, 1000, 20 * math.Pow(4.302653/1.959964, 2)}, {4e4, 20, 50, 50, 20}, {4e4, 20, 50, 0, 20},
	} {
		const runs, counted = 10, 10_000
		shares := make([]float64, runs)
		for i := range shares {
			shares[i] = 1 - c.missed/(runs*counted)
		}
		l := look{counted: counted, requests: runs * counted, shares: shares, correlation: c.correlation, memory: c.memory, lastingMost: c.most}
		if got := l.lasting(sure); math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("%+v: %v requests", c, got)
		}
	}
}

// TestLargerLoadsLastLonger: a judgement says how long misses last, and one that is told so of a larger load has them last no longer.
func TestLargerLoadsLastLonger(t *testing.T) {
	for _, lasting := range []float64{0, 3} {
		j := newJudging(Ask{Target: 0.9, Length: 1000, Allowed: 10_000, Lasting: lasting, Tentative: lasting > 0}, true)
		j.sample = func(ctx context.Context, requests, first, count int) ([]sample, error) {
			return (&servers{rate: 10, mu: 1, wait: 0.5, group: 1}).sample(ctx, 20, requests, first, count)
		}
		found, err := j.judge(t.Context())
		if err != nil || found.Lasting <= 5 == (lasting == 0) || found.Lasting < 1 {
			t.Errorf("told of %v: %+v, %v", lasting, found, err)
		}
	}
}

// TestTentative: where runs have no misses, of 30 servers that ten a second ask for, only a judgement that none follows
// doubts them for what the system remembers.
func TestTentative(t *testing.T) {
	runs, err := (&servers{rate: 10, mu: 1, wait: 0.5, group: 1}).sample(t.Context(), 30, 1000, firstReplication, fewPilots)
	if err != nil {
		t.Fatal(err)
	}
	for _, tentative := range []bool{false, true} {
		j := judging{Ask: Ask{Tentative: tentative}, steady: true}
		l := j.lookAt(runs)
		if half := l.half(sure); half < 0.002 != tentative {
			t.Errorf("tentative %v: half the interval is %v", tentative, half)
		}
	}
}

// TestTentativeMissesAreCareful: a first look asks how long misses last where they are too many, which may leave a fleet out, and leaves
// that to longer runs where they are not.
func TestTentativeMissesAreCareful(t *testing.T) {
	runs, err := (&servers{rate: 10, mu: 1, wait: 0.5, group: 1}).sample(t.Context(), 12, 1000, firstReplication, fewPilots)
	if err != nil {
		t.Fatal(err)
	}
	for target, careful := range map[float64]bool{0.99: true, 0.01: false} {
		j := judging{Ask: Ask{Target: target, Tentative: true}, steady: true}
		if l := j.lookAt(runs); (l.lastingMost > 0) != careful {
			t.Errorf("%v of %v meet it: misses are taken to last %v requests", l.share(), target, l.lastingMost)
		}
	}
}
