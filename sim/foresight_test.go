package sim

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestForgottenLoads: what a scheduler plans to load and then forgets, since it has to preempt, is not held by anybody: requests that
// join in the same decision, to leave layer by layer, must not count on it, or they take more blocks than are free.
func TestForgottenLoads(t *testing.T) {
	requests := []struct {
		gap                  units.Seconds
		input, output, named int
		branches             [3]int
	}{
		{0, 5, 4, 9, [3]int{1, 0, 0}}, {0, 4, 1, 4, [3]int{}}, {0, 5, 3, 8, [3]int{0, 1, 0}}, {0, 12, 2, 12, [3]int{}},
		{0.5, 4, 3, 7, [3]int{0, 1, 0}}, {0, 4, 1, 4, [3]int{}}, {20, 4, 1, 4, [3]int{}}, {0, 11, 1, 11, [3]int{1, 0, 0}},
		{0, 4, 1, 4, [3]int{}}, {0, 4, 2, 4, [3]int{}}, {20, 4, 1, 4, [3]int{}},
	}
	s := scene{traffic: &scripted{}, count: 1, size: 5, budget: 1000}
	at := units.Seconds(0)
	for _, r := range requests {
		at += r.gap
		s.traffic.add(at, r.input, r.output)
		content := &workloads.Content{Span: 4}
		for id, i := 1, 0; i < len(r.branches); i++ {
			id = 2*id + r.branches[i]
			content.IDs = append(content.IDs, id)
		}
		last := &s.traffic.requests[len(s.traffic.requests)-1]
		last.Content, last.Named = content, r.named
	}
	const layers = 3
	s.config = Config{Drain: true, Router: always(fewest{}), InWindow: func(workloads.Request) bool { return true }, LeastUrgentFirst: true,
		Rank: func(r workloads.Request) float64 { return float64(r.ID % 3) },
		Pools: []Pool{{Blocks: 14, BlockSize: 2, MaxTokens: 28, Reserve: policies.ReservePaged, Eviction: policies.LRU{},
			Cost:  &hardware.Synthetic{StepFixed: 0.3, PerPrefillToken: 0.7, PerDecodeRow: 0.1},
			Tiers: []Tier{{Blocks: 6, Bandwidth: 1}, {Blocks: 100, Bandwidth: 2}}, BlockBytes: 1, Layers: layers,
			FrontEnd: func(int) units.Seconds { return 0 }}}}
	s.policy = func() policies.Batching {
		inner := schedulerNamed("vllm-v0").New(policies.Parameters{MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget})
		return &policies.LayerWise{Layers: layers,
			Swapping: policies.Swapping{Batching: inner, MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget}}
	}
	rec, err := Run(t.Context(), s.fresh())
	if err != nil {
		t.Fatal(err)
	}
	for id := range rec.Requests {
		if last := float64(rec.Requests[id].Last); !(last > 0) || math.IsInf(last, 0) {
			t.Errorf("request %d ends at %v", id, last)
		}
	}
}
