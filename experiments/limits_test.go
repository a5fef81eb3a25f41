package experiments

import (
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/strict"
)

// TestLimitsOfTheEngine: what a file leaves open is the engine's on the accelerator of
// the strategy at the point; the resolved experiment shows it and the facts say
// whose it is.
func TestLimitsOfTheEngine(t *testing.T) {
	e := experiment(t, `
title = "limits"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
num_requests = 1
[workload.arrival]
rate = 1
[workload.input]
type = "fixed"
mean = 10
[workload.output]
type = "fixed"
mean = 10
[[strategy]]
name = "open"
[[strategy]]
name = "stated"
max_num_seqs = 300
max_num_batched_tokens = 3000
[[strategy]]
name = "small steps"
max_num_batched_tokens = 512
[[strategy]]
name = "without a budget"
scheduler = "orca"
reserve = "oracle"
[strategy.hardware]
accelerator = "a100-sxm-80"
[[strategy]]
name = "few"
max_num_seqs = 8
[[strategy]]
name = "few, without a budget"
scheduler = "orca"
reserve = "oracle"
max_num_seqs = 8
[sweep]
"hardware.accelerator" = ["h100-sxm", "l40s"]
`)
	want := [][2]int{{1024, 8192}, {300, 3000}, {512, 512}, {256, 2048}, {8, 8192}, {8, 8192},
		{256, 2048}, {300, 3000}, {256, 512}, {256, 2048}, {8, 2048}, {8, 2048}}
	for i, w := range want {
		s := e.Scenario(i).Pools[0]
		if got := [2]int{s.Strategy.MaxNumSeqs, s.Strategy.MaxNumBatchedTokens}; got != w {
			t.Errorf("run %d: %v, want %v", i, got, w)
		}
		if d := s.Deployment.Roofline; d.MaxNumSeqs != w[0] || d.MaxNumBatchedTokens != w[1] {
			t.Errorf("run %d: memory for %d sequences and %d tokens, want %v", i, d.MaxNumSeqs, d.MaxNumBatchedTokens, w)
		}
	}
	shown := strict.Encode(&e.Spec)["strategy"].([]any)[0].(map[string]any)
	if shown["max_num_seqs"] != int64(1024) || shown["max_num_batched_tokens"] != int64(8192) {
		t.Errorf("the resolved experiment has %v and %v", shown["max_num_seqs"], shown["max_num_batched_tokens"])
	}
	said := []results.Limits{
		{Strategy: "open", Engine: "vllm-v1", Accelerator: "h100-sxm", MaxNumSeqs: 1024, MaxNumBatchedTokens: 8192},
		{Strategy: "small steps", Engine: "vllm-v1", Accelerator: "h100-sxm", MaxNumSeqs: 512},
		{Strategy: "without a budget", Engine: "vllm-v1", Accelerator: "a100-sxm-80", MaxNumSeqs: 256},
		{Strategy: "few", Engine: "vllm-v1", Accelerator: "h100-sxm", MaxNumBatchedTokens: 8192},
		{Strategy: "open", Engine: "vllm-v1", Accelerator: "l40s", MaxNumSeqs: 256, MaxNumBatchedTokens: 2048},
		{Strategy: "small steps", Engine: "vllm-v1", Accelerator: "l40s", MaxNumSeqs: 256},
		{Strategy: "few", Engine: "vllm-v1", Accelerator: "l40s", MaxNumBatchedTokens: 2048},
	}
	got := e.facts().Limits
	if len(got) != len(said) {
		t.Fatalf("%d limits are told, want %d: %v", len(got), len(said), got)
	}
	for i := range said {
		if got[i] != said[i] {
			t.Errorf("told: %v, want %v", got[i], said[i])
		}
	}
}

// TestStaticBatchesOfTheEngine: engines that return whole batches do so unless tokens
// are streamed, and compute and read padding as they do; others stream.
func TestStaticBatchesOfTheEngine(t *testing.T) {
	for _, c := range []struct {
		engine, strategy string
		stream, packed   bool
		reads            string
	}{
		{"vllm-v1", "batching = \"static\"", true, false, ""},
		{"hf-eager", "batching = \"static\"", false, false, "rows"},
		{"hf-eager", "batching = \"static\"\npadded = false", false, false, ""},
		{"hf-eager", "batching = \"static\"\nfrontend = { stream = true }", true, false, "rows"},
		{"hf-eager", "", true, false, ""},
		{"fastertransformer", "batching = \"static\"", false, true, "prompts"},
		{"trtllm", "batching = \"static\"\nfrontend = { stream = false }", false, false, ""},
	} {
		t.Run(c.engine+", "+c.strategy, func(t *testing.T) {
			e := experiment(t, `
title = "static"
model = { name = "llama-3.1-8b" }
hardware = { accelerator = "h100-sxm", engine = "`+c.engine+`" }
workload = { num_requests = 1, arrival = { rate = 1 }, input = { type = "fixed", mean = 10 }, output = { type = "fixed", mean = 10 } }
[[strategy]]
name = "only"
`+c.strategy+"\n")
			s := e.Scenario(0).Pools[0].Strategy
			if s.Frontend.Stream != c.stream || s.Packed != c.packed || s.Reads != c.reads {
				t.Errorf("stream %t, packed %t, reads %q; want %t, %t, %q", s.Frontend.Stream, s.Packed, s.Reads, c.stream, c.packed, c.reads)
			}
			if shown := e.Spec.Strategies[0].Frontend.Stream; shown == nil || *shown != c.stream {
				t.Errorf("the resolved experiment does not say stream = %t", c.stream)
			}
		})
	}
}
