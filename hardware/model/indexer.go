package model

import "kneepoint/units"

// Indexer chooses the TopK tokens of the context that a query of latent attention reads, in every
// layer, or with compression the TopK vectors in some: Heads index queries of Dim elements, projected from the latent query, are multiplied with
// one index key for each, and weighed by head. A model with one has what it selects as the window of these
// layers, though the tokens that are read may be anywhere, and all are kept.
//
// Source: DeepSeek-AI 2025, "DeepSeek-V3.2: Pushing the Frontier of Open Large Language Models",
// section 2.1, and class Indexer of inference/model.py at deepseek-ai/DeepSeek-V3.2-Exp.
type Indexer struct {
	Heads int `toml:"heads" check:"positive"`
	Dim   int `toml:"dim" check:"positive"`
	TopK  int `toml:"top_k" check:"positive"`
}

// KeyBytes is what a layer keeps of a token: the index key in 8 bits, with scales.
func (x *Indexer) KeyBytes() units.Bytes { return scaled(x.Dim) }

// scaledBytes is a token's latent vector as kernels of sparse attention read it in 8 bits: with scales, too, and its
// rotary part in 16 bits. Those of dense attention have one scale for all tokens, and none is kept.
//
// Source: deepseek-ai/FlashMLA, README.md, "FP8 KV cache"; vllm/v1/attention/backends/mla/flashmla_sparse.py (fp8_ds_mla).
func (l *Latent) scaledBytes() units.Bytes { return scaled(l.KVRank) + units.Bytes(2*l.RopeDim) }

// scaled is the size of elements in 8 bits, with a 32-bit scale for every 128 of them.
func scaled(elements int) units.Bytes { return units.Bytes(elements + 4*((elements+127)/128)) }

// PairFLOPs is the arithmetic of scoring one token of the context for one query in one layer.
func (x *Indexer) PairFLOPs() units.FLOPs { return units.FLOPs(2 * x.Heads * x.Dim) }

// IndexLayers is the number of layers with an indexer: all that have its window.
func (a *Architecture) IndexLayers() int {
	if a.Indexer == nil {
		return 0
	}
	return a.WindowLayers
}

// IndexMatrices are one layer's: index queries from the latent query, the index key, and the weights
// of the heads; nothing without an indexer. With compression tokens become a key as they become a vector, by what is added up and its weights,
// of two overlapping runs of tokens, which the vectors of these layers have, too.
func (a *Architecture) IndexMatrices() []Matrix {
	x := a.Indexer
	if x == nil {
		return nil
	}
	key := x.Dim
	if a.Compression != nil {
		key = 4*x.Dim + a.CompressorWidth()
	}
	return []Matrix{
		{"index_query", a.Latent.QueryRank, x.Heads * x.Dim},
		{"index_key", a.Hidden, key},
		{"index_weights", a.Hidden, x.Heads},
	}
}

// Selected is the number of tokens that the queries of a model's indexer read at most; 0 without.
func (a *Architecture) Selected() int {
	switch {
	case a.Indexer == nil:
		return 0
	case a.Compression != nil:
		return a.Indexer.TopK * a.Compression.Sparse
	}
	return a.Indexer.TopK
}

// IndexBytesPerToken is the size of a token's index keys in all layers.
func (a *Architecture) IndexBytesPerToken() units.Bytes {
	if a.Indexer == nil {
		return 0
	}
	return units.Bytes(float64(a.IndexLayers())*a.WindowShare()) * a.Indexer.KeyBytes()
}

// indexFLOPs is the arithmetic of scoring the context for the tokens [from, to) in all layers.
func (a *Architecture) indexFLOPs(from, to int) units.FLOPs {
	if a.Indexer == nil {
		return 0
	}
	return units.FLOPs(float64(a.IndexLayers())*a.WindowShare()*CausalPairs(from, to)) * a.Indexer.PairFLOPs()
}
