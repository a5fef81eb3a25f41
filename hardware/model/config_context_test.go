package model

import (
	"strings"
	"testing"
)

// TestContextThatYaRNStretches: as Qwen3's cards tell to set it, and as gpt-oss, DeepSeek-V3 and Qwen2.5-VL come.
func TestContextThatYaRNStretches(t *testing.T) {
	for _, c := range []struct {
		keys    string
		want    int
		problem string
	}{
		{`"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}`, 131072, ""},
		{`"rope_scaling": {"type": "yarn", "factor": 2.5, "original_max_position_embeddings": 32768, "beta_fast": 32}`, 81920, ""},
		{`"rope_parameters": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 32768, "rope_theta": 1e6}`, 131072, ""},
		{`"rope_scaling": {"rope_type": "yarn", "factor": 4.0}`, 40960, ""}, // says nothing of what is stretched
		{`"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}`, 40960, ""},
		{`"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}`, 40960, ""},
		{`"rope_scaling": null`, 40960, ""},
		{`"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0}}`, 40960, ""},
		{`"rope_scaling": {"type": "yarn", "factor": "4", "original_max_position_embeddings": 4096}`, 0, `rope_scaling.factor = "4": not a factor of the context; allowed: a number from 1`},
		{`"rope_scaling": {"type": "yarn", "factor": 0.5, "original_max_position_embeddings": 4096}`, 0, `rope_scaling.factor = 0.5: not a factor`},
		{`"rope_scaling": {"type": "yarn", "factor": 1e9, "original_max_position_embeddings": 4096}`, 0, `rope_scaling.factor = 1000000000: not a factor`},
		{`"rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": -1}`, 0, `rope_scaling.original_max_position_embeddings = -1: not a dimension`},
		{`"rope_scaling": "yarn"`, 0, `rope_scaling = "yarn": not an object`},
	} {
		text := strings.Replace(configurations["qwen3-30b-a3b"], `"attention_bias"`, c.keys+`, "attention_bias"`, 1)
		a, err := ParseConfig([]byte(text))
		switch {
		case c.problem == "" && (err != nil || a.MaxContext != c.want):
			t.Errorf("%s: %d tokens, %v; want %d", c.keys, a.MaxContext, err, c.want)
		case c.problem != "" && (err == nil || !strings.HasPrefix(err.Error(), c.problem)):
			t.Errorf("%s: %v, want %q", c.keys, err, c.problem)
		}
	}
}
