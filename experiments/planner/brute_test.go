package planner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// grid is candidates of servers that take a number of requests at a time for a constant time,
// under arrivals at constant gaps: what is enough is so without chance.
func grid(r *rand.Rand) []Candidate {
	traffic := workloads.Spec{TooLong: "reject",
		Arrival: &workloads.ArrivalSpec{Process: "constant", Rate: workloads.Rate(0.5 + 20*r.Float64())},
		Input:   &workloads.LengthSpec{Type: "fixed", Mean: 1}, Output: &workloads.LengthSpec{Type: "fixed", Mean: float64(1 + r.IntN(20))}}
	bound := metrics.Objective{TTFT: units.Seconds(0.2 + r.Float64()), TPOT: units.Seconds(0.02 + 0.2*r.Float64())}
	var all []Candidate
	for _, accelerator := range []string{"a", "b"} {
		fast := 0.01 + 0.05*r.Float64()
		for replicas := 1; replicas <= 3; replicas++ {
			for _, seqs := range []int{1, 2, 4, 8} {
				step := hardware.Synthetic{StepFixed: units.Seconds(fast / float64(replicas)), PerDecodeRow: units.Seconds(fast / 4)}
				pool := scenario.Pool{Replicas: replicas,
					Deployment: scenario.Deployment{Synthetic: &step, Bare: &scenario.Bare{KVTokens: 1 << 20, Stages: 1, Accelerators: 1}},
					Strategy: scenario.Strategy{Scheduler: "vllm-v1", MaxNumSeqs: seqs, MaxNumBatchedTokens: 1024, Preemption: "recompute", Reserve: "paged",
						BlockSize: 16, Offload: "none", Frontend: scenario.Frontend{Stream: true}}}
				c := Candidate{Price: float64(replicas) * (0.5 + r.Float64()), Most: math.Inf(1),
					Option: results.Option{Name: fmt.Sprint(accelerator, replicas, seqs), Unit: results.Unit{Accelerator: accelerator, Accelerators: replicas}},
					Unit: scenario.Scenario{Pools: []scenario.Pool{pool}, Order: "fcfs", Traffic: traffic, Seed: r.Uint64(),
						Objectives: scenario.Objectives{All: bound}, Measure: scenario.Measure{Drain: true}}}
				if r.IntN(4) == 0 {
					c.Most, c.Bound = float64(r.IntN(4)), "a limit"
				}
				all = append(all, c)
			}
		}
	}
	return all
}

// leastUnits is how many units of a candidate are enough, by trying all numbers; 0: no number is.
func leastUnits(t *testing.T, c *Candidate, target float64) int {
	const far = 32
	for n := 1; float64(n) <= min(c.Most, far); n++ {
		ask := search.Ask{Target: target, Length: search.FirstRequests, Allowed: mostRequests}
		j, err := search.Judge(context.Background(), c.of(n), ask, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if j.Meets(target) {
			return n
		}
	}
	return 0
}

// The best candidate of each accelerator, and the number of its units, are those that
// trying everything finds; no candidate that is left out would have been better.
func TestPlanIsBruteForce(t *testing.T) {
	for seed := range effort.Times(t, 5) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		candidates, q := grid(r), Question{Target: 0.9, Spare: r.IntN(2), Levels: []float64{0, 0.3, 0.7, 1}}
		found, err := Find(context.Background(), candidates, q, Options{})
		if err != nil {
			t.Fatal(err)
		}
		best := map[string]float64{}
		for i := range candidates {
			c := &candidates[i]
			n := leastUnits(t, c, q.Target)
			if price := c.Price * float64(n+q.Spare); n > 0 && (best[c.Option.Unit.Accelerator] == 0 || price < best[c.Option.Unit.Accelerator]) {
				best[c.Option.Unit.Accelerator] = price
			}
			for _, o := range found.Options {
				if o.Name == c.Option.Name && o.Units != n {
					t.Errorf("grid %d: %d units of %s, brute force %d", seed, o.Units, o.Name, n)
				}
				if o.Name == c.Option.Name && o.Following != nil {
					checkFollowing(t, c, &o, q)
				}
			}
		}
		for accelerator, price := range best {
			if got := cheapest(candidates, found.Options, accelerator, q.Spare); got != price {
				t.Errorf("grid %d: the best of %s costs %v, by brute force %v", seed, accelerator, got, price)
			}
		}
		if len(found.Options)+len(found.Pruned) != len(candidates) {
			t.Errorf("grid %d: %d options and %d pruned of %d", seed, len(found.Options), len(found.Pruned), len(candidates))
		}
	}
}

// checkFollowing holds the units at each level against those that trying all numbers finds.
func checkFollowing(t *testing.T, c *Candidate, o *results.Option, q Question) {
	t.Helper()
	for i, level := range q.Levels {
		want := 1
		if level > 0 {
			there := *c
			there.Unit.Traffic = c.Unit.Traffic.Scaled(level)
			want = leastUnits(t, &there, q.Target)
		}
		if o.Following[i] != want {
			t.Errorf("%d units of %s at %v of the demand, brute force %d", o.Following[i], o.Name, level, want)
		}
	}
}

// cheapest is the price of the first option with an accelerator.
func cheapest(candidates []Candidate, options []results.Option, accelerator string, spare int) float64 {
	for _, o := range options {
		for i := range candidates {
			if o.Unit.Accelerator == accelerator && candidates[i].Option.Name == o.Name {
				return candidates[i].Price * float64(o.Units+spare)
			}
		}
	}
	return 0
}
