package routing

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/units"
)

// fleet is replicas as a test wants them.
type fleet []*replica

type replica struct {
	View
	number int
	weight float64
	cached int // of any request
}

func (f fleet) Len() int             { return len(f) }
func (f fleet) Number(i int) int     { return f[i].number }
func (f fleet) Weight(i int) float64 { return f[i].weight }
func (f fleet) At(i int) View        { return f[i].View }
func (f fleet) Cached(i int) int     { return f[i].cached }

// TTFT takes a second for a token.
func (f fleet) TTFT(i int) units.Seconds { return units.Seconds(f[i].Pending - f[i].cached) }

func (f fleet) FewestRequests(random *rand.Rand) int {
	var fewest []int
	for i := range f {
		if len(fewest) > 0 && f[i].Requests() < f[fewest[0]].Requests() {
			fewest = nil
		}
		if len(fewest) == 0 || f[i].Requests() == f[fewest[0]].Requests() {
			fewest = append(fewest, i)
		}
	}
	return fewest[random.IntN(len(fewest))]
}

// alike is n replicas, numbered from 0, of weight 1.
func alike(n int) fleet {
	f := make(fleet, n)
	for i := range f {
		f[i] = &replica{number: i, weight: 1, View: View{FreeBlocks: 100, TotalBlocks: 100}}
	}
	return f
}

// seeded are random numbers that are always the same.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// counts is how many of n requests alike a router sends to each replica.
func counts(r Router, f fleet, n int) []int {
	of := make([]int, len(f))
	for id := range n {
		of[r.Route(&Request{ID: id, Prompt: 100, Session: -1}, f)]++
	}
	return of
}

// expectShares compares counts with the shares that each is expected to have: Pearson's
// χ² is below its 99.99 % quantile.
func expectShares(t *testing.T, got []int, shares []float64) {
	t.Helper()
	total, sum := 0, 0.0
	for i := range got {
		total, sum = total+got[i], sum+shares[i]
	}
	square, freedom := 0.0, -1
	for i, share := range shares {
		expected := float64(total) * share / sum
		if expected == 0 {
			if got[i] != 0 {
				t.Errorf("%d requests where none belongs: %v", got[i], got)
			}
			continue
		}
		d := float64(got[i]) - expected
		square, freedom = square+d*d/expected, freedom+1
	}
	if freedom < 1 {
		return
	}
	if limit := (distuv.ChiSquared{K: float64(freedom)}).Quantile(0.9999); square > limit {
		t.Errorf("χ² is %.1f, with %d degrees of freedom above %.1f: %v", square, freedom, limit, got)
	}
}

// loads are replicas with so many requests each.
func loads(requests ...int) fleet {
	f := alike(len(requests))
	for i, n := range requests {
		f[i].Running = n
	}
	return f
}
