package model

import "kneepoint/units/paging"

// KVGroups splits the layers into groups of equal size, each with a window or without:
// of the rarer kind's number of layers, or of the other's where it is less than a
// quarter more. The last group of a kind may be padded. Layers is the size; without a
// window it is that of the model.
//
// Source: vLLM, vllm/v1/core/kv_cache_utils.py, which groups layers of equal KV size.
func (a *Architecture) KVGroups() (w paging.Windows, layers int) {
	full, windowed := a.FullLayers(), a.WindowLayers
	switch {
	case windowed == 0:
		return w, full
	case full == 0:
		layers = windowed
	default:
		layers = min(full, windowed)
		if most := max(full, windowed); 4*most < 5*layers {
			layers = most
		}
	}
	groups := func(n int) int { return (n + layers - 1) / layers }
	return paging.Windows{Tokens: a.Window, Groups: groups(windowed), Full: groups(full)}, layers
}
