package validate

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// experimentOf is what every e2e row of the tests has, with changes of a table.
func experimentOf(change func(model, hardware, workload, strategy map[string]any)) map[string]any {
	model := map[string]any{"name": "meta-llama/Llama-3.1-8B-Instruct", "weights": "bf16", "activations": "bf16"}
	hardware := map[string]any{"accelerator": "h100-sxm", "tp": int64(1), "engine": "vllm-v1"}
	workload := map[string]any{
		"num_requests": int64(40),
		"arrival":      map[string]any{"process": "poisson", "rate": 4.0, "normalize": true},
		"input":        map[string]any{"type": "fixed", "mean": 200.0},
		"output":       map[string]any{"type": "fixed", "mean": 50.0},
	}
	strategy := map[string]any{"name": "measured"}
	change(model, hardware, workload, strategy)
	return map[string]any{"title": "run", "model": model, "hardware": hardware, "workload": workload, "strategy": []map[string]any{strategy}}
}

func TestE2ERowsBecomeExperiments(t *testing.T) {
	type table = map[string]any
	for _, c := range []struct {
		name string
		row  string
		want func(model, hardware, workload, strategy table)
	}{
		{"as the defaults", e2eRow(), func(_, _, _, _ table) {}},
		{"a share of memory", e2eRow("gpu_memory_utilization=0.95"), func(_, hardware, _, _ table) { hardware["gpu_memory_utilization"] = 0.95 }},
		{"settings", e2eRow("kv_tokens_gpu=5000.0", "gpu_memory_utilization=0.95", "max_num_seqs=128.0", "max_num_batched_tokens=1024", "replicas=2"),
			func(_, hardware, _, strategy table) {
				hardware["kv_tokens"], hardware["replicas"] = int64(5000), int64(2)
				strategy["max_num_seqs"], strategy["max_num_batched_tokens"] = int64(128), int64(1024)
			}},
		{"precision", e2eRow("precision=fp8"), func(model, _, _, _ table) { model["weights"], model["activations"] = "fp8", "fp8" }},
		{"precision with a remark", e2eRow("precision=FP8 (e4m3)"), func(model, _, _, _ table) { model["weights"], model["activations"] = "fp8", "fp8" }},
		{"either 16-bit format", e2eRow("precision=fp16/bf16"), func(_, _, _, _ table) {}},
		{"repeated prompts", e2eRow("distinct_prompts=48"), func(_, _, workload, _ table) { workload["prefix"] = table{"distinct": int64(48)} }},
		{"replay", e2eRow("per_request_file=requests/a.csv.gz", "request_rate_rps=", "num_requests="), func(_, _, workload, _ table) {
			clear(workload)
			workload["trace"] = table{"path": "requests/a.csv.gz", "format": "measured"}
		}},
		{"replay with a limit of requests in flight", e2eRow("per_request_file=a.csv", "client=blis; max 256 in flight"), func(_, _, workload, _ table) {
			clear(workload)
			workload["trace"] = table{"path": "a.csv", "format": "measured"}
			workload["arrival"] = table{"process": "trace", "max_concurrency": int64(256)}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := measurements(t, []string{c.row}, nil)
			for _, file := range []string{"requests/a.csv.gz", "a.csv"} {
				write(t, filepath.Join(dir, "e2e", file), "arrival_s,prompt_tokens,output_tokens\n0,5,5\n")
			}
			got := read(t, dir)[0]
			if diff := cmp.Diff(experimentOf(c.want), got.Tree); diff != "" || got.Skip != "" {
				t.Errorf("skip %q, -want +got:\n%s", got.Skip, diff)
			}
			if filepath.Base(got.Folder) != "e2e" {
				t.Errorf("paths start from %s", got.Folder)
			}
		})
	}
}

func TestMeasuredColumns(t *testing.T) {
	all := []Measured{{"ttft_mean_ms", "mean_ttft_ms", 20}, {"tpot_mean_ms", "mean_tpot_ms", 8}, {"e2e_mean_ms", "mean_e2el_ms", 400}, {"e2e_p99_ms", "p99_e2el_ms", 500}}
	for _, c := range []struct {
		name, row, prefill string
		want               []Measured
	}{
		{"computed prompts", e2eRow(), "computed", all},
		{"cached prompts", e2eRow("distinct_prompts=48"), "cached", all},
		{"TTFT is not comparable when hits are unknown", e2eRow("prefix_caching=on; UNKNOWN prefix hits"), "unknown", all[1:]},
		{"empty and zero cells", e2eRow("ttft_mean_ms=", "tpot_mean_ms=0"), "computed", all[2:]},
	} {
		got := one(t, []string{c.row}, nil)
		if diff := cmp.Diff(c.want, got.Measured); diff != "" || got.Labels["prefill"] != c.prefill {
			t.Errorf("%s: prefill %s, -want +got:\n%s", c.name, got.Labels["prefill"], diff)
		}
	}
}

func TestSiliconRowsBecomeExperiments(t *testing.T) {
	for _, c := range []struct {
		name, row                string
		weights, activations, kv string
		hardware                 map[string]any
		clients, requests        int64
		shortest, longest        int64 // prompts; 0: all as stated
		accelerator, engine      string
	}{
		{name: "as the model is", row: siliconRow(), weights: "bf16", activations: "bf16", hardware: map[string]any{"tp": int64(1)},
			clients: 4, requests: 40, shortest: 800, longest: 1000, accelerator: "h100-sxm", engine: "vllm-v1"},
		{name: "fp8 with its KV", row: siliconRow("precision=fp8", "system=b200_sxm", "backend=trtllm", "tp_size=8"), weights: "fp8", activations: "fp8", kv: "fp8",
			hardware: map[string]any{"tp": int64(8)}, clients: 4, requests: 40, shortest: 800, longest: 1000, accelerator: "b200-sxm", engine: "trtllm"},
		{name: "Hopper computes fp4 in bf16", row: siliconRow("precision=fp4", "system=h200_sxm"), weights: "fp4", activations: "bf16", kv: "fp8",
			hardware: map[string]any{"tp": int64(1)}, clients: 4, requests: 40, shortest: 800, longest: 1000, accelerator: "h200-sxm", engine: "vllm-v1"},
		{name: "vLLM on H100 keeps KV in 16 bits", row: siliconRow("precision=fp8"), weights: "fp8", activations: "fp8",
			hardware: map[string]any{"tp": int64(1)}, clients: 4, requests: 40, shortest: 800, longest: 1000, accelerator: "h100-sxm", engine: "vllm-v1"},
		{name: "gpt-oss comes in fp4, and computes in fp8", row: siliconRow("model_path=openai/gpt-oss-120b", "system=b200_sxm"), weights: "fp4", activations: "fp8", kv: "fp8",
			hardware: map[string]any{"tp": int64(1)}, clients: 4, requests: 40, shortest: 800, longest: 1000, accelerator: "b200-sxm", engine: "vllm-v1"},
		{name: "clients of every attention group", row: siliconRow("attention_dp_size=2", "moe_ep_size=8.0", "batch_size=16"), weights: "bf16", activations: "bf16",
			hardware: map[string]any{"tp": int64(1), "dp": int64(2), "ep": int64(8)}, clients: 32, requests: 320, shortest: 800, longest: 1000, accelerator: "h100-sxm", engine: "vllm-v1"},
		{name: "a campaign that sent everything at once", row: siliconRow("backend=sglang", "backend_version=0.5.1.post1"), weights: "bf16", activations: "bf16",
			hardware: map[string]any{"tp": int64(1)}, clients: 4, requests: 4, longest: 1000, accelerator: "h100-sxm", engine: "sglang"},
		{name: "pipeline stages are passed on", row: siliconRow("pp_size=2"), weights: "bf16", activations: "bf16", hardware: map[string]any{"tp": int64(1), "pp": int64(2)},
			clients: 4, requests: 40, shortest: 800, longest: 1000, accelerator: "h100-sxm", engine: "vllm-v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := one(t, nil, []string{c.row})
			model := map[string]any{"name": got.Labels["model"], "weights": c.weights, "activations": c.activations}
			if c.kv != "" {
				model["kv"] = c.kv
			}
			c.hardware["accelerator"], c.hardware["engine"] = c.accelerator, c.engine
			want := map[string]any{"title": "run", "model": model, "hardware": c.hardware,
				"workload": map[string]any{"num_requests": c.requests, "arrival": map[string]any{"process": "closed", "concurrency": c.clients, "start": "at_once"},
					"input": lengths(c.shortest, c.longest), "output": lengths(c.shortest/10, c.longest/10)},
				"strategy": []map[string]any{{"name": "measured", "max_num_seqs": int64(256), "max_num_batched_tokens": int64(8192)}}}
			if diff := cmp.Diff(want, got.Tree); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff([]Measured{{"silicon_ttft_ms", "mean_ttft_ms", 50}, {"silicon_tpot_ms", "mean_tpot_ms", 8}}, got.Measured); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func lengths(shortest, longest int64) map[string]any {
	if shortest == 0 {
		return map[string]any{"type": "fixed", "mean": longest}
	}
	return map[string]any{"type": "uniform", "min": shortest, "max": longest}
}

// More clients than vLLM's usual limit of sequences get a limit to match.
func TestSiliconBatchesAreNotLimited(t *testing.T) {
	got := one(t, nil, []string{siliconRow("batch_size=512")})
	if n := got.Tree["strategy"].([]map[string]any)[0]["max_num_seqs"]; n != int64(512) {
		t.Errorf("max_num_seqs is %v, want 512", n)
	}
}
