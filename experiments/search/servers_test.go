package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
)

// servers is M/M/k as a sampler of which the load is k. A request of the sample stands for a group of those that come
// one after another, with the share of them that waits no longer than the bound: far fewer than tell as much as one, so
// that nothing is lost but memory.
type servers struct {
	rate, mu, wait float64
	group          int
	seed           uint64
}

func (q *servers) sample(_ context.Context, k float64, requests, first, count int) ([]sample, error) {
	runs := make([]sample, count)
	for r := range runs {
		line := waitingLine{servers: *q, k: int(k), random: rand.New(rand.NewPCG(q.seed, uint64(first+r)))}
		runs[r] = line.run(requests)
	}
	return runs, nil
}

// waitingLine is M/M/k under way, from one arrival or departure to the next: no service is drawn before it ends, since what is left of
// one is as long as a new one.
type waitingLine struct {
	servers
	k      int
	random *rand.Rand

	now     float64
	busy    int
	waiting []float64 // times of arrival
	sample  sample
	met     int     // of the group that starts
	waited  float64 // of it
	started int
	found   []float64
}

// run serves so many groups of requests.
func (q *waitingLine) run(requests int) sample {
	for arrived := 0; arrived < requests*q.group; {
		if !q.step(q.rate) {
			continue
		}
		if arrived++; arrived%q.group == 0 {
			q.found = append(q.found, float64(q.busy+len(q.waiting)))
		}
		if q.busy < q.k {
			q.busy++
			q.start(q.now)
			continue
		}
		q.waiting = append(q.waiting, q.now)
	}
	q.sample.found = func() []float64 { return q.found }
	q.sample.present = (q.busy+len(q.waiting))/q.group + 1
	behind := float64(len(q.waiting)) / (float64(q.k) * q.mu)
	q.sample.saturated = behind > 10*q.wait && behind > q.now/10
	for len(q.waiting) > 0 {
		q.step(0)
	}
	return q.sample
}

// step goes to the next event, which is an arrival or the end of a service, after which the first one that waits is served.
func (q *waitingLine) step(arrivals float64) (arrival bool) {
	all := arrivals + float64(q.busy)*q.mu
	q.now += q.random.ExpFloat64() / all
	if q.random.Float64()*all < arrivals {
		return true
	}
	if len(q.waiting) == 0 {
		q.busy--
		return false
	}
	q.start(q.waiting[0])
	q.waiting = q.waiting[1:]
	return false
}

// start serves a request that came at a time.
func (q *waitingLine) start(came float64) {
	waited := q.now - came
	if q.waited += waited; waited <= q.wait {
		q.met++
	}
	if q.started++; q.started%q.group == 0 {
		n := float64(q.group)
		q.sample.attained, q.sample.ttft = append(q.sample.attained, float64(q.met)/n), append(q.sample.ttft, q.waited/n)
		q.met, q.waited = 0, 0
	}
}

// TestFewestServers: as many as Erlang's formula asks for, so that at most a share p of the requests of M/M/k waits
// longer than t, and not one less. Where that one is nearly enough, as 91 of whose requests .01024 wait, it takes
// thousands of millions of requests to tell, and of 537, of whose requests .01019 do, more than that.
func TestFewestServers(t *testing.T) {
	cases := []struct {
		rate, mu, wait, p float64
		k                 float64
		group             int
	}{
		{3, 0.5, 1, 0.2, 8, 1}, {5, 1, 0.5, 0.1, 8, 1}, {40, 4, 0, 0.2, 14, 1}, {10, 1, 0.5, 0.1, 13, 1}, {10, 1, 0.1, 0.05, 16, 1},
		{100, 5, 0.1, 0.05, 24, 4}, {8, 0.5, 1, 0.05, 20, 4}, {5, 0.1, 2, 0.05, 58, 8}, {1, 0.05, 5, 0.1, 25, 4}, {50, 1, 0.1, 0.05, 60, 8},
		{2, 0.1, 2, 0.05, 26, 4}, {50, 1, 0.5, 0.1, 54, 16}, {20, 1, 0.5, 0.1, 23, 8},
		{100, 1, 0.5, 0.1, 104, 32}, {100, 1, 0.1, 0.01, 118, 16}, {10, 0.1, 2, 0.05, 109, 32}, {30, 2, 0.2, 0.05, 19, 16}, {200, 1, 0.1, 0.01, 222, 32},
		{4, 0.05, 5, 0.01, 92, 32}, {500, 1, 0.05, 0.01, 538, 128},
	}
	seeds, most := min((effort.Times(t, 1)+2)/3, 4), len(cases)
	if seeds < 4 {
		most-- // of which the last would take minutes
	}
	for i := range seeds * min(effort.Times(t, 8), most) {
		c, seed := cases[i/seeds], uint64(7+i%seeds)
		q := servers{c.rate, c.mu, c.wait, c.group, seed}
		found, err := find(context.Background(), Question{Target: 1 - c.p, Met: 1, Missed: 1, Rising: true, Whole: true,
			Basis: results.SteadyState, Length: FirstRequests}, Limits{Requests: 1e9}, q.sample)
		if err != nil {
			t.Fatal(err)
		}
		k := found.Knee()
		if k == nil || k.Low == nil || k.High == nil {
			t.Errorf("%+v, seed %d: knee %+v", c, seed, k)
			continue
		}
		t.Logf("%+v, seed %d: %v (%v to %v) after %d requests", c, seed, k.Value, *k.Low, *k.High, k.Requests*c.group)
		if k.Value != c.k || *k.Low != c.k || *k.High != c.k {
			t.Errorf("%+v, seed %d: %v servers (%v to %v)", c, seed, k.Value, *k.Low, *k.High)
		}
	}
}
