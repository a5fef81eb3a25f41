package sim

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// TestLoadsBringAState: 500 bytes beside the blocks of a prefix take 5 s at 100 bytes a second, before the step or beside others.
func TestLoadsBringAState(t *testing.T) {
	ttft := func(serial bool, state units.Bytes, evicted int) units.Seconds {
		traffic := &scripted{}
		prompts(traffic, 0, 1, 10, 20)
		evict(traffic, 500, evicted)
		prompts(traffic, 10000, 1, 10, 20)
		config := linked(traffic, 20, Tier{Blocks: 100, Bandwidth: 100})
		config.Pools[0].SerialMoves, config.Pools[0].StateBytes = serial, state
		rec := outcome(t, config)
		if rec.Totals.LoadedTokens == 0 {
			t.Fatal("nothing was loaded")
		}
		return rec.Requests[2].TTFT()
	}
	for _, serial := range []bool{false, true} {
		if got := ttft(serial, 500, 80) - ttft(serial, 0, 80); !near(float64(got), 5) {
			t.Errorf("before the step %t: the first token comes %v later", serial, got)
		}
	}
}

// TestSwappedStatesMove: out and back, beside two blocks of a byte each.
func TestSwappedStatesMove(t *testing.T) {
	for _, serial := range []bool{true, false} {
		traffic := &scripted{}
		traffic.add(0, 2, 5)
		traffic.add(0, 2, 5)
		config := written(traffic, 5, continuous(8, 8)())
		p := &config.Pools[0]
		p.Cost = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 10}
		p.Tiers, p.BlockBytes, p.StateBytes, p.SerialMoves = []Tier{{Blocks: 10, Bandwidth: 10}}, 1, 3, serial
		p.Batching = inOrder(&policies.Swapping{Batching: continuous(8, 8)(), MaxNumSeqs: 8})
		if got := outcome(t, config).Totals.MovedBytes; got != 2*(2+3) {
			t.Errorf("serial %t: %v moved, want 10 B", serial, got)
		}
	}
}

// TestFetchesBringAState: 5 bytes take 5 s at a byte a second.
func TestFetchesBringAState(t *testing.T) {
	ttft := func(state units.Bytes) units.Seconds {
		traffic := &scripted{}
		prompts(traffic, 0, 1, 10, 21)
		prompts(traffic, 1000, 1, 10, 21)
		config := sharers(traffic, 2, 20, &Sharing{Blocks: 100, Bandwidth: 1, Threshold: 1})
		config.Pools[0].SharedState = state
		rec := outcome(t, config)
		if rec.Totals.FetchedTokens == 0 {
			t.Fatal("nothing was fetched")
		}
		return rec.Requests[1].TTFT()
	}
	if got := ttft(5) - ttft(0); !near(float64(got), 5) {
		t.Errorf("the first token comes %v later", got)
	}
}
