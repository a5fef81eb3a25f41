package sim

import (
	"math"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestBacklogAfterAFailure: of two replicas that serve 10 requests/s each one is away for 120 s,
// while 16 come every second. The backlog is (16 - 10)·120 = 720 then, and gone 720/(20 - 16) =
// 180 s later. With a third replica there is none.
func TestBacklogAfterAFailure(t *testing.T) {
	const rate, repair, fails = 16, 100, 50.02
	for replicas, want := range map[int]float64{2: 300, 3: 120} {
		traffic := &scripted{}
		for i := range rate * 500 {
			traffic.add(units.Seconds(i)/rate, 1, 1)
		}
		config := written(traffic, 10, nil)
		p := &config.Pools[0]
		p.Replicas, p.Batching, p.Cost, p.Startup.Cold = replicas, continuous(1, 8), &hardware.Synthetic{StepFixed: 0.1}, 20
		p.Failures = []Failure{{Together: 1, At: fails, Repair: after(repair)}}
		config.Queue = &RouterQueue{MaxInFlight: 1}
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		v := metrics.Summarize(rec, metrics.Objective{}, make([]metrics.Deployment, 1))
		if got := v.Get(metrics.RecoveryTime); math.Abs(got-want) > 0.5 {
			t.Errorf("%d replicas: recovered after %v s, not %v", replicas, got, want)
		}
		whole, down := float64(replicas)*float64(rec.Ended), repair+20.
		if got := v.Get(metrics.Availability); math.Abs(got-(1-down/whole)) > 1e-9 || v.Get(metrics.Failures) != 1 || v.Get(metrics.RetriedRequests) != 1 {
			t.Errorf("%d replicas: availability %v, %v failures, %v requests retried", replicas, got, v.Get(metrics.Failures), v.Get(metrics.RetriedRequests))
		}
		worst := units.Seconds(0)
		for i := range rec.Requests {
			worst = max(worst, rec.Requests[i].TTFT()-0.1)
		}
		if want := map[int]float64{2: 45, 3: 0.1}[replicas]; math.Abs(float64(worst)-want) > 0.2 {
			t.Errorf("%d replicas: the longest wait is %v, not %v s", replicas, worst, want)
		}
	}
}

// TestServersThatAreUp: of n replicas of an availability A, which fail and are repaired on
// their own, at least k are up for the share Σ (n over i) A^i (1-A)^(n-i) of the time, i from k
// to n.
func TestServersThatAreUp(t *testing.T) {
	const mtbf, repair, a, end = 990, 10, .99, 1e6
	for _, c := range []struct {
		k, n int
		want float64
	}{{7, 8, .99731}, {15, 16, .98907}, {14, 16, .99949}, {30, 32, .99601}} {
		traffic := &scripted{}
		traffic.add(0, 1, 1)
		traffic.add(end, 1, 1)
		config := written(traffic, 10, nil)
		p := &config.Pools[0]
		p.Replicas, p.Batching = c.n, continuous(1, 8)
		p.Failures = []Failure{{Together: 1, Until: exponentialTimes(1, mtbf), Repair: exponentialTimes(2, repair)}}
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		v := metrics.Summarize(rec, metrics.Objective{}, make([]metrics.Deployment, 1))
		if got := v.Get(metrics.Availability); math.Abs(got-a) > 0.002 {
			t.Errorf("availability %v, not %v", got, a)
		}
		up := shareUp(rec, c.k)
		t.Logf("%d of %d: %.5f, in theory %.5f", c.k, c.n, up, c.want)
		down := 1 - c.want
		episodes := down * end * float64(c.n-c.k+1) / repair
		if math.Abs(up-c.want) > 4*down*math.Sqrt(2/episodes) {
			t.Errorf("%d of %d are up for %.5f of the time, not %.5f", c.k, c.n, up, c.want)
		}
	}
}

// shareUp is for which share of a run at least k replicas are up.
func shareUp(rec *metrics.Record, k int) float64 {
	type change struct {
		at units.Seconds
		by int
	}
	var changes []change
	for _, r := range rec.Pools[0].Replicas {
		changes = append(changes, change{max(r.Ready, r.Ordered), 1})
		if r.Released > 0 {
			changes = append(changes, change{r.Released, -1})
		}
	}
	changes = append(changes, change{rec.Ended, 0})
	slices.SortStableFunc(changes, func(a, b change) int { return int(math.Copysign(1, float64(a.at-b.at))) })
	up, share, last := 0, 0.0, units.Seconds(0)
	for _, c := range changes {
		if c.at > rec.Ended {
			break
		}
		if up >= k {
			share += float64(c.at - last)
		}
		up, last = up+c.by, c.at
	}
	return share / float64(rec.Ended)
}
