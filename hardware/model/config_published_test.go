package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/hardware"
)

// published are configurations of well-known models that the catalog does not have, cut to what is read, with the billions of
// parameters of all and of a token that their cards tell. Sources: ai-dynamo/aiconfigurator, src/aiconfigurator/model_configs (GLM, Qwen3-VL);
// NVIDIA/TensorRT-LLM, tests of Qwen2.5-VL; the text encoder of FLUX.2, which is a Mistral-Small-3.
var published = map[string]struct {
	all, active float64
	config      string
}{
	"GLM-4.7-Flash": {30, 3, `{"architectures": ["Glm4MoeLiteForCausalLM"], "num_hidden_layers": 47, "hidden_size": 2048, "num_attention_heads": 20,
		"num_key_value_heads": 20, "head_dim": 64, "intermediate_size": 10240, "vocab_size": 154880, "max_position_embeddings": 202752,
		"n_routed_experts": 64, "n_shared_experts": 1, "num_experts_per_tok": 4, "moe_intermediate_size": 1536, "first_k_dense_replace": 1,
		"kv_lora_rank": 512, "q_lora_rank": 768, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256, "tie_word_embeddings": false}`},
	"Qwen3-VL-235B-A22B": {235, 22, `{"architectures": ["Qwen3VLMoeForConditionalGeneration"], "tie_word_embeddings": false, "vision_config": {"depth": 27},
		"text_config": {"attention_bias": false, "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 4096, "intermediate_size": 12288,
		"max_position_embeddings": 262144, "mlp_only_layers": [], "moe_intermediate_size": 1536, "num_attention_heads": 64, "num_experts": 128,
		"num_experts_per_tok": 8, "num_hidden_layers": 94, "num_key_value_heads": 4, "rope_theta": 5000000, "vocab_size": 151936}}`},
	"Qwen2.5-VL-7B": {7.6, 7.6, `{"architectures": ["Qwen2_5_VLForConditionalGeneration"], "hidden_size": 3584, "intermediate_size": 18944,
		"max_position_embeddings": 128000, "max_window_layers": 28, "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4,
		"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}, "sliding_window": 32768, "use_sliding_window": false,
		"tie_word_embeddings": false, "vision_config": {"depth": 32}, "vocab_size": 152064}`},
	"Mistral-Small-3.1-24B": {24, 24, `{"architectures": ["Mistral3ForConditionalGeneration"], "vision_config": {"head_dim": 64}, "text_config": {
		"head_dim": 128, "hidden_size": 5120, "intermediate_size": 32768, "max_position_embeddings": 131072, "num_attention_heads": 32,
		"num_hidden_layers": 40, "num_key_value_heads": 8, "rope_theta": 1000000000.0, "sliding_window": null, "vocab_size": 131072}}`},
}

// TestPublishedConfigurations: each is as large as its card tells, within rounding, and all of its layers attend to everything.
func TestPublishedConfigurations(t *testing.T) {
	for name, c := range published {
		a, err := ParseConfig([]byte(c.config))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		near := func(got, want float64) bool { return got > 0.95*want && got < 1.06*want }
		if !near(a.Parameters()/1e9, c.all) || c.active > 3 && !near(a.ActiveParameters()/1e9, c.active) || a.FullLayers() != a.Layers {
			t.Errorf("%s: %.3g billion parameters, %.3g active, %d of %d layers attend to all; want %v and %v", name,
				a.Parameters()/1e9, a.ActiveParameters()/1e9, a.FullLayers(), a.Layers, c.all, c.active)
		}
	}
}

// TestQuantizationOfTheWholeGoesBeforeTheTexts: NVIDIA's checkpoint of Kimi-K2.5 has the quantization of the model that it was made
// from in its text's configuration, and its own in the file beside; others have their own beside the text's.
func TestQuantizationOfTheWholeGoesBeforeTheTexts(t *testing.T) {
	const text = `"text_config": {"num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 64, "num_key_value_heads": 64,
		"intermediate_size": 18432, "vocab_size": 163840, "max_position_embeddings": 262144, "first_k_dense_replace": 1, "kv_lora_rank": 512,
		"q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "moe_intermediate_size": 2048,
		"n_routed_experts": 384, "n_shared_experts": 1, "num_experts_per_tok": 8, "quantization_config": {"quant_method": "compressed-tensors",
		"config_groups": {"group_0": {"input_activations": null, "weights": {"num_bits": 4, "type": "int", "group_size": 32}}},
		"ignore": ["lm_head", "re:.*self_attn.*"]}}`
	const kimi = `{"architectures": ["KimiK25ForConditionalGeneration"], ` + text
	const nvfp4 = `{"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "group_size": 16}}`
	const fp8 = `, "quantization_config": {"quant_method": "fp8"}`
	for _, c := range []struct {
		config, beside string
		want           Checkpoint
		group          int
	}{
		{kimi + "}", "", Checkpoint{Weights: hardware.INT4}, 32},
		{kimi + "}", nvfp4, Checkpoint{hardware.FP4, hardware.FP4}, 16},
		{kimi + fp8 + "}", "", Checkpoint{hardware.FP8, hardware.FP8}, 0},
		{kimi + fp8 + "}", nvfp4, Checkpoint{hardware.FP8, hardware.FP8}, 0},
	} {
		folder := t.TempDir()
		for name, text := range map[string]string{"config.json": c.config, "hf_quant_config.json": c.beside} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if a, err := LoadConfig(folder); err != nil || a.Checkpoint != c.want || !a.WideAttention || a.GroupSize != c.group {
			t.Errorf("beside %q: %+v in groups of %d, wide %t, %v; want %+v in groups of %d", c.beside, a.Checkpoint, a.GroupSize, a.WideAttention, err, c.want, c.group)
		}
	}
}

// TestQuantizationOfModelOptimizerStandsBeside: NVIDIA's older checkpoints have a file of its own for it, and what the
// configuration says goes before that.
func TestQuantizationOfModelOptimizerStandsBeside(t *testing.T) {
	llama := configurations["llama-3.1-8b"]
	file := `{"producer": {"name": "modelopt", "version": "0.33.0"}, "quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8",
		"group_size": 16, "exclude_modules": ["lm_head", "*.self_attn*"]}}`
	own := strings.TrimSuffix(llama, "}") + `, "quantization_config": {"quant_method": "awq", "bits": 4}}`
	for _, c := range []struct {
		config, beside string
		want           Checkpoint
		wide           bool
		problem        string
	}{
		{llama, file, Checkpoint{hardware.FP4, hardware.FP4}, true, ""},
		{own, file, Checkpoint{Weights: hardware.INT4}, false, ""},
		{llama, `{}`, Checkpoint{}, false, "has no quantization"},
		{llama, `{"quantization": {"quant_algo": "W3"}}`, Checkpoint{}, false, `quantization_config.quant_algo = "W3": unknown quantization`},
		{llama, `{`, Checkpoint{}, false, ""},
	} {
		folder := t.TempDir()
		for name, text := range map[string]string{"config.json": c.config, "hf_quant_config.json": c.beside} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		a, err := LoadConfig(folder)
		if other := filepath.Join(folder, "llama.json"); os.WriteFile(other, []byte(llama), 0o600) == nil {
			if b, err := LoadConfig(other); err != nil || b.Checkpoint != (Checkpoint{}) {
				t.Errorf("of another configuration in the folder: %+v, %v", b.Checkpoint, err)
			}
		}
		refused := c.problem != "" || c.beside == "{"
		if refused != (err != nil) || err != nil && !strings.Contains(err.Error(), c.problem) || a.Checkpoint != c.want || a.WideAttention != c.wide {
			t.Errorf("%s: %+v, wide %t, %v; want %+v, %t, %q", c.beside, a.Checkpoint, a.WideAttention, err, c.want, c.wide, c.problem)
		}
	}
}
