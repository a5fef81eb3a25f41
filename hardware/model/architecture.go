package model

import "kneepoint/hardware"

// Architecture is a decoder: attention (multi-head, grouped-query, multi-query,
// latent or, in some layers, linear) and an MLP (dense or a mixture of experts) in every layer.
type Architecture struct {
	Name        string   `toml:"name"`
	HuggingFace string   `toml:"huggingface"` // "": it is not there
	Aliases     []string `toml:"aliases"`

	Layers  int  `toml:"layers" check:"positive"`
	Hidden  int  `toml:"hidden" check:"positive"`
	Heads   int  `toml:"heads" check:"positive"`
	KVHeads int  `toml:"kv_heads" check:"positive"` // Heads: multi-head; 1: multi-query
	HeadDim int  `toml:"head_dim" check:"positive"` // of queries and keys
	FFN     int  `toml:"ffn" check:"nonnegative"`   // inner width of a dense layer's MLP; 0 where every layer has experts
	Gated   bool `toml:"gated"`                     // a gate beside the up projection (SwiGLU): three matrices, not two
	Vocab   int  `toml:"vocab" check:"positive"`

	// WindowLayers of the layers attend to the last Window tokens alone; the
	// others to all. Both zero: no layer does.
	Window       int `toml:"window" check:"nonnegative"`
	WindowLayers int `toml:"window_layers" check:"nonnegative"`

	Latent      *Latent      `toml:"latent"`      // nil: keys and values are kept as they are
	Indexer     *Indexer     `toml:"indexer"`     // nil: attention reads all that its window reaches
	Compression *Compression `toml:"compression"` // of a latent model; nil: a vector of every token is kept
	Linear      *Linear      `toml:"linear"`      // nil: every layer has keys and values
	Experts     *Experts     `toml:"experts"`     // nil: every MLP is dense

	// Streams is the number of residual streams that hyper-connections mix before and after attention
	// and MLP; 0: one, to which both are added.
	Streams int `toml:"streams" check:"nonnegative"`

	// WideAttention: quantized checkpoints leave attention in 16 bits: they quantize the experts
	// alone, or the MLPs where there are none.
	WideAttention bool `toml:"wide_attention"`
	// FP8Block: fp8 checkpoints have a scale per 128x128 block of weights and
	// per 128 activations, not one per channel or tensor.
	FP8Block bool `toml:"fp8_block"`
	// GroupSize is how many weights of the model's 4-bit checkpoints share a scale, of 8 bits where they are floats (32 in MXFP4) and
	// 16 where they are integers. 0: as many as usual, see hardware.Precision.
	GroupSize int `toml:"group_size" check:"nonnegative"`
	// Checkpoint is the formats in which the model is published.
	Checkpoint Checkpoint `toml:"checkpoint"`
	// CommonFormat is that of the checkpoint's weights that every token meets, attention's and shared experts', where
	// it is another than that of the experts.
	CommonFormat hardware.Precision `toml:"common_format" oneof:"fp8"`
	// MTPModules is the number of modules for multi-token prediction in the
	// checkpoint, beyond Layers; 0: it cannot propose for itself.
	MTPModules int `toml:"mtp_modules" check:"nonnegative"`

	TiedEmbeddings     bool `toml:"tied_embeddings"`     // the LM head is the embedding table
	QKVBias            bool `toml:"qkv_bias"`            // bias of the query, key and value projections
	GatedAttention     bool `toml:"gated_attention"`     // attention's output times a gate that is projected with the queries, as wide as they
	LinearBias         bool `toml:"linear_bias"`         // bias of the other projections
	NormBias           bool `toml:"norm_bias"`           // LayerNorm with a bias; without, RMSNorm or a bias-free LayerNorm
	QKNorm             bool `toml:"qk_norm"`             // a norm over each head of queries and keys
	QKNormAcross       bool `toml:"qk_norm_across"`      // instead, one over all heads of either: tensor-parallel ranks add up its sums
	EmbeddingNorm      bool `toml:"embedding_norm"`      // a norm after the embedding
	PositionEmbeddings int  `toml:"position_embeddings"` // rows of a learned position table
	NormsPerLayer      int  `toml:"norms_per_layer"`     // 0 means 2; 1 where attention and MLP share one

	MaxContext int    `toml:"max_context" check:"positive"`
	Note       string `toml:"note"` // what the description leaves out
	Source     string `toml:"source"`
	Date       string `toml:"date"`
}

// Checkpoint is the formats of published weights, and those that engines compute them in
// where the accelerator can; empty: 16 bits.
type Checkpoint struct {
	Weights     hardware.Precision `toml:"weights" oneof:"fp8 int8 int4 fp4"`
	Activations hardware.Precision `toml:"activations" oneof:"fp8 int8 fp4"`
}

// Latent is multi-head latent attention (DeepSeek-V2): keys and values are kept
// as one vector per token of KVRank elements plus RopeDim of a rotary key, and
// are projected up to every head's NopeDim keys and ValueDim values when needed.
type Latent struct {
	QueryRank int `toml:"query_rank" check:"nonnegative"` // 0: queries are projected in one step
	KVRank    int `toml:"kv_rank" check:"nonnegative"`
	NopeDim   int `toml:"nope_dim" check:"nonnegative"`
	RopeDim   int `toml:"rope_dim" check:"nonnegative"`
	ValueDim  int `toml:"value_dim" check:"nonnegative"`
}

// Width is the number of elements kept per token and layer.
func (l *Latent) Width() int { return l.KVRank + l.RopeDim }

// LatentValues is how many elements of a latent vector are values: all but the rotary part, or all where the vector
// itself is the value.
func (a *Architecture) LatentValues() int {
	if a.Compression != nil {
		return a.Latent.Width()
	}
	return a.Latent.KVRank
}

// AttentionLayers is the number of layers that keep keys and values.
func (a *Architecture) AttentionLayers() int { return a.Layers - a.LinearLayers() }

// FullLayers is the number of layers that attend to the whole context.
func (a *Architecture) FullLayers() int { return a.AttentionLayers() - a.WindowLayers }

// ValueDim is the width of a head's values.
func (a *Architecture) ValueDim() int {
	if a.Latent != nil {
		return a.Latent.ValueDim
	}
	return a.HeadDim
}
