package roofline

import (
	"fmt"
	"testing"

	"kneepoint/hardware"
)

// vLLM's post on KV offloading (January 2026), figure 1: TTFT in milliseconds of
// a single request, Llama-3.1-8B on an H100, without a cache; prompts in
// thousands of tokens, chunks of the default 8192.
func TestTTFTOfLongPrompts(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	for thousands, published := range map[int]float64{10: 266, 20: 636, 30: 1100, 40: 1654, 50: 2292, 60: 3015, 70: 3848, 80: 4790, 90: 5742, 100: 6853} {
		t.Run(fmt.Sprint(thousands), func(t *testing.T) {
			n := thousands * 1000
			total := m.RequestTime(n)
			for at := 0; at < n; at += 8192 {
				w := &hardware.Work{Prefill: []hardware.Chunk{{Context: at, Tokens: min(8192, n-at)}}}
				if at+8192 >= n {
					w.LogitRows = 1
				}
				total += m.Step(w).Time
			}
			near(t, fmt.Sprintf("%d thousand tokens", thousands), total.Milliseconds(), published, 0.20)
		})
	}
}

// splitwise70B is Llama-2-70B in fp16 under vLLM of 2023.
func splitwise70B(t *testing.T, accelerator string, tp int) *Model {
	d := deployment(t, accelerator, "vllm-v0-2023", "llama-2-70b", tp)
	d.Weights, d.Activations, d.KV, d.KVTokens = hardware.FP16, hardware.FP16, hardware.FP16, 1<<16
	return build(t, d)
}

// SplitwiseSim's table (Mutinifni/splitwise-sim@8f99e7dc, MIT): milliseconds of a
// whole batch of prompts of 512 tokens, and of a token. Eager launches bind four
// and eight accelerators, and all-reduces of 64 MiB and more from 4,096 tokens on.
func TestSplitwiseBatches(t *testing.T) {
	for _, c := range []struct {
		accelerator string
		tp, batch   int
		ttft, token float64
	}{
		{"a100-sxm-80", 2, 1, 197, 54.9}, {"a100-sxm-80", 2, 4, 845, 60.5}, {"a100-sxm-80", 2, 16, 3239, 65.5}, {"a100-sxm-80", 2, 32, 6633, 72.2},
		{"h100-sxm", 2, 1, 83.8, 37.0}, {"h100-sxm", 2, 4, 300, 40.0}, {"h100-sxm", 2, 16, 1192, 42.0},
		{"a100-sxm-80", 4, 1, 127, 45.0}, {"a100-sxm-80", 4, 2, 254, 45.0}, {"a100-sxm-80", 8, 1, 94.3, 44.9}, {"a100-sxm-80", 8, 4, 292, 45.8},
		{"h100-sxm", 4, 1, 59.6, 29.7}, {"h100-sxm", 4, 4, 195, 29.9}, {"h100-sxm", 4, 16, 874, 32.8},
		{"a100-sxm-80", 4, 32, 5132, 52.4}, {"a100-sxm-80", 8, 32, 3525, 53.0}, {"h100-sxm", 8, 16, 812, 34.2}, {"h100-sxm", 8, 32, 1552, 38.6},
	} {
		m := splitwise70B(t, c.accelerator, c.tp)
		what := fmt.Sprintf("%s tp %d batch %d", c.accelerator, c.tp, c.batch)
		near(t, what+" prompts", m.Step(prefill(c.batch, 512)).Time.Milliseconds(), c.ttft, 0.25)
		near(t, what+" token", m.Step(decode(c.batch, 576)).Time.Milliseconds(), c.token, 0.25)
	}
}

// Where all-reduces fall to their lower rate is set by a model of 16 KiB a token; BLOOM has 28 KiB, and its prompts of 2,048
// tokens, 56 MiB, take as long as their share of 1,024 tokens while those of 4,096 take 2.6 times as long.
func TestSplitwiseLargeReduces(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v0-2023", "bloom-176b", 8)
	d.Weights, d.Activations, d.KV, d.KVTokens = hardware.FP16, hardware.FP16, hardware.FP16, 1<<16
	m := build(t, d)
	for batch, published := range map[int]float64{2: 131, 4: 239, 8: 625, 16: 1313, 64: 4996} {
		near(t, fmt.Sprintf("%d prompts", batch), m.Step(prefill(batch, 512)).Time.Milliseconds(), published, 0.2)
	}
}

func TestSplitwisePrompts(t *testing.T) {
	for accelerator, row := range map[string]map[int]float64{
		"a100-sxm-80": {256: 113, 512: 197, 1024: 377, 2048: 688, 4096: 1485, 8192: 2990},
		"h100-sxm":    {512: 84, 1024: 158, 2048: 310, 4096: 643, 8192: 1340},
	} {
		t.Run(accelerator, func(t *testing.T) {
			m := splitwise70B(t, accelerator, 2)
			for tokens, published := range row {
				near(t, fmt.Sprintf("%s prompt of %d", accelerator, tokens), m.Step(prefill(1, tokens)).Time.Milliseconds(), published, 0.25)
			}
		})
	}
}

// DistServe's fits of OPT under vLLM on A100-80GB (LLMServe/DistServe@82831f16,
// Apache-2.0): a + b*tokens for a prompt, a + b*context + c*batch for a token;
// milliseconds. The fixed part of a prompt on several accelerators, 30 to 45 ms
// of that engine's host, is not in the profile: slopes are compared.
func TestDistServeCoefficients(t *testing.T) {
	for _, c := range []struct {
		model                          string
		tp                             int
		perToken, fixed, context, each float64
	}{
		{"opt-13b", 1, 0.14051, 23.48, 5.93e-4, 0.0607}, {"opt-13b", 2, 0.09055, 24.54, 2.24e-4, 0.0872}, {"opt-13b", 4, 0.05151, 25.90, 7.8e-5, 0.0553},
		{"opt-66b", 4, 0.21287, 39.58, 6.95e-4, 0.1358}, {"opt-66b", 8, 0.15737, 31.18, 2.76e-4, 0.0680},
	} {
		d := deployment(t, "a100-sxm-80", "vllm-v0-2023", c.model, c.tp)
		d.Weights, d.Activations, d.KV, d.KVTokens = hardware.FP16, hardware.FP16, hardware.FP16, 1<<14
		m := build(t, d)
		what := fmt.Sprintf("%s tp %d", c.model, c.tp)
		slope := (m.Step(prefill(1, 2048)).Time - m.Step(prefill(1, 1024)).Time).Milliseconds() / 1024
		near(t, what+" per prompt token", slope, c.perToken, 0.25)
		near(t, what+" a token", m.Step(decode(1, 512)).Time.Milliseconds(), c.fixed+c.context*512+c.each, 0.25)
		near(t, what+" eight tokens", m.Step(decode(8, 512)).Time.Milliseconds(), c.fixed+c.context*8*512+8*c.each, 0.25)
	}
}
