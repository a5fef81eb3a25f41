package search

import (
	"context"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
)

// TestUntilTold: runs that are long enough are joined by more until these tell, or until they tell as much as the longest that are allowed.
func TestUntilTold(t *testing.T) {
	for _, c := range []struct {
		rate  float64
		told  bool
		least int // runs
	}{{0.5, true, 10}, {0.586976, false, 40}} { // M/D/1, of which 6 % and 10 % wait for more than 2 s
		q := queue{service: constant, bound: 2}
		at := 0
		j := judging{Ask: Ask{Target: 0.9, Allowed: 240_000}, steady: true, length: 4000}
		observe := func(first, count int) ([]sample, error) {
			if at != first-firstReplication {
				t.Fatalf("runs from %d on after %d", first-firstReplication, at)
			}
			at = first - firstReplication + count
			return q.sample(context.Background(), c.rate, j.length, first, count)
		}
		runs, l, err := inStages(func(*look) bool { return false }, observe, j.lookAt)
		if err == nil {
			l, err = j.untilTold(runs, l, observe)
		}
		if err != nil || j.told(&l) != c.told || at < c.least || at > 40 {
			t.Errorf("at %v after %d runs: told %v, %v", c.rate, at, j.told(&l), err)
		}
	}
}

// TestMoreRequestsSettle: what the usual number of requests does not tell more of them do. Of servers of M/M/k, of which one less misses
// the target as narrowly as k meets it, each is on its own side, and nothing else is ever told.
func TestMoreRequestsSettle(t *testing.T) {
	cases := []struct {
		servers
		share   float64
		k       int
		allowed int
	}{
		{servers{rate: 100, mu: 1, wait: 0.5, group: 16}, 0.1, 104, 1e7}, {servers{rate: 100, mu: 1, wait: 0.1, group: 8}, 0.01, 118, 3e7},
		{servers{rate: 200, mu: 1, wait: 0.1, group: 16}, 0.01, 222, 2e8}, {servers{rate: 30, mu: 2, wait: 0.2, group: 2}, 0.05, 19, 2e8},
	}
	for _, c := range cases[:min(effort.Times(t, 1), len(cases))] {
		lasting := 0.0
		for k := c.k - 1; k <= c.k; k++ {
			for _, allowed := range []int{400_000, c.allowed} {
				found := c.judge(t, k, Ask{Target: 1 - c.share, Length: 24_000 / c.group, Allowed: allowed / c.group, Lasting: lasting})
				if lasting = found.Lasting; found.Clear(1-c.share) && found.Meets(1-c.share) != (k == c.k) {
					t.Errorf("%d servers are said to have %+v", k, found)
				}
				if told := found.Clear(1 - c.share); told == (found.Needed > 0) || allowed == c.allowed && !told {
					t.Errorf("%d servers, %d requests: %+v", k, allowed, found)
				}
			}
		}
	}
}

// judge is a judgement of k servers.
func (q servers) judge(t *testing.T, k int, ask Ask) results.Judgement {
	t.Helper()
	q.seed = 7
	j := newJudging(ask, true)
	j.sample = func(ctx context.Context, requests, first, count int) ([]sample, error) {
		return q.sample(ctx, float64(k), requests, first, count)
	}
	found, err := j.judge(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestEnoughTakesAsManyRequests: what a few runs would tell to be enough is told by as many requests as did not settle fewer servers; what is
// not enough is told by a few.
func TestEnoughTakesAsManyRequests(t *testing.T) {
	const least = 200_000
	q := servers{rate: 5, mu: 1, wait: 0.5, group: 1}
	for k, enough := range map[int]bool{9: true, 6: false} {
		soon := q.judge(t, k, Ask{Target: 0.9, Length: 1000, Allowed: 400_000})
		late := q.judge(t, k, Ask{Target: 0.9, Length: 1000, Allowed: 400_000, Least: least})
		if soon.Requests >= least/2 || soon.Meets(0.9) != enough || late.Meets(0.9) != enough || late.Requests >= least != enough || !(late.Surer > late.Half) {
			t.Errorf("%d servers: %+v, asked for more: %+v", k, soon, late)
		}
	}
}

// TestBeatingWaits: waits that change through every run, as where constant gaps beat with constant steps, are no sign that the system fills
// where the longest runs find no more in it and wait no longer. Where it does fill, or waits rise, all requests may meet the
// objective, and it is not settled.
func TestBeatingWaits(t *testing.T) {
	for _, c := range []struct{ filling, rise float64 }{{0, -1e-6}, {1e-3, -1e-6}, {0, 1e-6}} { // requests, and seconds, for each request
		j := newJudging(Ask{Target: 0.9, Length: 1000, Allowed: 200_000}, true)
		j.sample = func(_ context.Context, requests, _, count int) ([]sample, error) {
			runs := make([]sample, count)
			for r := range runs {
				attained, ttft, found := make([]float64, requests), make([]float64, requests), make([]float64, requests)
				for i := range requests {
					at := float64(i)
					attained[i], ttft[i], found[i] = 1, 1+c.rise*at, 3+float64(i%2)+c.filling*at
				}
				runs[r] = sample{attained: attained, ttft: ttft, found: func() []float64 { return found }}
			}
			return runs, nil
		}
		found, err := j.judge(t.Context())
		if steady := c.filling == 0 && c.rise < 0; err != nil || found.Unsettled == steady || found.Meets(0.9) != steady || found.Requests < 100_000 {
			t.Errorf("%+v: %+v, %v", c, found, err)
		}
	}
}
