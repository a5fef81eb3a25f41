package model

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// The types of layers with linear attention in a configuration, and those of Mamba-2.
const (
	linearAttention = "linear_attention"
	mamba           = "mamba"
)

// layerTypes are the types of layers that are known of a family's model.
func (f *family) layerTypes(a *Architecture) []string {
	types := []string{"full_attention", "sliding_attention"}
	switch {
	case f.deltaNet:
		types = []string{"full_attention", linearAttention}
	case f.scan:
		types = []string{"attention", mamba}
	}
	if a.Indexer != nil {
		types = append(types, "deepseek_sparse_attention")
	}
	return types
}

// otherMixers are the keys by which configurations describe layers that do not attend, or attend in
// another way, of classes that have them: Kimi-Linear, Nemotron-H, Jamba and Bamba, MiMo-V2, Llama 4.
var otherMixers = []string{"linear_attn_config", "hybrid_override_pattern", "layers_block_type", "attn_layer_period",
	"attn_layer_indices", "hybrid_layer_pattern", "attention_chunk_size"}

// refuseOtherMixers refuses a configuration of a known class that says by another key than layer_types that
// not every layer attends as the class does.
func (c *config) refuseOtherMixers(a *Architecture, f family) {
	keys := slices.Clone(otherMixers)
	if !f.deltaNet {
		keys = append(keys, "linear_num_value_heads")
	}
	if !f.scan {
		keys = append(keys, "mamba_d_state")
	}
	for _, key := range keys {
		if c.table[key] != nil {
			c.fail(&badinput.Error{Key: key, Problem: "not supported yet", Allowed: strings.Join(f.layerTypes(a), ", ") + " in layer_types"})
			return
		}
	}
	for i, kind := range c.list("attn_type_list") { // MiniMax: 1 is full attention, 0 lightning attention
		if kind != 1.0 {
			c.fail(&badinput.Error{Key: fmt.Sprintf("attn_type_list[%d]", i), Value: kind, Problem: "not supported yet", Allowed: "1"})
			return
		}
	}
}

// checkLayerTypes refuses lists of another length than the model has layers, and types that
// are not known of its family.
func (c *config) checkLayerTypes(list []any, a *Architecture, f family) {
	if len(list) != a.Layers {
		c.fail(&badinput.Error{Key: "layer_types", Value: len(list), Problem: fmt.Sprintf("types for %d layers", a.Layers),
			Allowed: fmt.Sprintf("a list of %d", a.Layers)})
		return
	}
	known := f.layerTypes(a)
	for i, kind := range list {
		if name, _ := kind.(string); !slices.Contains(known, name) {
			c.fail(&badinput.Error{Key: fmt.Sprintf("layer_types[%d]", i), Value: kind, Problem: "not supported yet",
				Allowed: strings.Join(known, ", ")})
			return
		}
	}
}
