package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/workloads"
)

// drawBelow is a scene in which it pays to move: prompts that begin alike, hardly any
// memory, a tier with room, and prompts that take long to compute.
func drawBelow(t *rapid.T) scene {
	s := scene{traffic: &scripted{}, count: rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "replicas")}
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
		BlockBytes: 1, StateBytes: units.Bytes(rapid.IntRange(0, 2).Draw(t, "state")), SerialMoves: rapid.IntRange(0, 4).Draw(t, "serial") == 0,
	}}
	s.drawAlike(t)
	if rapid.IntRange(0, 3).Draw(t, "closed loop") == 0 {
		s.traffic.clients = rapid.IntRange(1, 6).Draw(t, "clients")
	}
	s.config.Router = always(rapid.SampledFrom([]routing.Router{nil, fewest{}, roomiest{}}).Draw(t, "router"))
	s.drawMoving(t)
	s.drawGuesses(t)
	return s
}

// drawAlike draws prompts that begin alike, and fit.
func (s *scene) drawAlike(t *rapid.T) {
	at := units.Seconds(0)
	for range rapid.IntRange(4, 40).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 2, 20}).Draw(t, "gap"))
		input := rapid.IntRange(4, 12).Draw(t, "input")
		s.traffic.add(at, input, rapid.IntRange(1, 16-input).Draw(t, "output"))
		r := &s.traffic.requests[len(s.traffic.requests)-1]
		r.Content, r.Named = drawContent(t, 3, 4), rapid.SampledFrom([]int{input, input + r.Output}).Draw(t, "named")
	}
}

// drawMoving draws a scheduler, and whether it moves what it preempts, or prompts layer by
// layer.
func (s *scene) drawMoving(t *rapid.T) {
	scheduler := rapid.SampledFrom([]policies.Scheduler{schedulerNamed("vllm-v1"), schedulerNamed("vllm-v0"), schedulerNamed("sarathi"),
		schedulerNamed("alternating"), schedulerNamed("decode-first")}).Draw(t, "scheduler")
	s.size, s.budget = rapid.SampledFrom([]int{2, 5, 100}).Draw(t, "batch size"), rapid.SampledFrom([]int{6, 1000}).Draw(t, "budget")
	threshold := rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "threshold")
	swaps, layers := rapid.Bool().Draw(t, "swaps"), rapid.SampledFrom([]int{0, 0, 0, 3}).Draw(t, "layers")
	if s.config.Pools[0].Layers = layers; layers > 0 {
		s.config.Pools[0].Streamed = rapid.IntRange(0, s.config.Pools[0].Blocks).Draw(t, "streamed")
	}
	s.counts = scheduler.CountsGuesses
	s.policy = func() policies.Batching {
		inner := scheduler.New(policies.Parameters{MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget, LongPrefillTokenThreshold: threshold,
			Guesses: s.guesses})
		swapping := policies.Swapping{Batching: inner, MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget, LongPrefillTokenThreshold: threshold}
		switch {
		case layers > 0:
			return &policies.LayerWise{Swapping: swapping, Layers: layers}
		case swaps:
			return &swapping
		default:
			return inner
		}
	}
}

func schedulerNamed(name string) policies.Scheduler {
	s, _ := policies.Find(policies.Schedulers, name)
	return s
}

// TestTransfersAgreeWithSteps: both engines let the same sequences wait for the same
// links, and the invariants of every run hold. The scenes bind: most of them load.
func TestTransfersAgreeWithSteps(t *testing.T) {
	scenes, loaded, preempted := 0, 0, 0
	effort.Check(t, 5, func(t *rapid.T) {
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
	t.Logf("of %d scenes %d load, %d preempt", scenes, loaded, preempted)
	if 4*loaded < scenes || 10*preempted < scenes {
		t.Errorf("of %d scenes %d load and %d preempt", scenes, loaded, preempted)
	}
}
