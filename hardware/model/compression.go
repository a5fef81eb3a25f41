package model

import "kneepoint/units"

// Compression is the attention of DeepSeek-V4: a layer keeps one latent vector of several tokens, and of the last
// Local ones a vector each. Layers with an indexer have one of every Sparse tokens, of which it selects TopK, so that
// their window is TopK*Sparse tokens; the others one of every Full tokens, and attend to all. A vector is the key and
// the value of every head, and nothing is projected up again. What the heads of each of Groups give is
// projected down to OutputRank elements, and those of all groups to the hidden width.
//
// Source: DeepSeek-AI 2026, "DeepSeek-V4", section 2.3; vllm/model_executor/layers/deepseek_v4_attention.py.
type Compression struct {
	Local      int `toml:"local" check:"positive"`
	Sparse     int `toml:"sparse" check:"nonnegative"` // 0: no layer has an indexer
	Full       int `toml:"full" check:"nonnegative"`   // 0: the others keep the last tokens alone
	Groups     int `toml:"groups" check:"positive"`
	OutputRank int `toml:"output_rank" check:"positive"`
}

// FullShare is how many vectors a layer that attends to everything keeps for each token, but those of the last.
func (a *Architecture) FullShare() float64 {
	if a.Compression == nil {
		return 1
	}
	return share(a.Compression.Full)
}

// WindowShare is the same of a layer with a window.
func (a *Architecture) WindowShare() float64 {
	if a.Compression == nil {
		return 1
	}
	return share(a.Compression.Sparse)
}

func share(tokens int) float64 {
	if tokens == 0 {
		return 0
	}
	return 1 / float64(tokens)
}

// Local is the number of last tokens that a sequence keeps a vector of each besides; 0 without compression.
func (a *Architecture) Local() int {
	if a.Compression == nil {
		return 0
	}
	return a.Compression.Local
}

// cacheBytes is a vector as it is kept in 8 bits: with a scale of 8 bits for every 64 elements, one byte to fill up, and
// the rotary part in 16 bits.
func (c *Compression) cacheBytes(l *Latent) units.Bytes {
	return units.Bytes(l.KVRank + l.KVRank/64 + 1 + 2*l.RopeDim)
}

// outputMatrices are one layer's projections of what the heads give.
func (c *Compression) outputMatrices(a *Architecture) []Matrix {
	return []Matrix{
		{"output_down", a.Heads * a.Latent.ValueDim / c.Groups, c.Groups * c.OutputRank},
		{"output", c.Groups * c.OutputRank, a.Hidden},
	}
}

// CompressorWidth is that of the projection by which tokens become a vector: what is added up, and the weights that it has.
func (a *Architecture) CompressorWidth() int {
	if a.Compression == nil || a.Compression.Full == 0 {
		return 0
	}
	return 2 * a.Latent.Width()
}
