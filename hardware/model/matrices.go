package model

// Matrix is a weight matrix by which a token's activations are multiplied.
type Matrix struct {
	Name  string
	Inner int // width of its input
	Outer int // width of its output
}

// Elements is the number of weights.
func (m Matrix) Elements() float64 { return float64(m.Inner) * float64(m.Outer) }

// AttentionMatrices returns one layer's projections around attention: the query,
// key and value projections as one, and the output projection. With latent
// attention, the projection down to the ranks and the ones up to the heads; the
// latter do the same work when they are absorbed into queries and outputs. Those of an
// indexer are IndexMatrices.
func (a *Architecture) AttentionMatrices() []Matrix {
	if a.Latent == nil {
		return []Matrix{
			{"qkv", a.Hidden, (a.queryParts()*a.Heads + 2*a.KVHeads) * a.HeadDim},
			{"output", a.Heads * a.HeadDim, a.Hidden},
		}
	}
	l := a.Latent
	query := a.Heads * (l.NopeDim + l.RopeDim)
	queries := []Matrix{{"query", a.Hidden, query}, {"kv_down", a.Hidden, l.Width()}}
	if l.QueryRank > 0 {
		queries = []Matrix{{"down", a.Hidden, l.QueryRank + l.Width()}, {"query_up", l.QueryRank, query}}
	}
	if c := a.Compression; c != nil {
		queries = append(queries, Matrix{"compressor", a.Hidden, a.CompressorWidth()})
		return append(queries, c.outputMatrices(a)...)
	}
	return append(queries,
		Matrix{"kv_up", l.KVRank, a.Heads * (l.NopeDim + l.ValueDim)},
		Matrix{"output", a.Heads * l.ValueDim, a.Hidden})
}

// queryParts is how many times as wide as the queries their projection is: twice with a gate.
func (a *Architecture) queryParts() int {
	if a.GatedAttention {
		return 2
	}
	return 1
}

// MLPMatrices returns the gate and up projections as one (or up alone) and the
// down projection of an MLP of the given inner width; nothing for width 0.
func (a *Architecture) MLPMatrices(width int) []Matrix {
	if width == 0 {
		return nil
	}
	up := width
	if a.Gated {
		up = 2 * width
	}
	return []Matrix{{"up", a.Hidden, up}, {"down", width, a.Hidden}}
}

// ExpertMatrices returns the matrices of one routed expert; nothing without
// experts.
func (a *Architecture) ExpertMatrices() []Matrix {
	if a.Experts == nil {
		return nil
	}
	return a.MLPMatrices(a.Experts.FFN)
}

// SharedMatrices returns the matrices that every token meets in a layer with
// experts: those of the shared experts, and the router that scores the others.
func (a *Architecture) SharedMatrices() []Matrix {
	if a.Experts == nil {
		return nil
	}
	return append(a.MLPMatrices(a.Experts.SharedFFN), Matrix{"router", a.Hidden, a.Experts.Count})
}

// Elements is the number of weights in the matrices.
func Elements(matrices []Matrix) float64 {
	var n float64
	for _, m := range matrices {
		n += m.Elements()
	}
	return n
}

// CommonWeights is the number of weights in all layers' matrices that every
// token meets: all but the routed experts.
func (a *Architecture) CommonWeights() float64 {
	return float64(a.AttentionLayers())*Elements(a.AttentionMatrices()) +
		float64(a.IndexLayers())*Elements(a.IndexMatrices()) +
		float64(a.LinearLayers())*Elements(a.LinearMatrices()) +
		float64(a.DenseLayers())*Elements(a.MLPMatrices(a.FFN)) +
		float64(a.ExpertLayers())*Elements(a.SharedMatrices())
}

// MatrixWeights is the number of weights in all layers' matrices.
func (a *Architecture) MatrixWeights() float64 {
	if a.Experts == nil {
		return a.CommonWeights()
	}
	return a.CommonWeights() + float64(a.ExpertLayers()*a.Experts.Count)*Elements(a.ExpertMatrices())
}

// ActiveWeights is the number of weights in all layers' matrices that one token
// meets.
func (a *Architecture) ActiveWeights() float64 {
	if a.Experts == nil {
		return a.CommonWeights()
	}
	return a.CommonWeights() + float64(a.ExpertLayers()*a.Experts.Active)*Elements(a.ExpertMatrices())
}

// EmbeddingWeights is the number of weights of the embedding table; the LM
// head has as many again unless it is tied.
func (a *Architecture) EmbeddingWeights() float64 {
	return float64(a.Vocab) * float64(a.Hidden)
}
