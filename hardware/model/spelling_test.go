package model

import (
	"reflect"
	"testing"

	"kneepoint/hardware"
)

// The endings of checkpoints' names tell formats, and months nothing.
func TestCheckpointsByTheirNames(t *testing.T) {
	const fp8, int4 = hardware.FP8, hardware.INT4
	for _, c := range []struct {
		spelling, model string
		formats         Checkpoint
		block           bool
	}{
		{"Qwen/Qwen3-32B-FP8", "qwen3-32b", Checkpoint{fp8, fp8}, true},
		{"qwen3-32b-fp8", "qwen3-32b", Checkpoint{fp8, fp8}, true},
		{"RedHatAI/Qwen3-32B-FP8-dynamic", "qwen3-32b", Checkpoint{fp8, fp8}, false},
		{"neuralmagic/Meta-Llama-3.1-70B-Instruct-FP8", "llama-3.1-70b", Checkpoint{fp8, fp8}, false},
		{"Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", "qwen3-235b-a22b-2507", Checkpoint{fp8, fp8}, true},
		{"Qwen/Qwen3-235B-A22B-Thinking-2507", "qwen3-235b-a22b-2507", Checkpoint{}, true},
		{"Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3-30b-a3b-2507", Checkpoint{}, true},
		{"Qwen/Qwen3.5-9B-Thinking-2607", "qwen3.5-9b", Checkpoint{}, true}, // months and what a model was trained to tell nothing else
		{"moonshotai/Kimi-K2-Thinking", "kimi-k2.5", Checkpoint{Weights: int4}, false},
		{"moonshotai/Kimi-K2-Instruct-0905", "kimi-k2", Checkpoint{fp8, fp8}, true},
		{"neuralmagic/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "llama-3.1-8b", Checkpoint{Weights: int4}, false},
		{"neuralmagic/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "llama-3.1-8b", Checkpoint{hardware.INT8, hardware.INT8}, false},
		{"Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen2.5-72b", Checkpoint{Weights: int4}, false},
		{"Qwen/Qwen2.5-72B-Instruct-GPTQ-Int8", "qwen2.5-72b", Checkpoint{Weights: hardware.INT8}, false},
		{"nvidia/Llama-3.1-70B-Instruct-NVFP4", "llama-3.1-70b", Checkpoint{hardware.FP4, hardware.FP4}, false},
		{"deepseek-ai/DeepSeek-R1-0528", "deepseek-r1", Checkpoint{fp8, fp8}, true},
		{"nvidia/DeepSeek-R1-0528-FP4-v2", "deepseek-r1", Checkpoint{hardware.FP4, hardware.FP4}, false},
		{"amd/DeepSeek-R1-0528-MXFP4-Preview", "deepseek-r1", Checkpoint{hardware.FP4, hardware.FP4}, false},
		{"amd/Llama-3.1-70B-Instruct-FP8-KV", "llama-3.1-70b", Checkpoint{fp8, fp8}, false},
		{"TheBloke/Mixtral-8x7B-Instruct-v0.1-GPTQ", "mixtral-8x7b", Checkpoint{Weights: int4}, false},
		{"unsloth/Llama-3.2-3B-Instruct-bnb-4bit", "llama-3.2-3b", Checkpoint{Weights: int4}, false},
		{"mlx-community/Llama-3.2-3B-Instruct-8bit", "llama-3.2-3b", Checkpoint{Weights: hardware.INT8}, false},
		{"llama-3.1-405b-fp8", "llama-3.1-405b-fp8", lookup(t, "llama-3.1-405b-fp8").Checkpoint, false}, // in the catalog as it is
	} {
		if a := lookup(t, c.spelling); a.Name != c.model || a.Checkpoint != c.formats || a.FP8Block != c.block {
			t.Errorf("%s: %s in %+v, by block %v; want %s in %+v, %v", c.spelling, a.Name, a.Checkpoint, a.FP8Block, c.model, c.formats, c.block)
		}
	}
	if _, err := Lookup("Qwen/Qwen3-33B-FP8"); err == nil {
		t.Error("an unknown model in fp8 is known")
	}
}

// TestNamesAreFoundAsSpellingsAre: a model that is looked up by its name, of which one file is read, is the one of the whole catalog.
func TestNamesAreFoundAsSpellingsAre(t *testing.T) {
	all, err := architectures()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if want, ok := spelled(all, a.Name); !ok || !reflect.DeepEqual(lookup(t, a.Name), want) {
			t.Errorf("%s is looked up as another one than it is spelled", a.Name)
		}
	}
}
