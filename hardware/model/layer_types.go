package model

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// linearAttention is the type of a layer with linear attention in a configuration.
const linearAttention = "linear_attention"

// layerTypes are the types of layers that are known of a family's model.
func (f *family) layerTypes(a *Architecture) []string {
	types := []string{"full_attention", "sliding_attention"}
	if f.deltaNet {
		types = []string{"full_attention", linearAttention}
	}
	if a.Indexer != nil {
		types = append(types, "deepseek_sparse_attention")
	}
	return types
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
