package model

import (
	"fmt"

	"kneepoint/units/badinput"
)

// check finds dimensions that contradict each other.
func (a *Architecture) check() error {
	if err := a.checkMixers(); err != nil {
		return err
	}
	switch {
	case a.HeadDim < 1:
		return &badinput.Error{Key: "head_dim", Value: a.HeadDim, Problem: "must be greater than 0"}
	case a.KVHeads < 1 || a.Heads%a.KVHeads != 0:
		return &badinput.Error{Key: "num_key_value_heads", Value: a.KVHeads,
			Problem: fmt.Sprintf("%d heads cannot share them evenly", a.Heads)}
	case a.WindowLayers > a.AttentionLayers():
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

// checkMixers finds layers that contradict each other in what they do instead of plain attention.
func (a *Architecture) checkMixers() error {
	if x := a.Indexer; x != nil && (a.Latent == nil || a.Latent.QueryRank == 0) {
		return &badinput.Error{Key: "index_topk", Value: x.TopK, Problem: "sparse attention without latent queries is not supported yet"}
	}
	l := a.Linear
	switch {
	case l == nil:
		return nil
	case l.Layers >= a.Layers:
		return &badinput.Error{Key: "layer_types", Problem: fmt.Sprintf("none of the %d layers has keys and values", a.Layers)}
	case l.ValueHeads%l.KeyHeads != 0:
		key, shared := "linear_num_value_heads", "key heads"
		if l.Scan {
			key, shared = "mamba_n_heads", "groups"
		}
		return &badinput.Error{Key: key, Value: l.ValueHeads, Problem: fmt.Sprintf("cannot share %d %s evenly", l.KeyHeads, shared)}
	case a.Latent != nil || a.WindowLayers > 0:
		return &badinput.Error{Key: "layer_types", Problem: "linear attention beside windows or latent attention is not supported yet"}
	}
	return nil
}

func (a *Architecture) checkDense() error {
	if a.FFN < 1 {
		return &badinput.Error{Key: "intermediate_size", Value: a.FFN, Problem: "must be greater than 0"}
	}
	return nil
}
