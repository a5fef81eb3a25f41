package model

import (
	"regexp"
	"strings"

	"kneepoint/hardware"
)

// ending is how a name ends, and what it tells.
type ending struct {
	text      string
	formats   Checkpoint
	groupSize int
}

// quantized are the formats that the last words of a checkpoint's name on Hugging Face tell, as its publishers
// (Qwen, RedHatAI, NVIDIA and others) use them, with Architecture.GroupSize. Longer endings come first. MLX has a scale and a bias of 16
// bits for 64 weights, as much as a scale for 32.
var quantized = []ending{
	{"-fp8-dynamic", Checkpoint{hardware.FP8, hardware.FP8}, 0},
	{"-fp8-kv", Checkpoint{hardware.FP8, hardware.FP8}, 0},
	{"-fp8", Checkpoint{hardware.FP8, hardware.FP8}, 0},
	{"-nvfp4-v2", Checkpoint{hardware.FP4, hardware.FP4}, 0},
	{"-nvfp4", Checkpoint{hardware.FP4, hardware.FP4}, 0},
	{"-mxfp4-preview", Checkpoint{hardware.FP4, hardware.FP4}, 32},
	{"-mxfp4", Checkpoint{hardware.FP4, hardware.FP4}, 32},
	{"-fp4-v2", Checkpoint{hardware.FP4, hardware.FP4}, 0},
	{"-fp4", Checkpoint{hardware.FP4, hardware.FP4}, 0},
	{"-quantized.w8a8", Checkpoint{hardware.INT8, hardware.INT8}, 0},
	{"-quantized.w8a16", Checkpoint{Weights: hardware.INT8}, 0},
	{"-quantized.w4a16", Checkpoint{Weights: hardware.INT4}, 0},
	{"-gptq-int8", Checkpoint{Weights: hardware.INT8}, 0},
	{"-gptq-int4", Checkpoint{Weights: hardware.INT4}, 0},
	{"-gptq", Checkpoint{Weights: hardware.INT4}, 0},
	{"-awq-int4", Checkpoint{Weights: hardware.INT4}, 0},
	{"-awq", Checkpoint{Weights: hardware.INT4}, 0},
	{"-unsloth-bnb-4bit", Checkpoint{Weights: hardware.INT4}, 0},
	{"-bnb-4bit", Checkpoint{Weights: hardware.INT4}, 0},
	{"-mlx-4bit", Checkpoint{Weights: hardware.INT4}, 32},
	{"-mlx-8bit", Checkpoint{Weights: hardware.INT8}, 0},
	{"-4bit", Checkpoint{Weights: hardware.INT4}, 32},
	{"-8bit", Checkpoint{Weights: hardware.INT8}, 0},
}

// month is the month of a checkpoint at the end of its name, like 2507, and thinking the word before it of those that were
// trained to, which some families publish beside others of the same shape.
var (
	month    = regexp.MustCompile(`-\d{4}$`)
	thinking = regexp.MustCompile(`-thinking$`)
)

// spelled looks up a name as it is, without the ending that tells its formats, and without its month and what it was trained to.
func spelled(all []Architecture, name string) (Architecture, bool) {
	if a, ok := named(all, name); ok {
		return a, true
	}
	bare, told := withoutFormats(name)
	a, ok := named(all, bare)
	for _, last := range []*regexp.Regexp{month, thinking} {
		if !ok {
			bare = last.ReplaceAllString(bare, "")
			a, ok = named(all, bare)
		}
	}
	if ok && told.text != "" {
		a.Checkpoint, a.GroupSize = told.formats, told.groupSize
		a.FP8Block = a.FP8Block && sameOwner(name, a.HuggingFace)
	}
	return a, ok
}

// named looks up a spelling of the catalog.
func named(all []Architecture, name string) (Architecture, bool) {
	wanted := canonical(name)
	for _, a := range all {
		for _, known := range a.names() {
			if canonical(known) == wanted {
				return a, true
			}
		}
	}
	return Architecture{}, false
}

// withoutFormats is a name without the ending that tells its formats.
func withoutFormats(name string) (string, ending) {
	lower := strings.ToLower(strings.TrimSpace(name))
	for _, q := range quantized {
		if bare, ok := strings.CutSuffix(lower, q.text); ok {
			return bare, q
		}
	}
	return lower, ending{}
}

// sameOwner tells whether a checkpoint is published by whom the model is, so that the catalog knows whether
// its scales are by block. Without an owner it is.
func sameOwner(name, original string) bool {
	owner, _, given := strings.Cut(strings.TrimSpace(name), "/")
	whose, _, _ := strings.Cut(original, "/")
	return !given || strings.EqualFold(owner, whose)
}
