package model

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// indexedRatio is of how many tokens layers with an indexer keep a vector (vllm/model_executor/layers/deepseek_v4_attention.py).
const indexedRatio = 4

// readCompression reads the attention of DeepSeek-V4, whose sliding window is that of the tokens with a vector each.
func (c *config) readCompression(a *Architecture) {
	rope := c.required("qk_rope_head_dim")
	if c.err == nil && rope >= a.HeadDim {
		c.fail(&badinput.Error{Key: "qk_rope_head_dim", Value: rope, Problem: "no part of a head is left beside it", Allowed: fmt.Sprintf("less than %d", a.HeadDim)})
	}
	a.KVHeads = a.Heads
	a.FFN = c.optional("intermediate_size")
	a.Streams = c.optional("hc_mult")
	a.Latent = &Latent{QueryRank: c.required("q_lora_rank"), KVRank: a.HeadDim - rope, NopeDim: a.HeadDim - rope, RopeDim: rope, ValueDim: a.HeadDim}
	a.Indexer = &Indexer{Heads: c.required("index_n_heads"), Dim: c.required("index_head_dim"), TopK: c.required("index_topk")}
	a.Compression = &Compression{Local: c.required("sliding_window"), Sparse: indexedRatio, Groups: c.required("o_groups"), OutputRank: c.required("o_lora_rank")}
	a.Window, a.WindowLayers = a.Indexer.TopK*indexedRatio, c.compressedLayers(a)
	if c.table["expert_dtype"] == "fp4" {
		a.Checkpoint, a.CommonFormat, a.GroupSize = Checkpoint{Weights: hardware.FP4, Activations: hardware.FP8}, hardware.FP8, 32
	}
}

// compressedLayers reads of how many tokens each layer keeps a vector, and returns how many layers have an indexer. The list may
// go on with the module for multi-token prediction.
func (c *config) compressedLayers(a *Architecture) (indexed int) {
	const key = "compress_ratios"
	ratios := c.list(key)
	if len(ratios) < a.Layers {
		c.fail(&badinput.Error{Key: key, Value: len(ratios), Problem: fmt.Sprintf("of %d layers", a.Layers), Allowed: "one for each layer"})
		return 0
	}
	for i, ratio := range ratios[:a.Layers] {
		n, _ := ratio.(float64)
		switch full := a.Compression.Full; {
		case n == indexedRatio:
			indexed++
		case n > indexedRatio && n <= largest && n == float64(int(n)) && (full == 0 || full == int(n)):
			a.Compression.Full = int(n)
		default:
			c.fail(&badinput.Error{Key: fmt.Sprintf("%s[%d]", key, i), Value: ratio, Problem: "not supported yet",
				Allowed: fmt.Sprintf("%d, or a larger whole number that is the same in all other layers", indexedRatio)})
			return 0
		}
	}
	return indexed
}
