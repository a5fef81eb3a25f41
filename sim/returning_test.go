package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// crowded is a replica with memory for hardly more than one sequence, and a tier to which
// it is faster to move than to compute again: a prompt takes up to a number of tokens in a
// step, and a sequence that decodes guesses up to a number.
func crowded(scheduler policies.Scheduler, blocks, threshold, guesses int) *scene {
	s := &scene{traffic: &scripted{}, count: 1, size: 5, budget: 1000}
	s.config.Drain = true
	s.config.Pools = []Pool{{
		Blocks: blocks, BlockSize: 2, MaxTokens: 2 * blocks, Reserve: policies.ReservePaged,
		FrontEnd: func(int) units.Seconds { return 0 }, Cost: &hardware.Synthetic{StepFixed: 0.3, PerPrefillToken: 0.7, PerDecodeRow: 0.1},
		Tiers: []Tier{{Blocks: 1000, Bandwidth: 4, BandwidthOut: 50}}, BlockBytes: 1,
	}}
	if guesses > 0 {
		s.guesses = &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: guesses}}
		s.config.Pools[0].Acceptance = accepting(0)
	}
	s.policy = func() policies.Batching {
		return &policies.Swapping{MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget, LongPrefillTokenThreshold: threshold,
			Batching: scheduler.New(policies.Parameters{MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget,
				LongPrefillTokenThreshold: threshold, Guesses: s.guesses})}
	}
	return s
}

// TestWhoComesBackGoesOn: sequences that had no memory and were moved out do not send each
// other away again before they have computed anything, neither with guesses nor in the
// middle of a prompt.
func TestWhoComesBackGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		scene    *scene
		requests [][2]int
	}{
		"guesses": {crowded(schedulerNamed("vllm-v1"), 6, 0, 3), [][2]int{{4, 2}, {4, 2}, {4, 2}}},
		"chunks":  {crowded(schedulerNamed("vllm-v1"), 15, 3, 0), [][2]int{{19, 3}, {16, 2}, {14, 2}, {12, 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range c.requests {
				c.scene.traffic.add(0, r[0], r[1])
			}
			config := c.scene.fresh()
			config.MaxTime = 1000
			rec, err := Run(context.Background(), config)
			if err != nil || rec.Totals.Preemptions == 0 || rec.Unfinished() {
				t.Errorf("unfinished: %t, after %d preemptions (%v)", rec.Unfinished(), rec.Totals.Preemptions, err)
			}
		})
	}
}

// TestCrowdedReplicasGetOn is the same of random requests and deployments, in both engines.
func TestCrowdedReplicasGetOn(t *testing.T) {
	scenes, moving := 0, 0
	effort.Check(t, 50, func(t *rapid.T) {
		s := drawCrowded(t)
		config := s.fresh()
		config.MaxTime, config.Reference = 10_000, rapid.Bool().Draw(t, "reference")
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if scenes++; rec.Totals.MovedBytes > 0 {
			moving++
		}
		for id := range rec.Requests {
			if r := &rec.Requests[id]; r.State == metrics.Unfinished {
				t.Errorf("request %d is there after %v and %d preemptions", id, config.MaxTime, r.Preemptions)
			}
		}
	})
	t.Logf("of %d scenes %d move", scenes, moving)
	if 3*moving < scenes {
		t.Errorf("of %d scenes only %d move", scenes, moving)
	}
}

func drawCrowded(t *rapid.T) *scene {
	name := rapid.SampledFrom([]string{"vllm-v1", "vllm-v1", "vllm-v0", "sarathi", "alternating", "decode-first"}).Draw(t, "scheduler")
	s := crowded(schedulerNamed(name), rapid.IntRange(4, 20).Draw(t, "blocks"), rapid.SampledFrom([]int{0, 3}).Draw(t, "threshold"),
		rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "guesses"))
	pool := &s.config.Pools[0]
	pool.AsyncScheduling = rapid.Bool().Draw(t, "async scheduling")
	if s.config.LeastUrgentFirst = rapid.Bool().Draw(t, "least urgent first"); s.config.LeastUrgentFirst {
		s.config.Rank = func(r workloads.Request) float64 { return float64(r.ID % 3) }
	}
	if s.guesses != nil {
		s.guesses.Lookahead = rapid.SampledFrom([]int{0, 3}).Draw(t, "lookahead")
	}
	s.budget = rapid.SampledFrom([]int{6, 1000}).Draw(t, "budget")
	alike := rapid.Bool().Draw(t, "alike")
	if alike {
		pool.Eviction = policies.LRU{}
	}
	gap := units.Seconds(rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "gap"))
	for i := range rapid.IntRange(3, 10).Draw(t, "requests") {
		input := rapid.IntRange(3, pool.MaxTokens-1).Draw(t, "input")
		s.traffic.add(units.Seconds(i)*gap, input, rapid.IntRange(1, min(5, pool.MaxTokens-input)).Draw(t, "output"))
		if r := &s.traffic.requests[i]; alike {
			r.Content, r.Named = drawContent(t, 3, 4), r.Input
		}
	}
	return s
}
