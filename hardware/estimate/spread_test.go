package estimate

import "testing"

// Times of an accelerator without measured kernels come with what they may be instead, never below the floor.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		accelerator, engine string
		ttft, tpot          float64 // 0: no spread
	}{{"mi300x", "vllm-v1", 1.32, 1.24}, {"v100-sxm2-32", "vllm-v1", 1.17, 1.09}, {"h100-sxm", "vllm-v1", 0, 0}, {"gh200-96", "vllm-v1", 0, 0}, {"mi300x", "ideal", 0, 0}} {
		m := build(t, deployment(t, c.accelerator, c.engine, "llama-3.1-8b", 1))
		e := Of(m.Model, Question{Prompt: 1000, Output: 100, Batch: 1})
		if (e.Spread != nil) != (c.ttft > 0) {
			t.Errorf("%s under %s: %+v", c.accelerator, c.engine, e.Spread)
		}
		if e.Spread == nil {
			continue
		}
		for _, p := range []struct {
			phase *Phase
			times [2]float64
			most  float64
		}{{&e.Prefill, e.Spread.TTFTMS, c.ttft}, {e.Decode, *e.Spread.TPOTMS, c.tpot}} {
			if p.times[0] < p.phase.FloorMS || p.times[0] >= p.phase.TimeMS || p.times[1] != p.phase.TimeMS*p.most {
				t.Errorf("%v ms of %v, floor %v", p.times, p.phase.TimeMS, p.phase.FloorMS)
			}
		}
	}
	single := Of(build(t, deployment(t, "mi300x", "vllm-v1", "llama-3.1-8b", 1)).Model, Question{Prompt: 100, Output: 1, Batch: 1})
	if single.Spread == nil || single.Spread.TPOTMS != nil {
		t.Errorf("a single token: %+v", single.Spread)
	}
}
