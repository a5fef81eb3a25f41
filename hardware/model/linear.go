package model

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Linear is gated linear attention in Layers of the layers. A sequence keeps
// no keys and values there but a state of a fixed size, which every token changes: a matrix of
// KeyDim x ValueDim for each value head, and the last inputs of a convolution of Taps over
// queries, keys and values. KeyHeads have queries and keys, which value heads share.
//
// States change by the delta rule, or with Scan as in Mamba-2, where they decay and what a token
// brings is added: its groups are key heads, its B and C keys and queries, and its inputs values.
//
// Sources: Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks: Improving Mamba2 with Delta
// Rule", arXiv 2412.06464; transformers/models/qwen3_next/modeling_qwen3_next.py; Dao and Gu 2024,
// "Transformers are SSMs", arXiv 2405.21060; transformers/models/granitemoehybrid/modeling_granitemoehybrid.py.
type Linear struct {
	Layers     int                `toml:"layers" check:"positive"`
	Scan       bool               `toml:"scan"`
	KeyHeads   int                `toml:"key_heads" check:"positive"`
	ValueHeads int                `toml:"value_heads" check:"positive"`
	KeyDim     int                `toml:"key_dim" check:"positive"`
	ValueDim   int                `toml:"value_dim" check:"positive"`
	Taps       int                `toml:"taps" check:"positive"`
	State      hardware.Precision `toml:"state" oneof:"fp32 bf16"` // of the matrices; empty: 16 bits
}

// Channels is the width of what the convolution passes over: queries, keys and values.
func (l *Linear) Channels() int { return 2*l.KeyHeads*l.KeyDim + l.ValueHeads*l.ValueDim }

// Values is the width of all heads' values.
func (l *Linear) Values() int { return l.ValueHeads * l.ValueDim }

// StateElements is the number of elements of one layer's matrices of a sequence.
func (l *Linear) StateElements() float64 { return float64(l.Values()) * float64(l.KeyDim) }

// StateBytes is what one layer keeps of a sequence, whatever its length: the matrices, and the
// inputs of the convolution in 16 bits.
func (l *Linear) StateBytes() units.Bytes {
	width := 2.0
	if l.State != "" {
		width = l.State.Bytes()
	}
	return units.Bytes(l.StateElements()*width + 2*float64(l.Channels()*(l.Taps-1)))
}

// FLOPsPerToken is the arithmetic of one layer for a token: the outer product that is added to the
// state, and the state times the query, two FLOPs per element each; by the delta rule the state
// times the key besides.
func (l *Linear) FLOPsPerToken() units.FLOPs {
	if l.Scan {
		return units.FLOPs(4 * l.StateElements())
	}
	return units.FLOPs(6 * l.StateElements())
}

// ChunkFLOPsPerToken is the same in chunks of so many tokens, as prompts are computed: within a
// chunk, products of keys with keys and of queries with keys, two products with the inverse of
// the first, and one of the second with values; between chunks, three with the state,
//
//	heads * (6*KeyDim*ValueDim + chunk*(6*KeyDim + 4*ValueDim))
//
// In Mamba-2, products of queries with keys of each group and of these with values, and two with the state,
//
//	heads * (4*KeyDim*ValueDim + chunk*2*ValueDim) + groups*chunk*2*KeyDim
//
// Sources: Yang et al. 2024, "Parallelizing Linear Transformers with the Delta Rule over Sequence
// Length", arXiv 2406.06484, and fla-org/flash-linear-attention, fla/ops/gated_delta_rule/chunk.py; Dao and Gu 2024,
// section 6, and state-spaces/mamba, mamba_ssm/ops/triton/ssd_combined.py.
func (l *Linear) ChunkFLOPsPerToken(chunk int) units.FLOPs {
	within := float64(l.ValueHeads) * float64(6*l.KeyDim+4*l.ValueDim)
	if l.Scan {
		within = float64(2 * (l.KeyHeads*l.KeyDim + l.Values()))
	}
	return l.FLOPsPerToken() + units.FLOPs(float64(chunk)*within)
}

// gates is the width of what is projected for the heads besides: a decay and how much is replaced of each, or a step.
func (l *Linear) gates() int {
	if l.Scan {
		return l.ValueHeads
	}
	return 2 * l.ValueHeads
}

// matrices are one layer's projections: queries, keys, values and the gate of the output as
// one, the gates of each head, with them in Mamba-2, and the output's.
func (l *Linear) matrices(hidden int) []Matrix {
	output := Matrix{"linear_output", l.Values(), hidden}
	if l.Scan {
		return []Matrix{{"linear_in", hidden, l.Channels() + l.Values() + l.gates()}, output}
	}
	return []Matrix{{"linear_in", hidden, l.Channels() + l.Values()}, {"linear_gates", hidden, l.gates()}, output}
}

// vectors is the number of a layer's parameters beside the matrices: the convolution, a decay
// and a step for each head, and the norm of the output; in Mamba-2 the convolution's bias, a share of the input for each
// head besides, and a norm over all of them.
func (l *Linear) vectors() float64 {
	if l.Scan {
		return float64(l.Channels()*(l.Taps+1) + 3*l.ValueHeads + l.Values())
	}
	return float64(l.Channels()*l.Taps + 2*l.ValueHeads + l.ValueDim)
}

// Splits reports whether so many accelerators can share the heads: key heads evenly, or one that all have.
func (l *Linear) Splits(accelerators int) bool {
	return l.ValueHeads%accelerators == 0 && (l.KeyHeads%accelerators == 0 || l.Scan && l.KeyHeads == 1)
}

// Share is what each of so many accelerators has of the heads.
func (l *Linear) Share(accelerators int) Linear {
	share := *l
	share.KeyHeads, share.ValueHeads = max(1, l.KeyHeads/accelerators), l.ValueHeads/accelerators
	return share
}

// ShareMatrices are the projections of such a share.
func (l *Linear) ShareMatrices(hidden, accelerators int) []Matrix {
	share := l.Share(accelerators)
	return share.matrices(hidden)
}

// LinearLayers is the number of layers with linear attention.
func (a *Architecture) LinearLayers() int {
	if a.Linear == nil {
		return 0
	}
	return a.Linear.Layers
}

// LinearMatrices returns the projections of one layer with linear attention; nothing without.
func (a *Architecture) LinearMatrices() []Matrix {
	if a.Linear == nil {
		return nil
	}
	return a.Linear.matrices(a.Hidden)
}

// StateBytes is what all layers with linear attention keep of a sequence.
func (a *Architecture) StateBytes() units.Bytes {
	if a.Linear == nil {
		return 0
	}
	return units.Bytes(a.Linear.Layers) * a.Linear.StateBytes()
}
