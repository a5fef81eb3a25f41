package metrics

import (
	"math/rand/v2"
	"testing"

	"kneepoint/units"
)

// queue is the record of a queue with Poisson arrivals at rate rho and a
// service of one second: who waits when each request arrives.
func queue(rho float64, n int, seed uint64) *Trend {
	random := rand.New(rand.NewPCG(seed, 0))
	trend := &Trend{}
	ends := make([]float64, n)
	at, end, served := 0.0, 0.0, 0
	for i := range n {
		at += random.ExpFloat64() / rho
		for served < i && ends[served] <= at {
			served++
		}
		trend.Add(i, units.Seconds(at), max(0, i-served-1))
		end = max(end, at) + 1
		ends[i] = end
	}
	return trend
}

func TestSaturatedQueues(t *testing.T) {
	for _, c := range []struct {
		rho    float64
		n      int
		lo, hi float64 // share of runs that are called saturated
	}{
		{0.5, 1000, 0, 0},
		{0.8, 1000, 0, 0},
		{0.9, 2000, 0, 0.02},
		{1.2, 1000, 0.95, 1},
		{1.5, 200, 0.95, 1},
		{2, 60, 0.95, 1},
		{3, 3000, 1, 1},
	} {
		const runs = 200
		saturated := 0
		for seed := range uint64(runs) {
			if queue(c.rho, c.n, seed).Saturated(1) {
				saturated++
			}
		}
		if share := float64(saturated) / runs; share < c.lo || share > c.hi {
			t.Errorf("load %v, %d requests: %v of the runs are saturated, want %v to %v", c.rho, c.n, share, c.lo, c.hi)
		}
	}
}

// line is a run in which waiting(i) requests wait when request i arrives.
func line(n int, gap units.Seconds, waiting func(i int) int) *Trend {
	trend := &Trend{}
	for i := range n {
		trend.Add(i, gap*units.Seconds(i), waiting(i))
	}
	return trend
}

func TestSaturatedEdges(t *testing.T) {
	grows := func(i int) int { return i / 2 }
	for _, c := range []struct {
		name  string
		trend *Trend
		want  bool
	}{
		{"nothing", &Trend{}, false},
		{"too few to see a trend", line(39, 1, grows), false},
		{"just enough", line(40, 1, grows), true},
		{"all at once", line(1000, 0, grows), false},
		{"a growing backlog", line(1000, 1, grows), true},
		{"a steady backlog", line(1000, 1, func(int) int { return 500 }), false},
		{"a backlog that shrinks", line(1000, 1, func(i int) int { return 1000 - i/2 }), false},
		{"growth in the first half alone", line(1000, 1, func(i int) int { return min(i, 400) }), false},
		{"growth within 5 % of the requests", line(1000, 1, func(i int) int { return i / 20 }), false},
		{"growth beyond one minute's arrivals", line(10000, 1, func(i int) int { return i / 100 }), true},
		{"growth within one minute's arrivals", line(10000, 1, func(i int) int { return i / 200 }), false},
	} {
		if got := c.trend.Saturated(1); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
