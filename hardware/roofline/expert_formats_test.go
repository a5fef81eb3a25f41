package roofline

import (
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
