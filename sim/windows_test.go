package sim

import (
	"context"
	"testing"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// windowedRun is requests that come at once, on a number of blocks, in chunks of 2,048
// tokens of a prompt.
func windowedRun(t *testing.T, requests, input, output, blocks int, windows paging.Windows) Config {
	s := setup{
		workload: poisson(1, requests, fixed(float64(input)), fixed(float64(output))),
		cost:     &hardware.Synthetic{StepFixed: 1},
		batching: continuous(256, 2048),
		blocks:   blocks,
	}
	s.workload.Arrival = &workloads.ArrivalSpec{Process: "at_once"}
	c := s.config(t, 1, 0)
	c.Pools[0].Windows, c.Pools[0].Chunk = windows, 2048
	return c
}

// TestWindowsBoundWhatSequencesHold: where all layers have a window, memory for ten
// windows and a chunk is enough for ten sequences of 14,000 tokens at a time, of which
// it holds three in full.
func TestWindowsBoundWhatSequencesHold(t *testing.T) {
	const sequences, window, chunk = 10, 257, 2048 / 16
	for name, reference := range map[string]bool{"in stretches": false, "step by step": true} {
		c := windowedRun(t, sequences, 6000, 8000, sequences*window+chunk, paging.Windows{Tokens: 4096, Groups: 1})
		c.Reference = reference
		rec, err := Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		prefill := (sequences*6000 + 2047) / 2048
		if most := float64(prefill + sequences + 8000); float64(rec.Ended) > most || rec.Totals.Preemptions > 0 {
			t.Errorf("%s: the run takes %v steps with %d preemptions, want at most %v and none", name, rec.Ended, rec.Totals.Preemptions, most)
		}
	}
}

// TestBlocksOfGroups: what a sequence of a model like Gemma 3 27B holds at most, in
// blocks of 16 tokens of one group: while it decodes, those of all its tokens in the one
// group without a window and of 4,096 in six others, and while its prompt is computed
// those of a chunk beside.
func TestBlocksOfGroups(t *testing.T) {
	for _, c := range []struct {
		name          string
		input, output int
		want          float64
	}{
		{"decode", 6000, 60_000, 4125 + 6*257},                  // 65,999 tokens
		{"prefill", 60_000, 1, 3712 + 6*(3712-(57344-4095)/16)}, // the last whole chunk
	} {
		rec, err := Run(context.Background(), windowedRun(t, 1, c.input, c.output, 10_000, paging.Windows{Tokens: 4096, Groups: 6, Full: 1}))
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.Totals.KVMax * 10_000; !near(got, c.want) {
			t.Errorf("%s: %v blocks at most, want %v", c.name, got, c.want)
		}
	}
}

// TestLongestSequenceIsServed: the longest that fits runs to its end, alone, and one that
// is longer by a block is rejected.
func TestLongestSequenceIsServed(t *testing.T) {
	for _, windows := range []paging.Windows{{Tokens: 100, Groups: 2, Full: 1}, {Tokens: 1000, Groups: 1, Full: 3}} {
		p := Pool{Blocks: 1000, BlockSize: 16, MaxTokens: 1 << 30, Windows: windows, Chunk: 2048}
		for longer, want := range map[int]metrics.State{0: metrics.Completed, 16: metrics.Rejected} {
			rec, err := Run(context.Background(), windowedRun(t, 1, p.longest()-10+longer, 10, p.Blocks, windows))
			if err != nil {
				t.Fatal(err)
			}
			if got := rec.Requests[0].State; got != want || rec.Totals.Preemptions > 0 {
				t.Errorf("%+v: with %d tokens more than fit the request is %v, want %v", windows, longer, got, want)
			}
		}
	}
}
