package model

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Parameters is the number of parameters as published counts have it: matrices,
// biases, norms, embedding and position tables, and the LM head unless tied.
func (a *Architecture) Parameters() float64 {
	total := a.MatrixWeights() + a.layerVectors() + a.EmbeddingWeights() + a.norm(a.Hidden)
	total += float64(a.PositionEmbeddings) * float64(a.Hidden)
	if a.EmbeddingNorm {
		total += a.norm(a.Hidden)
	}
	if !a.TiedEmbeddings {
		total += a.EmbeddingWeights()
	}
	return total
}

// ActiveParameters is the number of parameters that one token meets: all but
// the experts it is not sent to.
func (a *Architecture) ActiveParameters() float64 {
	return a.Parameters() - a.MatrixWeights() + a.ActiveWeights()
}

// layerVectors is the number of parameters of all layers' norms and biases,
// without the biases of experts.
func (a *Architecture) layerVectors() float64 {
	norms := 2
	if a.NormsPerLayer > 0 {
		norms = a.NormsPerLayer
	}
	n := float64(a.Layers*norms)*a.norm(a.Hidden) + float64(a.AttentionLayers())*a.attentionVectors()
	if a.Linear != nil {
		n += float64(a.Linear.Layers) * a.Linear.vectors()
	}
	for _, m := range a.MLPMatrices(a.FFN) {
		if a.LinearBias {
			n += float64(a.Layers * m.Outer)
		}
	}
	return n
}

// attentionVectors is the number of parameters of one layer's attention beside its matrices.
func (a *Architecture) attentionVectors() float64 {
	var n float64
	if a.QKNorm {
		n += 2 * a.norm(a.HeadDim)
	}
	if a.Latent != nil {
		n += float64(a.Latent.QueryRank + a.Latent.KVRank) // norms of the ranks
	}
	if a.Indexer != nil && a.Compression == nil {
		n += float64(2 * a.Indexer.Dim) // a LayerNorm of the index keys
	}
	for _, m := range a.AttentionMatrices() {
		if (m.Name == "qkv" && a.QKVBias) || (m.Name != "qkv" && a.LinearBias) {
			n += float64(m.Outer)
		}
	}
	return n
}

func (a *Architecture) norm(width int) float64 {
	if a.NormBias {
		return 2 * float64(width)
	}
	return float64(width)
}

// KVElements is the number of elements kept per token in one layer:
// 2*kv_heads*head_dim, or the latent vector's width.
func (a *Architecture) KVElements() float64 {
	if a.Latent != nil {
		return float64(a.Latent.Width())
	}
	return 2 * float64(a.KVHeads) * float64(a.HeadDim)
}

// KVBytes is what is kept of a token in one layer, without its index key, where a vector of it is.
func (a *Architecture) KVBytes(p hardware.Precision) units.Bytes {
	if a.Compression != nil && p.Bytes() == 1 {
		return a.Compression.cacheBytes(a.Latent)
	}
	if a.Indexer != nil && p.Bytes() == 1 {
		return a.Latent.scaledBytes()
	}
	return units.Bytes(a.KVElements() * p.Bytes())
}

// KVBytesPerToken is the size of one token's keys and values in all layers, index keys included.
// Layers with a window count in full, as they keep a token that is within it; vectors of the last tokens alone do not count.
func (a *Architecture) KVBytesPerToken(p hardware.Precision) units.Bytes {
	return units.Bytes(a.KVLayers())*a.KVBytes(p) + a.IndexBytesPerToken()
}

// KVLayers is how many vectors all layers keep for each token: with compression less than one a layer.
func (a *Architecture) KVLayers() float64 {
	return float64(a.FullLayers())*a.FullShare() + float64(a.WindowLayers)*a.WindowShare()
}
