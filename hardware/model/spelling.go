package model

import (
	"regexp"
	"strings"

	"kneepoint/hardware"
)

// quantized are the formats that the last words of a checkpoint's name on Hugging Face tell, as its publishers
// (Qwen, RedHatAI, NVIDIA and others) use them. Longer endings come first.
var quantized = []struct {
	ending  string
	formats Checkpoint
}{
	{"-fp8-dynamic", Checkpoint{hardware.FP8, hardware.FP8}},
	{"-fp8-kv", Checkpoint{hardware.FP8, hardware.FP8}},
	{"-fp8", Checkpoint{hardware.FP8, hardware.FP8}},
	{"-nvfp4-v2", Checkpoint{hardware.FP4, hardware.FP4}},
	{"-nvfp4", Checkpoint{hardware.FP4, hardware.FP4}},
	{"-mxfp4-preview", Checkpoint{hardware.FP4, hardware.FP4}},
	{"-mxfp4", Checkpoint{hardware.FP4, hardware.FP4}},
	{"-fp4-v2", Checkpoint{hardware.FP4, hardware.FP4}},
	{"-fp4", Checkpoint{hardware.FP4, hardware.FP4}},
	{"-quantized.w8a8", Checkpoint{hardware.INT8, hardware.INT8}},
	{"-quantized.w8a16", Checkpoint{Weights: hardware.INT8}},
	{"-quantized.w4a16", Checkpoint{Weights: hardware.INT4}},
	{"-gptq-int8", Checkpoint{Weights: hardware.INT8}},
	{"-gptq-int4", Checkpoint{Weights: hardware.INT4}},
	{"-gptq", Checkpoint{Weights: hardware.INT4}},
	{"-awq-int4", Checkpoint{Weights: hardware.INT4}},
	{"-awq", Checkpoint{Weights: hardware.INT4}},
	{"-unsloth-bnb-4bit", Checkpoint{Weights: hardware.INT4}},
	{"-bnb-4bit", Checkpoint{Weights: hardware.INT4}},
	{"-mlx-4bit", Checkpoint{Weights: hardware.INT4}},
	{"-mlx-8bit", Checkpoint{Weights: hardware.INT8}},
	{"-4bit", Checkpoint{Weights: hardware.INT4}},
	{"-8bit", Checkpoint{Weights: hardware.INT8}},
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
	bare, formats := withoutFormats(name)
	a, ok := named(all, bare)
	for _, ending := range []*regexp.Regexp{month, thinking} {
		if !ok {
			bare = ending.ReplaceAllString(bare, "")
			a, ok = named(all, bare)
		}
	}
	if ok && formats != (Checkpoint{}) {
		a.Checkpoint, a.FP8Block = formats, a.FP8Block && sameOwner(name, a.HuggingFace)
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
func withoutFormats(name string) (string, Checkpoint) {
	lower := strings.ToLower(strings.TrimSpace(name))
	for _, q := range quantized {
		if bare, ok := strings.CutSuffix(lower, q.ending); ok {
			return bare, q.formats
		}
	}
	return lower, Checkpoint{}
}

// sameOwner tells whether a checkpoint is published by whom the model is, so that the catalog knows whether
// its scales are by block. Without an owner it is.
func sameOwner(name, original string) bool {
	owner, _, given := strings.Cut(strings.TrimSpace(name), "/")
	whose, _, _ := strings.Cut(original, "/")
	return !given || strings.EqualFold(owner, whose)
}
