package model

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// Configurations, cut to what is read, of models that are in the catalog.
var configurations = map[string]string{
	"llama-3.1-8b": `{"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336,
		"num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256,
		"max_position_embeddings": 131072, "tie_word_embeddings": false}`,
	"mistral-7b-v0.1": `{"architectures": ["MistralForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336,
		"num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 32000,
		"max_position_embeddings": 32768, "sliding_window": 4096}`,
	"qwen2.5-7b": `{"architectures": ["Qwen2ForCausalLM"], "hidden_size": 3584, "intermediate_size": 18944,
		"num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4, "vocab_size": 152064,
		"max_position_embeddings": 131072, "sliding_window": 4096, "use_sliding_window": false, "max_window_layers": 28}`,
	"gemma-3-27b": `{"architectures": ["Gemma3ForConditionalGeneration"], "vision_config": {}, "text_config": {"hidden_size": 5376,
		"intermediate_size": 21504, "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16, "head_dim": 128,
		"sliding_window": 1024, "vocab_size": 262144, "max_position_embeddings": 131072}}`,
	"gpt-oss-20b": `{"architectures": ["GptOssForCausalLM"], "hidden_size": 2880, "intermediate_size": 2880, "head_dim": 64,
		"num_attention_heads": 64, "num_hidden_layers": 24, "num_key_value_heads": 8, "vocab_size": 201088, "sliding_window": 128,
		"num_local_experts": 32, "num_experts_per_tok": 4, "max_position_embeddings": 131072, "tie_word_embeddings": false}`,
	"deepseek-v3": `{"architectures": ["DeepseekV3ForCausalLM"], "hidden_size": 7168, "intermediate_size": 18432,
		"num_attention_heads": 128, "num_hidden_layers": 61, "num_key_value_heads": 128, "vocab_size": 129280,
		"q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
		"n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": 1,
		"first_k_dense_replace": 3, "max_position_embeddings": 163840, "quantization_config": {"weight_block_size": [128, 128]}}`,
	"deepseek-v3.2": `{"architectures": ["DeepseekV32ForCausalLM"], "hidden_size": 7168, "intermediate_size": 18432,
		"num_attention_heads": 128, "num_hidden_layers": 61, "num_key_value_heads": 128, "vocab_size": 129280,
		"q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
		"n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": 1, "index_head_dim": 128,
		"index_n_heads": 64, "index_topk": 2048, "first_k_dense_replace": 3, "max_position_embeddings": 163840}`,
	"deepseek-v4-pro": `{"architectures": ["DeepseekV4ForCausalLM"], "hidden_size": 7168, "head_dim": 512, "num_attention_heads": 128,
		"num_hidden_layers": 61, "num_key_value_heads": 1, "vocab_size": 129280, "q_lora_rank": 1536, "qk_rope_head_dim": 64,
		"o_groups": 16, "o_lora_rank": 1024, "hc_mult": 4, "expert_dtype": "fp4", "sliding_window": 128, "index_head_dim": 128,
		"index_n_heads": 64, "index_topk": 1024, "n_routed_experts": 384, "num_experts_per_tok": 6, "moe_intermediate_size": 3072,
		"n_shared_experts": 1, "num_nextn_predict_layers": 1, "max_position_embeddings": 1048576, "compress_ratios": [128` + strings.Repeat(", 128, 4", 30) + `, 0],
		"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}`,
	"qwen3-next-80b-a3b": `{"architectures": ["Qwen3NextForCausalLM"], "hidden_size": 2048, "intermediate_size": 5120, "head_dim": 256,
		"num_attention_heads": 16, "num_hidden_layers": 48, "num_key_value_heads": 2, "vocab_size": 151936, "decoder_sparse_step": 1,
		"num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512,
		"full_attention_interval": 4, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16,
		"linear_num_value_heads": 32, "linear_value_head_dim": 128, "max_position_embeddings": 262144}`,
	"qwen3.5-9b": `{"architectures": ["Qwen3_5ForConditionalGeneration"], "vision_config": {}, "text_config": {"attn_output_gate": true,
		"head_dim": 256, "hidden_size": 4096, "intermediate_size": 12288, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
		"linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_value_head_dim": 128, "num_attention_heads": 16,
		"num_key_value_heads": 4, "num_hidden_layers": 32, "vocab_size": 248320, "mamba_ssm_dtype": "float32", "max_position_embeddings": 262144}}`,
	"granite-4.0-h-small": `{"architectures": ["GraniteMoeHybridForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 40, "num_attention_heads": 32,
		"num_key_value_heads": 8, "num_local_experts": 72, "num_experts_per_tok": 10, "shared_intermediate_size": 1536, "intermediate_size": 768,
		"mamba_n_heads": 128, "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_d_conv": 4, "mamba_expand": 2,
		"tie_word_embeddings": true, "vocab_size": 100352, "max_position_embeddings": 131072, "layer_types": [` + fourOfForty + `]}`,
	"granite-4.0-h-micro": `{"architectures": ["GraniteMoeHybridForCausalLM"], "hidden_size": 2048, "num_hidden_layers": 40, "num_attention_heads": 32,
		"num_key_value_heads": 8, "num_local_experts": 0, "num_experts_per_tok": 0, "shared_intermediate_size": 8192, "intermediate_size": 8192,
		"mamba_n_heads": 64, "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_d_conv": 4, "vocab_size": 100352,
		"max_position_embeddings": 131072, "layer_types": [` + fourOfForty + `]}`,
	"mixtral-8x7b": `{"architectures": ["MixtralForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336,
		"num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 32000, "sliding_window": null,
		"num_local_experts": 8, "num_experts_per_tok": 2, "max_position_embeddings": 32768}`,
	"qwen3-30b-a3b": `{"architectures": ["Qwen3MoeForCausalLM"], "hidden_size": 2048, "intermediate_size": 6144, "head_dim": 128,
		"num_attention_heads": 32, "num_hidden_layers": 48, "num_key_value_heads": 4, "vocab_size": 151936, "decoder_sparse_step": 1,
		"num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768, "mlp_only_layers": [], "max_position_embeddings": 40960,
		"attention_bias": false}`,
	"gpt2": `{"architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "n_inner": null, "vocab_size": 50257}`,
	"opt-125m": `{"architectures": ["OPTForCausalLM"], "hidden_size": 768, "ffn_dim": 3072, "num_attention_heads": 12,
		"num_hidden_layers": 12, "max_position_embeddings": 2048, "vocab_size": 50272}`,
	"falcon-7b": `{"architectures": ["FalconForCausalLM"], "hidden_size": 4544, "num_attention_heads": 71, "num_hidden_layers": 32,
		"multi_query": true, "new_decoder_architecture": false, "vocab_size": 65024}`,
	"bloom-560m": `{"architectures": ["BloomForCausalLM"], "n_embed": 1024, "n_head": 16, "n_layer": 24, "vocab_size": 250880}`,
	"mpt-7b":     `{"architectures": ["MPTForCausalLM"], "d_model": 4096, "n_heads": 32, "n_layers": 32, "max_seq_len": 2048, "expansion_ratio": 4, "attn_config": {"attn_impl": "torch"}, "vocab_size": 50432}`,
}

// fourOfForty are types of layers of which four attend.
var fourOfForty = strings.TrimPrefix(strings.Repeat(strings.Repeat(`, "mamba"`, 9)+`, "attention"`, 4), ", ")

func TestConfigDescribesTheCatalogsModels(t *testing.T) {
	for name, text := range configurations {
		got, err := ParseConfig([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := lookup(t, name)
		if got.Parameters() != want.Parameters() || got.ActiveParameters() != want.ActiveParameters() {
			t.Errorf("%s: %.0f parameters, %.0f active; the catalog has %.0f and %.0f", name,
				got.Parameters(), got.ActiveParameters(), want.Parameters(), want.ActiveParameters())
		}
		if got.KVElements() != want.KVElements() || got.MaxContext != want.MaxContext || got.FP8Block != want.FP8Block && name == "deepseek-v3" {
			t.Errorf("%s: %v kept per token, context %d; the catalog has %v and %d", name, got.KVElements(), got.MaxContext, want.KVElements(), want.MaxContext)
		}
		if got.StateBytes() != want.StateBytes() || got.IndexBytesPerToken() != want.IndexBytesPerToken() {
			t.Errorf("%s: states of %v and index keys of %v; the catalog has %v and %v", name,
				got.StateBytes(), got.IndexBytesPerToken(), want.StateBytes(), want.IndexBytesPerToken())
		}
		if got.Window != want.Window || got.WindowLayers != want.WindowLayers {
			t.Errorf("%s: window of %d in %d layers; the catalog has %d in %d", name, got.Window, got.WindowLayers, want.Window, want.WindowLayers)
		}
	}
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	llama := configurations["llama-3.1-8b"]
	for _, c := range []struct{ old, new, want string }{
		{`"hidden_size": 4096, `, ``, `hidden_size: missing`},
		{`"vocab_size": 128256`, `"vocab_size": -1`, `vocab_size = -1: not a dimension; allowed: a whole number from 1 to 16777216`},
		{`"vocab_size": 128256`, `"vocab_size": "many"`, `vocab_size = "many": not a dimension; allowed: a whole number from 1 to 16777216`},
		{`"num_hidden_layers": 32`, `"num_hidden_layers": 1e300`, `num_hidden_layers = 1e+300: not a dimension; allowed: a whole number from 1 to 16777216`},
		{`"intermediate_size": 14336`, `"intermediate_size": 0`, `intermediate_size = 0: not a dimension; allowed: a whole number from 1 to 16777216`},
		{`"vocab_size"`, `"kv_lora_rank": 0, "vocab_size"`, `kv_lora_rank = 0: not a dimension; allowed: a whole number from 1 to 16777216`},
		{`"vocab_size"`, `"n_routed_experts": [], "vocab_size"`, `n_routed_experts = []: not a dimension; allowed: a whole number from 1 to 16777216`},
		{`"vocab_size"`, `"sliding_window": -1, "vocab_size"`, `sliding_window = -1: not a dimension; allowed: a whole number from 0 to 16777216`},
		{`"tie_word_embeddings": false`, `"tie_word_embeddings": "no"`, `tie_word_embeddings = "no": not a truth value; allowed: true, false`},
		{`"vocab_size"`, `"text_config": 3, "vocab_size"`, `text_config = 3: not an object`},
		{`"vocab_size"`, `"sliding_window": 512, "layer_types": "all", "vocab_size"`, `layer_types = "all": not a list`},
		{`"num_key_value_heads": 8`, `"num_key_value_heads": 5`, `num_key_value_heads = 5: 32 heads cannot share them evenly`},
		{`"num_attention_heads": 32`, `"num_attention_heads": 24`, `hidden_size = 4096: 24 heads cannot share it evenly; allowed: with head_dim`},
		{`"LlamaForCausalLM"`, `"LamaForCausalLM"`, `architectures = "LamaForCausalLM": not a known architecture; allowed: one of ` + strings.Join(Families(), ", ")},
		{`"vocab_size"`, `"num_local_experts": 8, "num_experts_per_tok": 9, "vocab_size"`, `num_experts_per_tok = 9: there are only 8 experts`},
	} {
		path := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(path, []byte(strings.Replace(llama, c.old, c.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Lookup(path)
		var bad *badinput.Error
		if !errors.As(err, &bad) || bad.Key != "name" || bad.Value != path || bad.Problem != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// TestQuantizationStandsBesideTheText: of a model with a vision tower, as Qwen3.5-397B-A17B-FP8 and Kimi-K2.5 have it.
func TestQuantizationStandsBesideTheText(t *testing.T) {
	text := `, "text_config": ` + configurations["deepseek-v3"] + "}"
	for _, c := range []struct {
		outer string
		want  Checkpoint
		tied  bool
	}{
		{`{"architectures": ["KimiK25ForConditionalGeneration"], "tie_word_embeddings": true`, Checkpoint{hardware.FP8, hardware.FP8}, true},
		{`{"architectures": ["KimiK25ForConditionalGeneration"], "quantization_config": {"quant_method": "mxfp4"}`, Checkpoint{Weights: hardware.FP4}, false},
	} {
		inner := text
		if c.want.Weights == hardware.FP4 {
			inner = strings.Replace(text, `, "quantization_config": {"weight_block_size": [128, 128]}`, "", 1)
		}
		a, err := ParseConfig([]byte(c.outer + inner))
		if err != nil || a.Checkpoint != c.want || a.TiedEmbeddings != c.tied || !a.WideAttention {
			t.Errorf("%+v, tied %t, wide %t, %v; want %+v", a.Checkpoint, a.TiedEmbeddings, a.WideAttention, err, c.want)
		}
	}
}

// TestConfigRefusesWhatIsNotDescribed: a kind of attention that is not described is never taken for another.
func TestConfigRefusesWhatIsNotDescribed(t *testing.T) {
	for _, c := range []struct{ model, old, new, want string }{
		{"deepseek-v3.2", `"index_topk"`, `"index_topk_freq": 4, "index_topk"`, `index_topk_freq = 4: not supported yet; allowed: 1`},
		{"deepseek-v3.2", `"index_topk"`, `"compress_ratios": [4], "index_topk"`, `compress_ratios: not supported yet; allowed: an indexer in every layer, of single tokens`},
		{"deepseek-v3.2", `"index_n_heads": 64, `, ``, `index_n_heads: missing`},
		{"llama-3.1-8b", `"vocab_size"`, `"index_topk": 8, "index_n_heads": 1, "index_head_dim": 8, "vocab_size"`, `index_topk = 8: sparse attention without latent queries is not supported yet`},
		{"qwen3-next-80b-a3b", `"linear_num_key_heads": 16`, `"linear_num_key_heads": 15`, `linear_num_value_heads = 32: cannot share 15 key heads evenly`},
		{"granite-4.0-h-small", `"mamba_d_state": 128, `, ``, `mamba_d_state: missing`},
		{"granite-4.0-h-small", `"mamba_n_groups": 1`, `"mamba_n_groups": 3`, `mamba_n_heads = 128: cannot share 3 groups evenly`},
		{"granite-4.0-h-small", `"shared_intermediate_size": 1536, `, ``, `shared_intermediate_size: missing`},
		{"granite-4.0-h-small", `"mamba", "attention"`, `"mamba", "full_attention"`, `layer_types[9] = "full_attention": not supported yet; allowed: attention, mamba`},
		{"granite-4.0-h-small", `"num_local_experts": 72`, `"num_local_experts": -1`, `num_local_experts = -1: not a dimension; allowed: a whole number from 0 to 16777216`},
		{"qwen3-next-80b-a3b", `"full_attention_interval": 4`, `"full_attention_interval": 49`, `layer_types: none of the 48 layers has keys and values`},
		{"llama-3.1-8b", `"vocab_size"`, `"layer_types": ["linear_attention"], "num_hidden_layers": 1, "vocab_size"`, `layer_types[0] = "linear_attention": not supported yet; allowed: full_attention, sliding_attention`},
		{"deepseek-v4-pro", `[128, 128`, `[0, 128`, `compress_ratios[0] = 0: not supported yet; allowed: 4, or a larger whole number that is the same in all other layers`},
		{"deepseek-v4-pro", `[128, 128`, `[64, 128`, `compress_ratios[1] = 128: not supported yet; allowed: 4, or a larger whole number that is the same in all other layers`},
		{"deepseek-v4-pro", `"num_hidden_layers": 61`, `"num_hidden_layers": 63`, `compress_ratios = 62: of 63 layers; allowed: one for each layer`},
		{"deepseek-v4-pro", `"qk_rope_head_dim": 64`, `"qk_rope_head_dim": 512`, `qk_rope_head_dim = 512: no part of a head is left beside it; allowed: less than 512`},
		{"llama-3.1-8b", `"LlamaForCausalLM"`, `"DeepseekV5ForCausalLM"`, `architectures = "DeepseekV5ForCausalLM": not a known architecture; allowed: one of ` + strings.Join(Families(), ", ")},
	} {
		text := configurations[c.model]
		if strings.Contains(c.new, `"num_hidden_layers": 1,`) {
			text = strings.Replace(text, `"num_hidden_layers": 32, `, "", 1)
		}
		if _, err := ParseConfig([]byte(strings.Replace(text, c.old, c.new, 1))); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

func TestConfigIsNamedAfterItsFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "my-model")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte(configurations["gpt2"]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, filepath.Join(folder, "config.json")} {
		if a := lookup(t, path); a.Name != "my-model" {
			t.Errorf("%s is called %s", path, a.Name)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, text := range configurations {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"architectures": ["MPTForCausalLM"], "d_model": 1, "n_heads": 3, "n_layers": 1, "vocab_size": 1, "attn_config": {"kv_n_heads": -1}}`))
	for _, quantization := range []string{`{"quant_method": "gptq", "bits": 4}`, `{"quant_method": "modelopt", "quant_algo": "NVFP4"}`,
		`{"quant_method": "compressed-tensors", "config_groups": {"\n": {"weights": {"num_bits": 3, "type": "int"}}}}`} {
		f.Add([]byte(strings.TrimSuffix(configurations["gpt2"], "}") + `, "quantization_config": ` + quantization + "}"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := ParseConfig(text)
		var bad *badinput.Error
		switch {
		case err != nil && (!errors.As(err, &bad) || strings.Contains(err.Error(), "\n")):
			t.Errorf("not one line of bad input: %v", err)
		case err == nil && !(a.Parameters() > 0 && a.ActiveParameters() <= a.Parameters() && a.KVElements() > 0 && a.FullLayers() >= 0):
			t.Errorf("an impossible model: %+v", a)
		}
	})
}

// TestCompressedConfig: the configuration of DeepSeek-V4 says all that the catalog has of it.
func TestCompressedConfig(t *testing.T) {
	got, err := ParseConfig([]byte(configurations["deepseek-v4-pro"]))
	if err != nil {
		t.Fatal(err)
	}
	want := lookup(t, "deepseek-v4-pro")
	got.Name, got.HuggingFace, got.Note, got.Source, got.Date = want.Name, want.HuggingFace, want.Note, want.Source, want.Date
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
}
