package roofline

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// What a model has beyond two norms and plain attention is launched, too.
func TestElementwiseLaunches(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	plain := d.Engine.ElementwiseKernels
	for _, c := range []struct {
		name   string
		change func(a *model.Architecture)
		want   float64 // of a layer, beyond plain
	}{
		{"plain", func(*model.Architecture) {}, 0},
		{"norms of queries and keys", func(a *model.Architecture) { a.QKNorm = true }, 1},
		{"four norms", func(a *model.Architecture) { a.NormsPerLayer = 4 }, 2},
		{"one norm", func(a *model.Architecture) { a.NormsPerLayer = 1 }, 0},
		{"latent attention", func(a *model.Architecture) {
			a.Latent = &model.Latent{KVRank: 512, RopeDim: 64, NopeDim: 128, ValueDim: 128}
		}, 4},
		{"experts", func(a *model.Architecture) { a.Experts = &model.Experts{Count: 8, Active: 2, FFN: 1024} }, 1},
		{"and shared ones", func(a *model.Architecture) {
			a.Experts = &model.Experts{Count: 8, Active: 2, FFN: 1024, SharedFFN: 1024}
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := d
			c.change(&changed.Architecture)
			if got := changed.elementwiseLaunches() / float64(changed.Architecture.Layers); math.Abs(got-plain-c.want) > 1e-12 {
				t.Errorf("%v launches a layer, want %v", got, plain+c.want)
			}
		})
	}
}

// A step with prompts takes at least its launches, unless a CUDA graph replays it.
func TestPromptsAreLaunchedEagerly(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.Engine.StepCPU, d.Engine.StepCPUPerSequence = 0, 0
	d.Engine.PromptLaunchFloor, d.Engine.GraphTokens = 2e-3, 512
	with := func(engine hardware.Engine, w *hardware.Work) units.Seconds {
		e := d
		e.Engine = engine
		return build(t, e).Step(w).Time
	}
	free := d.Engine
	free.PromptLaunchFloor = 0
	for name, c := range map[string]struct {
		work    *hardware.Work
		floored bool
	}{
		"a prompt":              {prefill(1, 513), true},
		"one that fits a graph": {prefill(1, 512), false},
		"decodes alone":         {decode(513, 10), false},
		"a chunk beside 512 decodes": {
			&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 1}}, DecodeRows: 512, DecodeContext: 512, LogitRows: 512}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := with(d.Engine, c.work), with(free, c.work)
			if c.floored {
				want = 32 * 2e-3
			}
			if math.Abs(float64(got-want)) > 1e-12 {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	latent := deployment(t, "h200-sxm", "sglang", "deepseek-v3", 8)
	latent.Engine.PromptLaunchFloor, latent.Engine.PromptLaunchFloorLatent = 0.1e-3, 20e-3
	if got := build(t, latent).Step(prefill(1, 100)).Time; math.Abs(float64(got-61*20e-3)) > 1e-12 {
		t.Errorf("61 latent layers at 20 ms a launch: %v", got)
	}
}

// Quantization that is fused into the kernel before leaves a product's launch alone, and no pass over its input.
func TestFusedQuantization(t *testing.T) {
	d := deployment(t, "b200-sxm", "trtllm", "llama-3.1-70b", 4)
	d.Weights, d.Activations = hardware.FP8, hardware.FP8
	fused := build(t, d)
	d.Engine.FusedQuantization = false
	apart := build(t, d)
	f, a := fused.layers[0].products[0], apart.layers[0].products[0]
	if f.quantizePerInput != 0 || a.quantizePerInput <= 0 {
		t.Errorf("a pass of %v where fused, %v where not", f.quantizePerInput, a.quantizePerInput)
	}
	if f.efficiency.Latency != fused.head.efficiency.Latency || f.efficiency.Latency >= a.efficiency.Latency {
		t.Errorf("a launch of %v where fused, %v where not, %v in 16 bits",
			f.efficiency.Latency, a.efficiency.Latency, fused.head.efficiency.Latency)
	}
	d.Engine.FusedQuantization, d.Architecture.FP8Block = true, true
	if got := build(t, d).layers[0].products[0]; got.quantizePerInput == 0 {
		t.Error("scales of blocks are fused, too")
	}
}

// A drafter's layers are launched while the accelerators work on the model: a prompt waits for
// no launches of theirs.
func TestPromptsOfADrafterWaitForNoLaunches(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4)
	draft, err := model.Lookup("llama-3.2-1b")
	if err != nil {
		t.Fatal(err)
	}
	d.Speculation = &Speculation{Method: DraftModel, Draft: draft, Tokens: 3}
	w := prefill(1, 4096) // which the accelerators work on for longer than the host launches it
	before := build(t, d).Step(w).Time
	d.Engine.PromptLaunchFloor *= 2
	if got := build(t, d).Step(w).Time; got != before {
		t.Errorf("%v with twice the launch floor, %v before", got, before)
	}
}
