package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// drawBelow is a scene in which it pays to move: prompts that begin alike, hardly any
// memory, a tier with room, and prompts that take long to compute.
func drawBelow(t *rapid.T) scene {
	s := scene{traffic: &scripted{}, count: 1}
	s.config.Drain, s.config.InWindow = true, func(workloads.Request) bool { return true }
	if s.config.LeastUrgentFirst = rapid.Bool().Draw(t, "least urgent first"); s.config.LeastUrgentFirst {
		s.config.Rank = func(r workloads.Request) float64 { return float64(r.ID % 3) }
	}
	bandwidth := rapid.SampledFrom([]float64{1, 4, 30}).Draw(t, "bandwidth")
	s.config.Pools = []Pool{{
		Blocks: rapid.IntRange(8, 14).Draw(t, "blocks"), BlockSize: 2, MaxTokens: 28, Reserve: policies.ReservePaged,
		FrontEnd: drawFrontEnd(t), Cost: &hardware.Synthetic{StepFixed: 0.3, PerPrefillToken: 0.7, PerDecodeRow: 0.1},
		AsyncScheduling: rapid.Bool().Draw(t, "async scheduling"),
		Eviction:        rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LFU{}}).Draw(t, "eviction"),
		Tiers: []Tier{{Blocks: rapid.SampledFrom([]int{6, 1000}).Draw(t, "below"), Bandwidth: units.BytesPerSecond(bandwidth),
			BandwidthOut: units.BytesPerSecond(rapid.SampledFrom([]float64{0, 0.5, 50}).Draw(t, "bandwidth out")),
			Latency:      units.Seconds(rapid.SampledFrom([]float64{0, 0.25}).Draw(t, "latency"))},
			{Blocks: 100, Bandwidth: 2}},
		BlockBytes: 1, SerialMoves: rapid.IntRange(0, 4).Draw(t, "serial") == 0,
	}}
	at := units.Seconds(0)
	for range rapid.IntRange(4, 40).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 2, 20}).Draw(t, "gap"))
		input := rapid.IntRange(4, 12).Draw(t, "input")
		s.traffic.add(at, input, rapid.IntRange(1, 16-input).Draw(t, "output"))
		r := &s.traffic.requests[len(s.traffic.requests)-1]
		r.Content, r.Named = drawContent(t, 3, 4), input
	}
	scheduler := rapid.SampledFrom([]policies.Scheduler{schedulerNamed("vllm-v1"), schedulerNamed("vllm-v0"), schedulerNamed("sarathi"),
		schedulerNamed("alternating"), schedulerNamed("decode-first")}).Draw(t, "scheduler")
	s.size, s.budget = rapid.SampledFrom([]int{2, 5, 100}).Draw(t, "batch size"), rapid.SampledFrom([]int{6, 1000}).Draw(t, "budget")
	swaps := rapid.Bool().Draw(t, "swaps")
	s.policy = func() policies.Batching {
		inner := scheduler.New(policies.Parameters{MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget})
		if swaps {
			return &policies.Swapping{Batching: inner, MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget}
		}
		return inner
	}
	return s
}

func schedulerNamed(name string) policies.Scheduler {
	s, _ := policies.Find(policies.Schedulers, name)
	return s
}

// TestTransfersAgreeWithSteps: both engines let the same sequences wait for the same
// links, and the invariants of every run hold. The scenes bind: most of them load.
func TestTransfersAgreeWithSteps(t *testing.T) {
	scenes, loaded, preempted := 0, 0, 0
	for range effort.Times(t, 5) {
		rapid.Check(t, func(t *rapid.T) {
			s := drawBelow(t)
			compareEngines(t, s.fresh)
			s.check(t)
			rec, err := Run(context.Background(), s.fresh())
			if err != nil {
				t.Fatal(err)
			}
			if scenes++; rec.Totals.LoadedTokens > 0 {
				loaded++
			}
			if rec.Totals.Preemptions > 0 {
				preempted++
			}
		})
	}
	t.Logf("of %d scenes %d load, %d preempt", scenes, loaded, preempted)
	if 4*loaded < scenes || 10*preempted < scenes {
		t.Errorf("of %d scenes %d load and %d preempt", scenes, loaded, preempted)
	}
}
