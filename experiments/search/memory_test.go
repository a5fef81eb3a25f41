package search

import (
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
// some 160 at a time: four runs of a few thousand requests may have none, and nine of ten intervals hold the share still. By the spread
// of the runs alone two of three do.
func TestFewEpisodes(t *testing.T) {
	const truth, requests, nine = 1 - 0.021296, 3000, 0.9
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
	if share := float64(held) / float64(n); share < nine-3*math.Sqrt(nine*(1-nine)/float64(n)) || narrow < n/2 {
		t.Errorf("%.3f of %d intervals hold the share; %d are narrower than .1", share, n, narrow)
	}
}
