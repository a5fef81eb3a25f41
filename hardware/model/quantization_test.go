package model

import (
	"strings"
	"testing"

	"kneepoint/hardware"
)

// TestCheckpointSaysItsFormats: quantization as published configurations have it, and what is
// wrong with others.
func TestCheckpointSaysItsFormats(t *testing.T) {
	w8a8 := Checkpoint{hardware.FP8, hardware.FP8}
	for _, tt := range []struct {
		quantization string
		want         Checkpoint
		problem      string
	}{
		{quantization: `null`},
		{quantization: `{"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128], "activation_scheme": "dynamic"}`, want: w8a8},
		{quantization: `{"weight_block_size": [128, 128]}`, want: w8a8},
		{quantization: `{"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn"]}`, want: Checkpoint{Weights: hardware.FP4}},
		{quantization: `{"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true}`, want: Checkpoint{Weights: hardware.INT4}},
		{quantization: `{"quant_method": "gptq", "bits": 8, "group_size": -1}`, want: Checkpoint{Weights: hardware.INT8}},
		{quantization: `{"quant_method": "bitsandbytes", "load_in_4bit": true}`, want: Checkpoint{Weights: hardware.INT4}},
		{quantization: `{"quant_method": "bitsandbytes", "load_in_8bit": true}`, want: Checkpoint{Weights: hardware.INT8}},
		{quantization: `{"quant_method": "modelopt", "quant_algo": "NVFP4"}`, want: Checkpoint{hardware.FP4, hardware.FP4}},
		{quantization: `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {
			"weights": {"num_bits": 8, "type": "float"}, "input_activations": {"num_bits": 8, "type": "float", "dynamic": true}}}}`, want: w8a8},
		{quantization: `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {
			"weights": {"num_bits": 8, "type": "int"}, "input_activations": {"num_bits": 8, "type": "int"}}}}`, want: Checkpoint{hardware.INT8, hardware.INT8}},
		{quantization: `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {
			"weights": {"num_bits": 4, "type": "int"}, "input_activations": null}}}`, want: Checkpoint{Weights: hardware.INT4}},
		{quantization: `{"group_size": 64, "bits": 4, "mode": "affine"}`, want: Checkpoint{Weights: hardware.INT4}}, // MLX
		{quantization: `{"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp8_e4m3", "qscheme": "per_tensor"},
			"input_tensors": {"dtype": "fp8_e4m3"}}, "exclude": ["lm_head"]}`, want: w8a8},
		{quantization: `{"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}, "input_tensors": null}}`,
			want: Checkpoint{Weights: hardware.FP4}},
		{quantization: `{"quant_method": "quark", "global_quant_config": {"weight": [{"dtype": "fp8_e4m3"}, {"dtype": "int4"}],
			"input_tensors": {"dtype": "fp8_e4m3"}}}`, want: Checkpoint{hardware.INT4, hardware.FP8}},

		{quantization: `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "float", "group_size": 32}}}}`,
			want: Checkpoint{Weights: hardware.FP4}},
		{quantization: `{"quant_method": "quark"}`, problem: `quantization_config.global_quant_config.weight: missing`},
		{quantization: `{"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp6"}}}`,
			problem: `quantization_config.global_quant_config.weight.dtype = "fp6": unknown quantization; allowed: one of fp4, fp8_e4m3, int4, int8, uint4`},
		{quantization: `{"quant_method": "quark", "global_quant_config": {"weight": [3]}}`,
			problem: `quantization_config.global_quant_config.weight = 3: not an object`},
		{quantization: `{"bits": 4}`, problem: `quantization_config.quant_method: unknown`},
		{quantization: `[]`, problem: `quantization_config`},
		{quantization: `{}`, problem: `quantization_config.quant_method`},
		{quantization: `{"quant_method": "awk", "bits": 4}`, problem: `quantization_config.quant_method = "awk": unknown quantization; allowed: one of auto-round, awq`},
		{quantization: `{"quant_method": "gptq"}`, problem: `quantization_config.bits: missing`},
		{quantization: `{"quant_method": "gptq", "bits": 3}`, problem: `quantization_config.bits = 3: not supported; allowed: 4, 8`},
		{quantization: `{"quant_method": "modelopt", "quant_algo": "FP4"}`, problem: `quantization_config.quant_algo = "FP4": unknown quantization`},
		{quantization: `{"quant_method": "compressed-tensors"}`, problem: `quantization_config.config_groups: missing`},
		{quantization: `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {}}}`, problem: `quantization_config.config_groups.weights: missing`},
		{quantization: `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 3, "type": "int"}}}}`,
			problem: `quantization_config.config_groups.weights.num_bits = 3: not supported; allowed: 4, 8`},
	} {
		text := strings.TrimSuffix(configurations["llama-3.1-8b"], "}") + `, "quantization_config": ` + tt.quantization + "}"
		got, err := ParseConfig([]byte(text))
		switch {
		case tt.problem == "" && (err != nil || got.Checkpoint != tt.want):
			t.Errorf("%s: %v, %v; want %v", tt.quantization, got.Checkpoint, err, tt.want)
		case tt.problem != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.problem)):
			t.Errorf("%s: %v, want %q", tt.quantization, err, tt.problem)
		}
	}
}

// TestGroupsOfWeights: by what each method says of them, and what names tell.
func TestGroupsOfWeights(t *testing.T) {
	const tensors = `{"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "float", "group_size": `
	const quark = `{"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": `
	for quantization, want := range map[string]int{
		`{"quant_method": "mxfp4"}`: 32,
		tensors + `32}}}}`:          32,
		tensors + `16}}}}`:          16,
		tensors + `null}}}}`:        0,
		quark + `32}}}`:             32,
		`{"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16}`: 16,
		`{"quant_method": "awq", "bits": 4, "group_size": 128}`:                 128,
		`{"quant_method": "gptq", "bits": 4, "group_size": -1}`:                 0,
		`{"group_size": 64, "bits": 4}`:                                         32,
		`{"quant_method": "fp8"}`:                                               0,
		`null`:                                                                  0,
	} {
		text := strings.TrimSuffix(configurations["llama-3.1-8b"], "}") + `, "quantization_config": ` + quantization + "}"
		if got, err := ParseConfig([]byte(text)); err != nil || got.GroupSize != want {
			t.Errorf("%s: %d, %v; want %d", quantization, got.GroupSize, err, want)
		}
	}
	for name, want := range map[string]int{"amd/Kimi-K2.5-MXFP4": 32, "nvidia/Kimi-K2.5-NVFP4": 0, "moonshotai/Kimi-K2.5": 32, "openai/gpt-oss-120b": 32,
		"amd/DeepSeek-R1-0528-MXFP4-Preview": 32, "llama-3.1-70b-fp4": 0, "mlx-community/Llama-3.2-3B-Instruct-4bit": 32} {
		if a := lookup(t, name); a.GroupSize != want {
			t.Errorf("%s: %d, want %d", name, a.GroupSize, want)
		}
	}
}
