package search

import (
	"container/heap"
	"context"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
)

// freeAt is when servers are free, the first one first.
type freeAt []float64

func (f freeAt) Len() int           { return len(f) }
func (f freeAt) Less(i, j int) bool { return f[i] < f[j] }
func (f freeAt) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *freeAt) Push(x any)        { *f = append(*f, x.(float64)) }
func (f *freeAt) Pop() any          { last := (*f)[len(*f)-1]; *f = (*f)[:len(*f)-1]; return last }

// servers is M/M/k as a sampler of which the load is k: the next request goes to the server that is free first.
type servers struct{ rate, mu, wait float64 }

func (q *servers) sample(_ context.Context, k float64, requests, first, count int) ([]sample, error) {
	runs := make([]sample, count)
	for r := range runs {
		random := rand.New(rand.NewPCG(7, uint64(first+r)))
		free, now := make(freeAt, int(k)), 0.0
		for range requests {
			now += random.ExpFloat64() / q.rate
			start := max(now, free[0])
			free[0] = start + random.ExpFloat64()/q.mu
			heap.Fix(&free, 0)
			met := 0.0
			if start-now <= q.wait {
				met = 1
			}
			runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, start-now)
		}
		for _, end := range free {
			if end > now {
				runs[r].present++
			}
		}
		behind := free[0] - now // of the arrivals, when the last one comes
		runs[r].saturated = behind > 10*q.wait && behind > now/10
	}
	return runs, nil
}

// TestFewestServers: as many as Erlang's formula asks for, so that at most a share p of the requests of M/M/k waits longer than
// t, and not one less. Where one fewer is nearly enough, as 91 of whose requests .0102 wait, the search
// may end with an interval.
func TestFewestServers(t *testing.T) {
	cases := []struct {
		rate, mu, wait, p float64
		k                 float64
	}{
		{3, 0.5, 1, 0.2, 8}, {5, 1, 0.5, 0.1, 8}, {40, 4, 0, 0.2, 14}, {10, 1, 0.5, 0.1, 13}, {10, 1, 0.1, 0.05, 16},
		{8, 0.5, 1, 0.05, 20}, {20, 1, 0.5, 0.1, 23}, {100, 5, 0.1, 0.05, 24}, {1, 0.05, 5, 0.1, 25}, {2, 0.1, 2, 0.05, 26},
		{50, 1, 0.5, 0.1, 54}, {5, 0.1, 2, 0.05, 58}, {50, 1, 0.1, 0.05, 60}, {4, 0.05, 5, 0.01, 92}, {100, 1, 0.5, 0.1, 104},
		{10, 0.1, 2, 0.05, 109}, {100, 1, 0.1, 0.01, 118}, {200, 1, 0.1, 0.01, 222}, {500, 1, 0.05, 0.01, 538},
		{30, 2, 0.2, 0.05, 19},
	}
	for _, c := range cases[:min(effort.Times(t, 10), len(cases))] {
		q := servers{c.rate, c.mu, c.wait}
		found, err := find(context.Background(), Question{Target: 1 - c.p, Met: 1, Missed: 1, Rising: true, Whole: true,
			Basis: results.SteadyState, Length: FirstRequests}, Limits{Requests: 40 * MostRequests}, q.sample)
		if err != nil {
			t.Fatal(err)
		}
		k := found.Knee()
		if k == nil || k.Low == nil || k.High == nil {
			t.Errorf("%+v: knee %+v", c, k)
			continue
		}
		t.Logf("%+v: %v (%v to %v) after %d requests", c, k.Value, *k.Low, *k.High, k.Requests)
		if exact := *k.Low == *k.High; exact && k.Value != c.k || *k.Low > c.k || *k.High < c.k || *k.High-*k.Low > max(1, 0.01*c.k) {
			t.Errorf("%+v: %v servers (%v to %v)", c, k.Value, *k.Low, *k.High)
		}
	}
}
