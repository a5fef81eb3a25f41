package model

import (
	"kneepoint/hardware"
	"kneepoint/internal/units"
)

// Architecture is a dense decoder with multi-head, grouped-query or
// multi-query attention.
type Architecture struct {
	Name        string   `toml:"name"`
	HuggingFace string   `toml:"huggingface"`
	Aliases     []string `toml:"aliases"`

	Layers  int  `toml:"layers" check:"positive"`
	Hidden  int  `toml:"hidden" check:"positive"`
	Heads   int  `toml:"heads" check:"positive"`
	KVHeads int  `toml:"kv_heads" check:"positive"` // Heads: multi-head; 1: multi-query
	HeadDim int  `toml:"head_dim" check:"positive"`
	FFN     int  `toml:"ffn" check:"positive"` // inner width of the MLP
	Gated   bool `toml:"gated"`                // a gate beside the up projection (SwiGLU): three matrices, not two
	Vocab   int  `toml:"vocab" check:"positive"`

	TiedEmbeddings     bool `toml:"tied_embeddings"`     // the LM head is the embedding table
	QKVBias            bool `toml:"qkv_bias"`            // bias of the query, key and value projections
	LinearBias         bool `toml:"linear_bias"`         // bias of the other projections
	NormBias           bool `toml:"norm_bias"`           // LayerNorm with a bias; without, RMSNorm or a bias-free LayerNorm
	QKNorm             bool `toml:"qk_norm"`             // a norm over each head of queries and keys
	EmbeddingNorm      bool `toml:"embedding_norm"`      // a norm after the embedding
	PositionEmbeddings int  `toml:"position_embeddings"` // rows of a learned position table
	NormsPerLayer      int  `toml:"norms_per_layer"`     // 0 means 2; 1 where attention and MLP share one

	MaxContext int    `toml:"max_context" check:"positive"`
	Source     string `toml:"source"`
	Date       string `toml:"date"`
}

// Matrix is a weight matrix by which every token's activations are multiplied.
type Matrix struct {
	Name  string
	Inner int // width of its input
	Outer int // width of its output
}

// Elements is the number of weights.
func (m Matrix) Elements() float64 { return float64(m.Inner) * float64(m.Outer) }

// Matrices returns one layer's matrices: the query, key and value projections
// as one, the output projection, the gate and up projections as one (or up
// alone), and the down projection.
func (a *Architecture) Matrices() []Matrix {
	up := a.FFN
	if a.Gated {
		up = 2 * a.FFN
	}
	return []Matrix{
		{"qkv", a.Hidden, (a.Heads + 2*a.KVHeads) * a.HeadDim},
		{"output", a.Heads * a.HeadDim, a.Hidden},
		{"up", a.Hidden, up},
		{"down", a.FFN, a.Hidden},
	}
}

// LayerWeights is the number of weights in one layer's matrices.
func (a *Architecture) LayerWeights() float64 {
	var n float64
	for _, m := range a.Matrices() {
		n += m.Elements()
	}
	return n
}

// EmbeddingWeights is the number of weights of the embedding table; the LM
// head has as many again unless it is tied.
func (a *Architecture) EmbeddingWeights() float64 {
	return float64(a.Vocab) * float64(a.Hidden)
}

// Parameters is the number of parameters as published counts have it: matrices,
// biases, norms, embedding and position tables, and the LM head unless tied.
func (a *Architecture) Parameters() float64 {
	total := float64(a.Layers)*(a.LayerWeights()+a.layerVectors()) + a.EmbeddingWeights() + a.norm(a.Hidden)
	total += float64(a.PositionEmbeddings) * float64(a.Hidden)
	if a.EmbeddingNorm {
		total += a.norm(a.Hidden)
	}
	if !a.TiedEmbeddings {
		total += a.EmbeddingWeights()
	}
	return total
}

// layerVectors is the number of parameters of a layer's norms and biases.
func (a *Architecture) layerVectors() float64 {
	norms := 2
	if a.NormsPerLayer > 0 {
		norms = a.NormsPerLayer
	}
	n := float64(norms) * a.norm(a.Hidden)
	if a.QKNorm {
		n += 2 * a.norm(a.HeadDim)
	}
	for _, m := range a.Matrices() {
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

// KVBytesPerToken is the size of one token's keys and values in all layers:
// 2*layers*kv_heads*head_dim elements.
func (a *Architecture) KVBytesPerToken(p hardware.Precision) units.Bytes {
	return units.Bytes(2 * float64(a.Layers) * float64(a.KVHeads) * float64(a.HeadDim) * p.Bytes())
}

// MatrixFLOPsPerToken is the arithmetic of one token in all layers' matrices,
// two FLOPs per weight, without attention and LM head.
func (a *Architecture) MatrixFLOPsPerToken() units.FLOPs {
	return units.FLOPs(2 * float64(a.Layers) * a.LayerWeights())
}

// AttentionFLOPsPerPair is the arithmetic of one query attending to one token
// in all layers: 4*heads*head_dim per layer, two products of a multiply and an
// add each.
func (a *Architecture) AttentionFLOPsPerPair() units.FLOPs {
	return units.FLOPs(4 * float64(a.Layers) * float64(a.Heads) * float64(a.HeadDim))
}

// HeadFLOPs is the arithmetic of the LM head for one row of logits.
func (a *Architecture) HeadFLOPs() units.FLOPs {
	return units.FLOPs(2 * a.EmbeddingWeights())
}

// ChunkFLOPs is the arithmetic of a sequence's tokens [from, to), each attending
// to itself and all before it, without LM head.
func (a *Architecture) ChunkFLOPs(from, to int) units.FLOPs {
	return units.FLOPs(to-from)*a.MatrixFLOPsPerToken() +
		units.FLOPs(CausalPairs(from, to))*a.AttentionFLOPsPerPair()
}

// DecodeFLOPs is the arithmetic of one new token that attends to context tokens,
// itself included, with the LM head.
func (a *Architecture) DecodeFLOPs(context int) units.FLOPs {
	return a.ChunkFLOPs(context-1, context) + a.HeadFLOPs()
}

// CausalPairs is the number of (query, key) pairs when the tokens [from, to) of
// a sequence attend causally: from*n + n(n+1)/2 with n = to - from.
func CausalPairs(from, to int) float64 {
	n := float64(to - from)
	return float64(from)*n + n*(n+1)/2
}
