package model

import (
	"fmt"
	"strings"
	"testing"
)

// exactly names a module in each of a model's layers.
func exactly(layers int, module string) string {
	names := []string{`"lm_head"`}
	for i := range layers {
		names = append(names, fmt.Sprintf(`"model.layers.%d.%s"`, i, module))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// TestAttentionThatQuantizationLeavesOut: the lists of published checkpoints (Kimi-K2-Thinking's first), and those
// that leave other modules out.
func TestAttentionThatQuantizationLeavesOut(t *testing.T) {
	int4 := `"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "int"}}}, "ignore": `
	for _, c := range []struct {
		model, quantization string
		want                bool
	}{
		{"deepseek-v3.2", int4 + `["lm_head", "re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]`, true},
		{"llama-3.1-8b", int4 + exactly(32, "self_attn.o_proj"), true},
		{"llama-3.1-8b", int4 + exactly(16, "self_attn.o_proj"), false},
		{"llama-3.1-8b", int4 + exactly(32, "self_attn.q_proj"), false},
		{"llama-3.1-8b", int4 + `["lm_head", "re:.*mlp.gate$", "re:self_attn"]`, false},
		{"llama-3.1-8b", int4 + `null`, false},
		{"llama-3.1-8b", `"quant_method": "fp8", "ignore": ["re:.*self_attn.*"], "modules_to_not_convert": []`, true},
		{"llama-3.1-8b", `"quant_method": "fbgemm_fp8", "modules_to_not_convert": ` + exactly(32, "self_attn.o_proj"), true},
		{"llama-3.1-8b", `"quant_method": "fp8", "modules_to_not_convert": ["self_attn"]`, true},
		{"llama-3.1-8b", `"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["model.layers.*.self_attn*"]`, true},
		{"llama-3.1-8b", `"quant_method": "modelopt", "quant_algo": "NVFP4", "exclude_modules": ["lm_head"]`, false},
		{"llama-3.1-8b", `"quant_method": "fp8", "ignored_layers": ["self_attn"]`, true},
		{"llama-3.1-8b", `"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4"}}, "exclude": ["*self_attn*", "lm_head"]`, true},
		{"qwen3-next-80b-a3b", int4 + `["re:.*linear_attn.*"]`, true},
		{"qwen3-next-80b-a3b", int4 + `["re:.*self_attn.*"]`, false},
		{"qwen3-next-80b-a3b", int4 + `["re:.*linear_attn.in_proj_(a|b)$"]`, false},
	} {
		text := strings.TrimSuffix(configurations[c.model], "}") + `, "quantization_config": {` + c.quantization + "}}"
		got, err := ParseConfig([]byte(text))
		if err != nil || got.WideAttention != c.want || got.Checkpoint.Weights == "" {
			t.Errorf("%s, %.120s: wide %t, %v, weights %q; want %t", c.model, c.quantization, got.WideAttention, err, got.Checkpoint.Weights, c.want)
		}
	}
}

// TestConfigSaysWhichLayersAreDense: each way to say that the first three layers of 61 have no experts.
func TestConfigSaysWhichLayersAreDense(t *testing.T) {
	types := func(dense, sparse int) string {
		return "[" + strings.TrimPrefix(strings.Repeat(`, "dense"`, dense)+strings.Repeat(`, "sparse"`, sparse), ", ") + "]"
	}
	for _, c := range []struct {
		keys string
		want int
	}{
		{`"first_k_dense_replace": 3`, 3},
		{`"mlp_layer_types": ` + types(3, 58), 3},
		{`"mlp_layer_types": ` + types(4, 57) + `, "first_k_dense_replace": 3`, 4},
		{`"first_k_dense_replace": 3, "moe_layer_freq": 1`, 3},
		{`"first_k_dense_replace": 3, "moe_layer_freq": 2`, 61 - 29}, // experts in 4, 6, ..., 60
	} {
		text := strings.Replace(configurations["deepseek-v3"], `"first_k_dense_replace": 3`, c.keys, 1)
		if a, err := ParseConfig([]byte(text)); err != nil || a.DenseLayers() != c.want {
			t.Errorf("%.60s: %d dense layers, %v; want %d", c.keys, a.DenseLayers(), err, c.want)
		}
	}
}

// TestConfigRefusesOtherMixers: a known class whose layers do not all attend, by the keys that hybrids have.
func TestConfigRefusesOtherMixers(t *testing.T) {
	const types = `: not supported yet; allowed: full_attention, sliding_attention in layer_types`
	const patterns = `: not a pattern of modules; allowed: names, with * for any text, and after "re:" regular expressions without lookarounds`
	for _, c := range []struct{ model, keys, want string }{
		{"llama-3.1-8b", `"linear_attn_config": {}`, `linear_attn_config` + types},
		{"llama-3.1-8b", `"linear_num_value_heads": 32`, `linear_num_value_heads` + types},
		{"llama-3.1-8b", `"attn_type_list": [1, 0]`, `attn_type_list[1] = 0: not supported yet; allowed: 1`},
		{"llama-3.1-8b", `"attn_type_list": [1, 1], "linear_attn_config": null`, ``},
		{"deepseek-v3", `"mlp_layer_types": ["dense"]`, `mlp_layer_types = 1: types for 61 layers; allowed: a list of 61`},
		{"deepseek-v3", `"mlp_layer_types": [` + strings.Repeat(`"sparse", `, 60) + `"hash"]`,
			`mlp_layer_types[60] = "hash": not supported yet; allowed: dense, sparse`},
		{"llama-3.1-8b", `"quantization_config": {"quant_method": "fp8", "ignore": ["re:(?!lm_head)"]}`,
			`quantization_config.ignore[0] = "re:(?!lm_head)"` + patterns},
		{"llama-3.1-8b", `"quantization_config": {"quant_method": "fp8", "ignore": [3]}`,
			`quantization_config.ignore[0] = 3` + patterns},
	} {
		got := ""
		if _, err := ParseConfig([]byte(strings.TrimSuffix(configurations[c.model], "}") + ", " + c.keys + "}")); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
