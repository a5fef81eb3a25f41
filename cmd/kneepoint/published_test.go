package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"kneepoint/experiments"
)

// results runs an experiment with --json and returns what it printed.
func results(t *testing.T, text string, args ...string) *experiments.Results {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("test.toml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := command(t, append([]string{"run", "test.toml", "--json", "-q"}, args...)...)
	if code != exitDone {
		t.Fatalf("exit status %d: %s", code, stderr)
	}
	var res experiments.Results
	if err := json.Unmarshal([]byte(stdout), &res); err != nil {
		t.Fatal(err)
	}
	return &res
}

// only returns the only run of a strategy.
func only(t *testing.T, res *experiments.Results, strategy string) experiments.Run {
	t.Helper()
	for _, run := range res.Runs {
		if run.Strategy == strategy {
			return run
		}
	}
	t.Fatalf("no run of %q", strategy)
	return experiments.Run{}
}

// Every row of a published trace is accounted for, with its tokens, and on one
// H100 continuous batching serves it better than static batches of 32.
func TestAzureConversationTrace(t *testing.T) {
	trace, err := filepath.Abs("../../../shared/traces/azure-2023/AzureLLMInferenceTrace_conv.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(trace); err != nil {
		t.Skip("the replay of the Azure trace needs ../shared")
	}
	res := results(t, `
title = "Azure conversations of 2023"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload.trace]
path = `+"'"+trace+"'"+`
format = "azure"
[slo]
ttft_ms = 500
tpot_ms = 50
[[strategy]]
name = "static"
batching = "static"
max_num_seqs = 32
[[strategy]]
name = "continuous"
`)
	for _, run := range res.Runs {
		m := run.Metrics
		if got := m["completed"] + m["unfinished"] + m["rejected"]; got != 19366 {
			t.Errorf("%s: %v requests are accounted for, want 19366", run.Strategy, got)
		}
		if in, out := m["total_input_tokens"], m["total_output_tokens"]; in != 22361870 || out != 4088665 {
			t.Errorf("%s: %v prompt and %v output tokens, want 22361870 and 4088665", run.Strategy, in, out)
		}
	}
	static, continuous := only(t, res, "static").Metrics, only(t, res, "continuous").Metrics
	if continuous["p99_ttft_ms"] >= static["p99_ttft_ms"] || continuous["request_goodput"] <= static["request_goodput"] {
		t.Errorf("continuous: p99 TTFT %v ms, goodput %v; static: %v ms, %v", continuous["p99_ttft_ms"],
			continuous["request_goodput"], static["p99_ttft_ms"], static["request_goodput"])
	}
}

// Table 2 of "LLM Inference Performance Engineering: Best Practices"
// (Databricks, October 2023), from the experiment file to the throughput: one
// static batch of MPT-7B on an A100-40GB, 512 tokens in and 64 out.
func TestDatabricksThroughExperiment(t *testing.T) {
	published := map[float64]float64{1: 0.9, 4: 3.2, 8: 5.3, 16: 8.0, 32: 10.5, 64: 12.5}
	res := results(t, `
title = "MPT-7B in static batches"
[model]
name = "mpt-7b"
weights = "fp16"
activations = "fp16"
kv = "fp16"
[hardware]
accelerator = "a100-sxm-40"
engine = "fastertransformer"
[workload.arrival]
process = "at_once"
[workload.input]
type = "fixed"
mean = 512
[workload.output]
type = "fixed"
mean = 64
[[strategy]]
name = "static"
batching = "static"
[sweep]
mode = "zip"
"workload.num_requests" = [1, 4, 8, 16, 32, 64]
"strategy.static.max_num_seqs" = [1, 4, 8, 16, 32, 64]
`)
	if len(res.Runs) != len(published) {
		t.Fatalf("%d runs, want %d", len(res.Runs), len(published))
	}
	for _, run := range res.Runs {
		batch := run.Metrics["completed"]
		got, want := run.Metrics["request_throughput"], published[batch]
		t.Logf("batch %2.0f: %.2f req/s, published %.1f (%+.1f %%)", batch, got, want, 100*(got/want-1))
		if math.Abs(got/want-1) > 0.15 {
			t.Errorf("batch %.0f: %.2f req/s, published %.1f", batch, got, want)
		}
	}
}
