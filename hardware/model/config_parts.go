package model

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

func (c *config) readLatent(a *Architecture) {
	if c.positive("kv_lora_rank") == 0 {
		return
	}
	a.Latent = &Latent{
		QueryRank: c.optional("q_lora_rank"),
		KVRank:    c.required("kv_lora_rank"),
		NopeDim:   c.required("qk_nope_head_dim"),
		RopeDim:   c.required("qk_rope_head_dim"),
		ValueDim:  c.required("v_head_dim"),
	}
	a.HeadDim = a.Latent.NopeDim + a.Latent.RopeDim
	a.KVHeads = a.Heads
}

// readIndexer reads the indexer of sparse attention. One that is shared by layers is refused.
func (c *config) readIndexer(a *Architecture) {
	topK := c.optional("index_topk")
	if topK == 0 {
		return
	}
	for _, key := range []string{"index_topk_pattern", "indexer_types", "index_kpool", "compress_ratios"} {
		if value := c.table[key]; value != nil {
			c.fail(&badinput.Error{Key: key, Problem: "not supported yet", Allowed: "an indexer in every layer, of single tokens"})
			return
		}
	}
	if every := c.or(1, "index_topk_freq"); every > 1 {
		c.fail(&badinput.Error{Key: "index_topk_freq", Value: every, Problem: "not supported yet", Allowed: "1"})
		return
	}
	a.Indexer = &Indexer{Heads: c.required("index_n_heads"), Dim: c.required("index_head_dim"), TopK: topK}
	a.Window, a.WindowLayers = topK, a.Layers
}

// readLinear reads the layers with linear attention: those that are listed, or all but every
// full_attention_interval-th.
func (c *config) readLinear(a *Architecture, f family) {
	if !f.deltaNet {
		return
	}
	l := Linear{
		Layers:     a.Layers - a.Layers/c.or(4, "full_attention_interval"),
		KeyHeads:   c.required("linear_num_key_heads"),
		ValueHeads: c.required("linear_num_value_heads"),
		KeyDim:     c.required("linear_key_head_dim"),
		ValueDim:   c.required("linear_value_head_dim"),
		Taps:       c.required("linear_conv_kernel_dim"),
	}
	if list := c.list("layer_types"); list != nil {
		l.Layers = layersOf(list, linearAttention)
	}
	if kind, ok := c.table["mamba_ssm_dtype"].(string); ok && kind == "float32" {
		l.State = hardware.FP32
	}
	if l.Layers > 0 {
		a.Linear = &l
	}
}

// readScan reads the layers of Mamba-2, which are listed, and what every layer has behind its mixer: an MLP as wide as
// shared experts, beside experts where there are any.
func (c *config) readScan(a *Architecture, f family) {
	if !f.scan {
		return
	}
	if layers := layersOf(c.list("layer_types"), mamba); layers > 0 {
		a.Linear = &Linear{
			Layers:     layers,
			Scan:       true,
			KeyHeads:   c.required("mamba_n_groups"),
			ValueHeads: c.required("mamba_n_heads"),
			KeyDim:     c.required("mamba_d_state"),
			ValueDim:   c.required("mamba_d_head"),
			Taps:       c.required("mamba_d_conv"),
		}
	}
	width := c.required("shared_intermediate_size")
	if c.optional("num_local_experts") == 0 {
		a.FFN = width
		return
	}
	c.readExperts(a)
	if a.Experts != nil {
		a.Experts.SharedFFN = width
	}
}

// layersOf is how many layers of a list have a type.
func layersOf(list []any, wanted string) (n int) {
	for _, kind := range list {
		if kind == wanted {
			n++
		}
	}
	return n
}

func (c *config) readExperts(a *Architecture) {
	count := c.positive("n_routed_experts", "num_local_experts", "num_experts")
	if count == 0 {
		return
	}
	e := &Experts{
		Count:       count,
		Active:      c.required("num_experts_per_tok", "experts_per_token"),
		FFN:         c.or(a.FFN, "moe_intermediate_size"),
		SharedFFN:   c.optional("shared_expert_intermediate_size"),
		DenseLayers: c.denseLayers(a.Layers),
	}
	if shared := c.optional("n_shared_experts"); shared > 0 {
		e.SharedFFN = shared * e.FFN
	}
	a.Experts = e
	if e.DenseLayers == 0 {
		a.FFN = 0
	}
}

// denseLayers is the number of layers without experts: those that have another type, or the first ones, every
// one that the step between sparse ones leaves out, and those that are listed.
func (c *config) denseLayers(layers int) int {
	if types := c.list("mlp_layer_types"); types != nil {
		return c.denseTypes(types, layers)
	}
	dense := c.optional("first_k_dense_replace")
	if every := c.or(1, "moe_layer_freq"); every > 1 {
		sparse := 0
		for i := dense; i < layers; i++ {
			if i%every == 0 {
				sparse++
			}
		}
		return layers - sparse
	}
	if step := c.optional("decoder_sparse_step"); step > 1 {
		dense = layers - layers/step
	}
	return dense + len(c.list("mlp_only_layers"))
}

// denseTypes is the number of layers whose listed type is dense.
func (c *config) denseTypes(types []any, layers int) (dense int) {
	if len(types) != layers {
		c.fail(&badinput.Error{Key: "mlp_layer_types", Value: len(types), Problem: fmt.Sprintf("types for %d layers", layers),
			Allowed: fmt.Sprintf("a list of %d", layers)})
	}
	for i, kind := range types {
		switch kind {
		case "dense":
			dense++
		case "sparse":
		default:
			c.fail(&badinput.Error{Key: fmt.Sprintf("mlp_layer_types[%d]", i), Value: kind, Problem: "not supported yet", Allowed: "dense, sparse"})
		}
	}
	return dense
}

// readWindow reads which layers attend to a window alone: those that are listed,
// or those that the family's pattern says.
func (c *config) readWindow(a *Architecture, f family) {
	list := c.list("layer_types")
	if list != nil {
		c.checkLayerTypes(list, a, f)
	}
	window := c.optional("sliding_window")
	if window == 0 || window >= a.MaxContext || !c.flag("use_sliding_window", true) {
		return
	}
	layers := f.windowLayers(c, a.Layers)
	if list != nil {
		layers = layersOf(list, "sliding_attention")
	}
	if layers > 0 {
		a.Window, a.WindowLayers = window, layers
	}
}
