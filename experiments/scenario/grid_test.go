package scenario_test

import (
	"strings"
	"testing"

	"kneepoint/experiments/scenario"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// TestMemoryIsWholeBlocks: what is left of the KV cache behind its last whole block of
// 10 tokens holds nothing: no block, no token of the longest sequence, and nothing of
// what a strategy sets aside for that.
func TestMemoryIsWholeBlocks(t *testing.T) {
	for _, c := range []struct{ tokens, blocks, longest int }{
		{100, 10, 100}, {101, 10, 100}, {109, 10, 100}, {110, 11, 110}, {10, 1, 10}, {19, 1, 10},
	} {
		for reserve, context := range map[string]int{"paged": 0, "oracle": 100000, "pow2": 100000, "max": c.longest} {
			pool := replicas("", 1, 0.1)
			pool.Deployment.Bare.KVTokens, pool.Deployment.Bare.MaxModelLen = c.tokens, context
			pool.Strategy.Reserve = reserve
			for _, lengths := range []struct {
				output int
				state  metrics.State
			}{{c.longest - 2, metrics.Completed}, {c.longest - 1, metrics.Rejected}} {
				s := of(pool)
				s.Traffic.NumRequests, s.Traffic.TooLong = 1, "reject"
				s.Traffic.Input = &workloads.LengthSpec{Type: "fixed", Mean: 2}
				s.Traffic.Output = &workloads.LengthSpec{Type: "fixed", Mean: float64(lengths.output)}
				built, err := scenario.NewBuilder(&scenario.Traces{}).Build(s)
				if err != nil {
					t.Fatal(err)
				}
				if got := built.Config.Pools[0].Blocks; got != c.blocks {
					t.Errorf("%d tokens make %d blocks, want %d", c.tokens, got, c.blocks)
				}
				rec, err := sim.Run(t.Context(), built.Config)
				if err != nil {
					t.Fatal(err)
				}
				if got := rec.Requests[0].State; got != lengths.state {
					t.Errorf("%s: %d tokens in a cache of %d: %v, want %v", reserve, 2+lengths.output, c.tokens, got, lengths.state)
				}
			}
		}
	}
}

// TestContextBeyondTheMemory: who sets the whole context aside for everybody needs memory
// for it, in whole blocks; who does not, does not.
func TestContextBeyondTheMemory(t *testing.T) {
	build := func(reserve string, context int) error {
		pool := replicas("", 1, 0.1)
		pool.Deployment.Bare.KVTokens, pool.Deployment.Bare.MaxModelLen = 109, context
		pool.Strategy.Reserve = reserve
		_, err := scenario.NewBuilder(&scenario.Traces{}).Build(of(pool))
		return err
	}
	for _, context := range []int{1, 100, 101, 109, 1 << 20} {
		for _, reserve := range []string{"paged", "oracle", "pow2"} {
			if err := build(reserve, context); err != nil {
				t.Errorf("%s with a context of %d: %v", reserve, context, err)
			}
		}
		err := build("max", context)
		if fits := context <= 100; fits != (err == nil) {
			t.Errorf("a context of %d tokens beside 100 in whole blocks: %v", context, err)
		} else if !fits && !strings.Contains(err.Error(), "the KV cache holds 100 tokens") {
			t.Errorf("the message is %q", err)
		}
	}
}
