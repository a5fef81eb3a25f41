package model

import (
	"maps"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// family is what a class of models has in common that its configurations leave
// out, or say only where it differs.
type family struct {
	gated, qkvBias, linearBias, normBias bool
	qkNorm, embeddingNorm, tied          bool
	qkNormAcross                         bool
	norms                                int  // per layer; 0: 2
	positions                            bool // learned, as many as the context has tokens
	extraPositions                       int
	saysMultiQuery                       bool // "multi_query" instead of a number of heads
	wideAttention                        bool
	deltaNet                             bool // gated delta nets in most layers, gated attention in the others
	scan                                 bool // Mamba-2 in most layers
	compressed                           bool // attention to vectors of several tokens
	window                               windowPattern
}

// windowPattern says which layers of a family have its configuration's window.
type windowPattern int

const (
	windowEverywhere   windowPattern = iota
	windowAlternating                // every other layer, the first one included
	windowFiveOfSix                  // or as sliding_window_pattern says
	windowAfterMaximum               // the layers from max_window_layers on
)

func (f *family) windowLayers(c *config, layers int) int {
	switch f.window {
	case windowAlternating:
		return (layers + 1) / 2
	case windowFiveOfSix:
		return layers - layers/c.or(6, "sliding_window_pattern")
	case windowAfterMaximum:
		return max(0, layers-c.optional("max_window_layers"))
	default:
		return layers
	}
}

// families lists the classes by the name in a configuration's "architectures".
func families() map[string]family {
	llama := family{gated: true}
	qwen2 := family{gated: true, qkvBias: true, window: windowAfterMaximum}
	qwen3 := family{gated: true, qkNorm: true, window: windowAfterMaximum}
	qwen3Next := family{gated: true, qkNorm: true, deltaNet: true}
	gemma2 := family{gated: true, tied: true, norms: 4, window: windowAlternating}
	gemma3 := family{gated: true, tied: true, norms: 4, qkNorm: true, window: windowFiveOfSix}
	return map[string]family{
		"LlamaForCausalLM":                   llama,
		"MistralForCausalLM":                 llama,
		"MixtralForCausalLM":                 llama,
		"Mistral3ForConditionalGeneration":   llama,
		"MistralLarge3ForCausalLM":           llama,
		"Phi3ForCausalLM":                    llama,
		"GlmForCausalLM":                     {gated: true, qkvBias: true},
		"Glm4ForCausalLM":                    {gated: true, qkvBias: true, norms: 4},
		"Glm4MoeForCausalLM":                 {gated: true, qkvBias: true},
		"Glm4MoeLiteForCausalLM":             llama,
		"Glm4vMoeForConditionalGeneration":   {gated: true, qkvBias: true},
		"MiniMaxM2ForCausalLM":               {gated: true, qkNorm: true, qkNormAcross: true},
		"Olmo2ForCausalLM":                   {gated: true, qkNorm: true},
		"Qwen2ForCausalLM":                   qwen2,
		"Qwen2MoeForCausalLM":                qwen2,
		"Qwen2VLForConditionalGeneration":    qwen2,
		"Qwen2_5_VLForConditionalGeneration": qwen2,
		"Qwen3ForCausalLM":                   qwen3,
		"Qwen3MoeForCausalLM":                qwen3,
		"Qwen3VLForConditionalGeneration":    qwen3,
		"Qwen3VLMoeForConditionalGeneration": qwen3,
		"Qwen3NextForCausalLM":               qwen3Next,
		"Qwen3_5ForCausalLM":                 qwen3Next,
		"Qwen3_5MoeForCausalLM":              qwen3Next,
		"Qwen3_5ForConditionalGeneration":    qwen3Next,
		"Qwen3_5MoeForConditionalGeneration": qwen3Next,
		"GraniteMoeHybridForCausalLM":        {gated: true, tied: true, scan: true},
		"KimiK25ForConditionalGeneration":    {gated: true, wideAttention: true},
		"GemmaForCausalLM":                   {gated: true, tied: true},
		"Gemma2ForCausalLM":                  gemma2,
		"Gemma3ForCausalLM":                  gemma3,
		"Gemma3ForConditionalGeneration":     gemma3,
		"CohereForCausalLM":                  {gated: true, tied: true, norms: 1},
		"DeepseekV2ForCausalLM":              llama,
		"DeepseekV3ForCausalLM":              llama,
		"DeepseekV32ForCausalLM":             llama,
		"DeepseekV4ForCausalLM":              {gated: true, compressed: true},
		"GlmMoeDsaForCausalLM":               llama,
		"GptOssForCausalLM":                  {gated: true, qkvBias: true, wideAttention: true, window: windowAlternating},
		"GPT2LMHeadModel":                    {qkvBias: true, linearBias: true, normBias: true, tied: true, positions: true},
		"OPTForCausalLM":                     {qkvBias: true, linearBias: true, normBias: true, tied: true, positions: true, extraPositions: 2},
		"BloomForCausalLM":                   {qkvBias: true, linearBias: true, normBias: true, tied: true, embeddingNorm: true},
		"FalconForCausalLM":                  {normBias: true, tied: true, norms: 1, saysMultiQuery: true},
		"MPTForCausalLM":                     {tied: true},
		"PhiForCausalLM":                     {qkvBias: true, linearBias: true, normBias: true, norms: 1},
	}
}

// Families lists the classes whose configurations can be read.
func Families() []string { return slices.Sorted(maps.Keys(families())) }

func familyOf(table map[string]any) (family, error) {
	names, _ := table["architectures"].([]any)
	if len(names) == 0 {
		return family{}, &badinput.Error{
			Key:     "architectures",
			Problem: "missing",
			Allowed: "a list with one of " + strings.Join(Families(), ", "),
		}
	}
	name, _ := names[0].(string)
	f, ok := families()[name]
	if !ok {
		// No nearest spelling: nobody types these names, and another architecture is another model.
		return family{}, &badinput.Error{
			Key:     "architectures",
			Value:   names[0],
			Problem: "not a known architecture",
			Allowed: "one of " + strings.Join(Families(), ", "),
		}
	}
	return f, nil
}
