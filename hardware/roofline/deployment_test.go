package roofline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

func TestNewSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		d    Deployment
		want string
	}{
		"no bf16": {with(deployment(t, "v100-sxm2-32", "vllm-v1", "llama-3.1-8b", 1), func(d *Deployment) { d.Activations = hardware.BF16 }),
			`model.activations = "bf16": v100-sxm2-32 does not compute in bf16; it would run in fp16; allowed: one of fp32, fp16`},
		"no fp8": {with(deployment(t, "a100-sxm-80", "vllm-v1", "llama-3.1-8b", 1), func(d *Deployment) { d.Weights, d.Activations = hardware.FP8, hardware.FP8 }),
			`model.activations = "fp8": a100-sxm-80 does not compute in fp8; it would run in bf16 with weights in fp8 (activations = "bf16"); allowed: one of fp32, bf16, fp16, int8`},
		"no experts": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 2), func(d *Deployment) { d.EP = 2 }),
			`hardware.ep = 2: llama-3.1-8b has no experts; allowed: 1`},
		"no data parallelism": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 2), func(d *Deployment) { d.DP = 2 }),
			`hardware.dp = 2: llama-3.1-8b has no experts to share among data-parallel groups; allowed: 1, and hardware.replicas for more`},
		"experts": {with(deployment(t, "h100-sxm", "vllm-v1", "qwen3-30b-a3b", 4), func(d *Deployment) { d.EP = 3 }),
			`hardware.ep = 3: 128 experts on tp*dp = 4 accelerators cannot be shared so; allowed: 1, 2, 4`},
		"stages": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1), func(d *Deployment) { d.PP = 33 }),
			`hardware.pp = 33: llama-3.1-8b has 32 layers; allowed: 1 to 32`},
		"too many": {with(deployment(t, "l40s", "vllm-v1", "llama-3.1-8b", 8), func(d *Deployment) { d.PP = 2 }),
			`hardware.pp = 2: a server has 8 l40s, and no network joins servers for tp*dp*pp = 16; allowed: 8 accelerators in all;` +
				` or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`},
		"too many groups": {with(deployment(t, "l40s", "vllm-v1", "qwen3-30b-a3b", 4), func(d *Deployment) { d.DP = 4 }),
			`hardware.dp = 4: a server has 8 l40s, and no network joins servers for tp*dp*pp = 16; allowed: 8 accelerators in all;` +
				` or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`},
		"heads": {deployment(t, "h100-sxm", "vllm-v1", "qwen2.5-7b", 8),
			`hardware.tp = 8: 28 heads and 4 KV heads of qwen2.5-7b cannot be split so; allowed: 1, 2, 4`},
		"groups of too many": {with(deployment(t, "l40s", "vllm-v1", "qwen3-30b-a3b", 16), func(d *Deployment) { d.DP = 2 }),
			`hardware.tp = 16: a server has 8 l40s, and no network joins servers for tp = 16; allowed: 1, 2, 4;` +
				` or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`},
		"stages of too many": {with(deployment(t, "l40s", "vllm-v1", "qwen3-30b-a3b", 16), func(d *Deployment) { d.PP = 4 }),
			`allowed: 1, 2; or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`},
		"experts over more": {with(deployment(t, "l40s", "vllm-v1", "qwen3-30b-a3b", 16), func(d *Deployment) { d.DP, d.EP = 2, 4 }),
			`allowed: 2, 4; or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`},
		"a draft": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 1), func(d *Deployment) {
			d.Weights = hardware.FP8
			s := windowed(t, "llama-3.1-8b", 0)
			d.Speculation = &s
		}), `hardware.tp = 1: llama-3.1-70b with llama-3.1-8b does not fit on 1 x h100-sxm: weights 76.1 GiB + activations 3.77 GiB + runtime 922 MiB` +
			` of 72.0 GiB usable (0.9 of 80.0 GiB) per accelerator; allowed: tp = 2 fits, or tp = 1 with weights = "int4"`},
		"a head": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 1), func(d *Deployment) {
			d.Speculation = &Speculation{Method: Eagle, Tokens: 1}
		}), `hardware.tp = 1: llama-3.1-70b does not fit on 1 x h100-sxm: weights 133 GiB + activations 3.77 GiB + runtime 922 MiB` +
			` of 72.0 GiB usable (0.9 of 80.0 GiB) per accelerator; allowed: tp = 2 fits, or tp = 1 with weights = "int4"`},
		"network": {deployment(t, "l40s", "vllm-v1", "llama-3.1-8b", 16),
			`hardware.tp = 16: a server has 8 l40s, and no network joins servers for tp = 16; allowed: 1, 2, 4, 8;` +
				` or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`},
		"negative": {deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", -1),
			`hardware.tp = -1: must be greater than 0; allowed: 1, 2, 4, 8, 16, 32`},
		"memory": {deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 1),
			`hardware.tp = 1: llama-3.1-70b does not fit on 1 x h100-sxm: weights 131 GiB + activations 3.77 GiB + runtime 922 MiB` +
				` of 72.0 GiB usable (0.9 of 80.0 GiB) per accelerator; allowed: tp = 2 fits, or tp = 1 with weights = "int4"`},
		"memory without fp8":    {deployment(t, "a100-sxm-80", "vllm-v1", "llama-3.1-70b", 1), `allowed: tp = 2 fits, or tp = 1 with weights = "int4"`},
		"narrower weights only": {deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-405b", 1), `allowed: tp = 16 fits, or tp = 8 with weights = "fp8", or tp = 4 with weights = "int4"`},
		"nothing fits": {deployment(t, "l4", "vllm-v1", "llama-3.1-405b", 1),
			`no tp fits on l4; an accelerator with more memory`},
		"context": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-2-7b", 1), func(d *Deployment) { d.MaxModelLen = 8192 }),
			`model.max_model_len = 8192: llama-2-7b has a context of 4096 tokens; allowed: 1 to 4096, or 0 for the model's own`},
		"wide weights": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-2-7b", 1), func(d *Deployment) { d.Activations = hardware.FP8 }),
			`model.weights = "bf16": wider than the activations (fp8); allowed: weights at most as wide as the activations`},
		"utilization": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-2-7b", 1), func(d *Deployment) { d.GPUMemoryUtilization = 90 }),
			`hardware.gpu_memory_utilization = 90: not a fraction; allowed: 0 to 1`},
		"block size": {with(deployment(t, "h100-sxm", "vllm-v1", "llama-2-7b", 1), func(d *Deployment) { d.BlockSize = -1 }),
			`strategy.kv.block_size = -1: must not be negative`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(c.d)
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.HasSuffix(bad.Error(), c.want) {
				t.Errorf("%s: got %v\nwant %s", name, err, c.want)
			}
		})
	}
}

func with(d Deployment, change func(*Deployment)) Deployment {
	change(&d)
	return d
}

func TestBudgetAddsUp(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	b := m.Memory()
	if sum := b.Weights + b.Activations + b.Reserve + b.KV; sum != b.Available || b.Available != b.Total*0.9 {
		t.Errorf("parts sum to %v of %v", sum, b.Available)
	}
	// Weights: every parameter in two bytes, but for the norms.
	a := m.Deployment().Architecture
	if want := 2 * a.Parameters(); float64(b.Weights) < 0.999*want || float64(b.Weights) > want {
		t.Errorf("weights %v, parameters take %v", float64(b.Weights), want)
	}
	if b.KVTokens%16 != 0 || float64(b.KVTokens)*131072 > float64(b.KV) || float64(b.KVTokens+16)*131072 <= float64(b.KV) {
		t.Errorf("%d tokens in %v", b.KVTokens, b.KV)
	}
}

func TestBudgetFollowsTheDeployment(t *testing.T) {
	base := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	bf16 := build(t, base).Memory()
	fp8KV := build(t, with(base, func(d *Deployment) { d.KV = hardware.FP8 })).Memory()
	if got := float64(fp8KV.KVTokens) / float64(bf16.KVTokens); got < 1.999 || got > 2.001 {
		t.Errorf("fp8 keys and values: %v times the tokens, want 2", got)
	}
	int4 := build(t, with(base, func(d *Deployment) { d.Weights = hardware.INT4 })).Memory()
	if got := float64(int4.Weights / bf16.Weights); got < 0.35 || got > 0.42 {
		t.Errorf("int4 weights take %v of bf16: 4.25/16 of the matrices, all of the tables", got)
	}
	tp8 := build(t, with(base, func(d *Deployment) { d.TP = 8 })).Memory()
	if want := bf16.Weights / 8; tp8.Weights != want {
		t.Errorf("weights at tp = 8: %v, want %v", tp8.Weights, want)
	}
	qwen := deployment(t, "h100-sxm", "vllm-v1", "qwen2.5-32b", 1)
	qwen.Architecture.Heads, qwen.Architecture.KVHeads = 40, 2
	qwen.TP = 4
	if got, want := build(t, qwen).Memory().KVPerToken, qwen.Architecture.KVBytesPerToken(hardware.BF16)/2; got != want {
		t.Errorf("two KV heads on four accelerators: %v per token, want %v (one head each)", got, want)
	}
	override := build(t, with(base, func(d *Deployment) { d.KVTokens = 12345 }))
	if override.Capacity().KVTokens != 12345 {
		t.Errorf("override: %d tokens", override.Capacity().KVTokens)
	}
}

func TestEstimatedNamesItsReasons(t *testing.T) {
	for _, engine := range []string{"ideal", "vllm-v1"} {
		measured := build(t, deployment(t, "h100-sxm", engine, "llama-3.1-8b", 8))
		if got := measured.Estimated(); len(got) != 0 {
			t.Errorf("%s on a measured accelerator rests on %v", engine, got)
		}
	}
	h20 := build(t, deployment(t, "h20", "sglang", "llama-3.1-8b", 2))
	all := strings.Join(h20.Estimated(), "; ")
	for _, want := range []string{"kernels of h20: as measured on h100-sxm", "all-reduce over 2 of h20", "engine sglang: compute_efficiency"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not among %q", want, all)
		}
	}
}

func TestCapacitySumsOverAccelerators(t *testing.T) {
	one := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)).Capacity()
	four := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 4)).Capacity()
	if four.PeakBandwidth != 4*one.PeakBandwidth || four.PeakCompute != 4*one.PeakCompute {
		t.Errorf("four: %+v, one: %+v", four, one)
	}
	if one.PeakLink != 0 || four.PeakLink != 4*450e9 {
		t.Errorf("links %v and %v", one.PeakLink, four.PeakLink)
	}
	quantized := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	quantized.Weights, quantized.Activations = hardware.FP8, hardware.FP8
	if got := build(t, quantized).Capacity().PeakCompute; got != 1979e12 {
		t.Errorf("peak in fp8 %v", got)
	}
}

// TestSuggestedDeploymentsFit builds what the message of a deployment that does
// not fit suggests.
func TestSuggestedDeploymentsFit(t *testing.T) {
	for _, c := range []struct {
		accelerator, model string
		tp                 int
		weights            hardware.Precision
	}{
		{"h100-sxm", "llama-3.1-70b", 2, hardware.BF16},
		{"h100-sxm", "llama-3.1-70b", 1, hardware.INT4},
		{"a100-sxm-80", "llama-3.1-70b", 1, hardware.INT4},
		{"h100-sxm", "llama-3.1-405b", 8, hardware.FP8},
		{"h100-sxm", "llama-3.1-405b", 4, hardware.INT4},
	} {
		d := deployment(t, c.accelerator, "vllm-v1", c.model, c.tp)
		d.Weights = c.weights
		if _, err := New(d); err != nil {
			t.Errorf("%s with %s: %v", c.model, c.weights, err)
		}
	}
}

// TestDraftsThatCannotBeShared: a draft with 14 heads runs on one of eight accelerators, and
// the results say so.
func TestDraftsThatCannotBeShared(t *testing.T) {
	for tp, alone := range map[int]bool{2: false, 8: true} {
		d := deployment(t, "h100-sxm", "vllm-v1", "qwen2.5-72b", tp)
		d.Weights = hardware.FP8
		s := windowed(t, "qwen2.5-0.5b", 0)
		d.Speculation = &s
		said := slices.Contains(build(t, d).Estimated(), "qwen2.5-0.5b runs on one accelerator: its heads cannot be shared by 8")
		if said != alone {
			t.Errorf("tp %d: said to run alone: %t", tp, said)
		}
	}
}

// TestSpeculationIsRefused: an unknown method, and a model without the module that is
// to guess, are errors that name both.
func TestSpeculationIsRefused(t *testing.T) {
	for method, want := range map[string]string{"eagel": `did you mean "eagle"`, MTP: "llama-3.1-8b has no module for multi-token prediction"} {
		d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
		d.Speculation = &Speculation{Method: method, Tokens: 1}
		if _, err := New(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want an error with %s, got %v", method, want, err)
		}
	}
}

// TestPrecisionsThatNobodyNames are those of the checkpoint, as far as the accelerator has them.
func TestPrecisionsThatNobodyNames(t *testing.T) {
	for _, tt := range []struct {
		accelerator, model              string
		named, weights, activations, kv hardware.Precision
	}{
		{"h100-sxm", "llama-3.1-8b", "", hardware.BF16, hardware.BF16, hardware.BF16},
		{"v100-sxm2-32", "llama-3.1-8b", "", hardware.FP16, hardware.FP16, hardware.FP16},
		{"h100-sxm", "llama-3.1-8b", hardware.FP8, hardware.FP8, hardware.BF16, hardware.BF16},
		{"h200-sxm", "deepseek-v3", "", hardware.FP8, hardware.FP8, hardware.BF16},
		{"h200-sxm", "deepseek-v3", hardware.BF16, hardware.BF16, hardware.BF16, hardware.BF16},
		{"a100-sxm-80", "deepseek-v3", "", hardware.FP8, hardware.BF16, hardware.BF16},
		{"h100-sxm", "gpt-oss-120b", "", hardware.FP4, hardware.BF16, hardware.BF16},
	} {
		d := deployment(t, tt.accelerator, "vllm-v1", tt.model, 1)
		d.Weights, d.Activations, d.KV = tt.named, "", ""
		if weights, activations, kv := d.Precisions(); weights != tt.weights || activations != tt.activations || kv != tt.kv {
			t.Errorf("%s on %s, weights %q: %s, %s, %s; want %s, %s, %s", tt.model, tt.accelerator, tt.named,
				weights, activations, kv, tt.weights, tt.activations, tt.kv)
		}
	}
}
