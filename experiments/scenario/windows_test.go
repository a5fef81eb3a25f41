package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/scenario"
	"kneepoint/units/paging"
)

// TestWindowsComeFree: the KV cache of a windowed model is blocks of groups of layers,
// unless what a sequence held may be wanted again. The numbers are tokens of which all
// layers keep everything: 1,000 blocks of 16.
func TestWindowsComeFree(t *testing.T) {
	mistral, gemma := paging.Windows{Tokens: 4096, Groups: 1}, paging.Windows{Tokens: 1024, Groups: 6, Full: 1}
	for _, c := range []struct {
		name, model string
		set         []string
		want        paging.Windows
		blocks      int
	}{
		{"all layers", "mistral-7b-v0.1", nil, mistral, 1000},
		{"groups of ten", "gemma-3-27b", nil, gemma, 6200},
		{"a context within the window", "mistral-7b-v0.1", []string{"model.max_model_len=4096"}, paging.Windows{}, 1000},
		{"shared prompts", "mistral-7b-v0.1", []string{"workload.prefix={ count = 2, tokens = 100 }"}, paging.Windows{}, 1000},
		{"shared prompts that nobody looks for", "mistral-7b-v0.1",
			[]string{"workload.prefix={ count = 2, tokens = 100 }", "strategy.continuous.kv.enable_prefix_caching=false"}, mistral, 1000},
		{"memory set aside", "mistral-7b-v0.1", []string{"strategy.continuous.reserve=oracle"}, paging.Windows{}, 1000},
		{"no windows", "llama-3.1-8b", nil, paging.Windows{}, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := experiments.Load("quickstart")
			if err != nil {
				t.Fatal(err)
			}
			set := append([]string{"model.name=" + c.model, "model.max_model_len=16384", "hardware.kv_tokens=16000", "hardware.tp=2"}, c.set...)
			if err := f.Override(set); err != nil {
				t.Fatal(err)
			}
			traces := &scenario.Traces{}
			e, err := f.Resolve(traces)
			if err != nil {
				t.Fatal(err)
			}
			cell := 0
			for e.Scenario(cell).Pools[0].Strategy.Scheduler != "vllm-v1" {
				cell++
			}
			built, err := scenario.NewBuilder(traces).Build(e.Scenario(cell))
			if err != nil {
				t.Fatal(err)
			}
			p := built.Config.Pools[0]
			if p.Windows != c.want || p.Blocks != c.blocks || c.want.Groups > 0 && p.Chunk == 0 {
				t.Errorf("%d blocks, %+v, chunks of %d; want %d, %+v", p.Blocks, p.Windows, p.Chunk, c.blocks, c.want)
			}
			kept := slices.ContainsFunc(built.Assumptions().Times, func(s string) bool { return strings.Contains(s, "sliding window") })
			if want := c.name == "shared prompts" || c.name == "memory set aside"; kept != want {
				t.Errorf("it says that windows are kept: %v, want %v", kept, want)
			}
		})
	}
}
