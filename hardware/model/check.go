package model

import (
	"fmt"

	"kneepoint/units/badinput"
)

// check finds dimensions that contradict each other.
func (a *Architecture) check() error {
	switch {
	case a.HeadDim < 1:
		return &badinput.Error{Key: "head_dim", Value: a.HeadDim, Problem: "must be greater than 0"}
	case a.KVHeads < 1 || a.Heads%a.KVHeads != 0:
		return &badinput.Error{Key: "num_key_value_heads", Value: a.KVHeads,
			Problem: fmt.Sprintf("%d heads cannot share them evenly", a.Heads)}
	case a.WindowLayers > a.Layers:
		return &badinput.Error{Key: "layer_types", Problem: fmt.Sprintf("lists more than the %d layers", a.Layers)}
	case a.Experts == nil:
		return a.checkDense()
	case a.Experts.Active > a.Experts.Count:
		return &badinput.Error{Key: "num_experts_per_tok", Value: a.Experts.Active,
			Problem: fmt.Sprintf("there are only %d experts", a.Experts.Count)}
	case a.Experts.FFN < 1:
		return &badinput.Error{Key: "moe_intermediate_size", Value: a.Experts.FFN, Problem: "must be greater than 0"}
	case a.ExpertLayers() < 1:
		return &badinput.Error{Key: "first_k_dense_replace", Value: a.Experts.DenseLayers,
			Problem: fmt.Sprintf("leaves none of the %d layers for experts", a.Layers)}
	}
	if a.DenseLayers() > 0 {
		return a.checkDense()
	}
	return nil
}

func (a *Architecture) checkDense() error {
	if a.FFN < 1 {
		return &badinput.Error{Key: "intermediate_size", Value: a.FFN, Problem: "must be greater than 0"}
	}
	return nil
}
