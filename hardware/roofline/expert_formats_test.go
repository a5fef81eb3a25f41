package roofline

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/hardware"
)

// TestExpertsOfOneScale: experts in fp8 run the kernels of their checkpoint's scales, one per
// tensor (Mixtral) or one per block (Qwen3), which take longer.
func TestExpertsOfOneScale(t *testing.T) {
	for name, want := range map[string]string{"mixtral-8x7b": "fp8", "qwen3-30b-a3b": hardware.FP8Block} {
		d := deployment(t, "h100-sxm", "trtllm", name, 1)
		d.Weights, d.Activations = hardware.FP8, hardware.FP8
		f := d.routed()
		if got := f.grouped(d.Architecture.FP8Block); got != want {
			t.Errorf("%s: kernels in %s, want %s", name, got, want)
		}
	}
	d := deployment(t, "h100-sxm", "trtllm", "mixtral-8x7b", 1)
	d.Weights, d.Activations = hardware.FP8, hardware.FP8
	whole := build(t, d).Step(prefill(1, 8192)).Time
	d.Architecture.FP8Block = true
	if blocks := build(t, d).Step(prefill(1, 8192)).Time; blocks < 1.5*whole {
		t.Errorf("a prompt takes %v with a scale per block, %v with one", blocks, whole)
	}
}

// TestBitsOfFourBitWeights: 4.5 bits in NVFP4, and 4.25 in MXFP4, which is gpt-oss's and all that AMD's accelerators take, whatever the
// activations; of integers as many as their groups say. A format that is not the checkpoint's has the usual groups.
func TestBitsOfFourBitWeights(t *testing.T) {
	for _, c := range []struct {
		accelerator, model   string
		weights, activations hardware.Precision
		bits                 float64
	}{
		{"b200-sxm", "llama-3.1-8b", hardware.FP4, hardware.FP4, 4.5}, {"h100-sxm", "llama-3.1-8b", hardware.FP4, hardware.BF16, 4.5},
		{"b200-sxm", "gpt-oss-20b", hardware.FP4, hardware.FP4, 4.25}, {"b200-sxm", "gpt-oss-20b", hardware.FP4, hardware.FP8, 4.25},
		{"h100-sxm", "gpt-oss-20b", hardware.FP4, hardware.BF16, 4.25}, {"h100-sxm", "gpt-oss-20b", hardware.INT4, hardware.BF16, 4.25},
		{"mi355x", "llama-3.1-8b", hardware.FP4, hardware.FP4, 4.25}, {"b200-sxm", "amd/Llama-3.1-8B-MXFP4", hardware.FP4, hardware.FP4, 4.25},
		{"h100-sxm", "llama-3.1-8b", hardware.INT4, hardware.BF16, 4.25}, {"h100-sxm", "kimi-k2.5", hardware.INT4, hardware.BF16, 4.5},
		{"b200-sxm", "kimi-k2.5", hardware.FP4, hardware.FP4, 4.5}, {"h100-sxm", "llama-3.1-8b", hardware.INT8, hardware.BF16, 8},
	} {
		d := deployment(t, c.accelerator, "vllm-v1", c.model, 1)
		d.Weights, d.Activations = c.weights, c.activations
		f := d.routed()
		if got := 8 * f.weightBytes(); got != c.bits {
			t.Errorf("%s on %s in %s with activations in %s: %v bits, want %v", c.model, c.accelerator, c.weights, c.activations, got, c.bits)
		}
	}
}

// TestKimiIsAsLargeAsItsFiles: the published checkpoint of 2025 has 594 GB, in tables of 16 bits and experts in groups of 32.
func TestKimiIsAsLargeAsItsFiles(t *testing.T) {
	d := deployment(t, "b200-sxm", "vllm-v1", "moonshotai/Kimi-K2-Thinking", 8)
	d.Weights, d.Activations, _ = d.Precisions()
	experts, rest := d.Architecture.MatrixWeights()-d.Architecture.CommonWeights(), d.Architecture.CommonWeights()+2*d.Architecture.EmbeddingWeights()
	f, wide := d.routed(), d.wide()
	if gb := (experts*f.weightBytes() + rest*wide.weightBytes()) / 1e9; gb < 590 || gb > 598 {
		t.Errorf("%.0f GB", gb)
	}
}

// TestNarrowWeightsInEightBitsAreEstimated: no kernels of them were measured, but of MXFP4 experts, whose constants say what they are.
func TestNarrowWeightsInEightBitsAreEstimated(t *testing.T) {
	for _, c := range []struct {
		accelerator, model   string
		weights, activations hardware.Precision
		want                 bool
	}{
		{"h100-sxm", "llama-3.1-8b", hardware.INT4, hardware.FP8, true}, {"h100-sxm", "mixtral-8x7b", hardware.INT4, hardware.FP8, true},
		{"a100-sxm-80", "llama-3.1-8b", hardware.INT4, hardware.INT8, true}, {"b200-sxm", "llama-3.1-8b", hardware.FP4, hardware.FP8, true},
		{"h100-sxm", "llama-3.1-8b", hardware.INT4, hardware.BF16, false}, {"h100-sxm", "llama-3.1-8b", hardware.FP8, hardware.FP8, false},
		{"b200-sxm", "llama-3.1-8b", hardware.FP4, hardware.FP4, false}, {"b200-sxm", "gpt-oss-20b", hardware.FP4, hardware.FP8, false},
	} {
		d := deployment(t, c.accelerator, "vllm-v1", c.model, 4)
		d.Weights, d.Activations = c.weights, c.activations
		said := slices.ContainsFunc(build(t, d).Estimated(), func(reason string) bool { return strings.Contains(reason, "stand in") })
		if said != c.want {
			t.Errorf("%s on %s, %s in %s: said %t", c.model, c.accelerator, c.weights, c.activations, said)
		}
	}
}
