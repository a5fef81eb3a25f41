package hardware

import "kneepoint/units"

// Chunk is consecutive tokens of one sequence that a step processes together:
// a whole prompt, or a piece of one.
type Chunk struct {
	Context    int // tokens of the sequence whose keys and values exist already
	Tokens     int // tokens to process, padding included
	Recomputed int // the first of Tokens that were computed before a preemption
	Padding    int // the last of Tokens that belong to nobody
}

// Work is what one step must do: the batch as the cost model sees it.
type Work struct {
	Prefill []Chunk

	// DecodeRows is the number of sequences that advance by one token, and
	// DecodeContext the sum over them of the tokens that they attend to, their
	// own new token included.
	DecodeRows    int
	DecodeContext int64

	// DecodeWindowContext is the sum over the decoding sequences of what they
	// attend to in layers with a window: min(context, window). Zero where the
	// model has no such layer; see CostModel.Window.
	DecodeWindowContext int64

	// PaddingRows are rows of a padded static batch whose sequence has ended: they pass
	// through the matrix products. PaddingContext is the tokens of nobody whose keys and
	// values the step's attention reads besides: the padding of shorter prompts, and
	// what rows of ended sequences attend to, where the engine attends for them.
	PaddingRows    int
	PaddingContext int64

	// DraftRows is the number of proposed tokens that the step verifies, beside the
	// decoding sequences' own: rows of the matrix products and of the logits, which
	// attend to the keys and values that their sequence reads anyway. DraftPasses
	// is the longest proposal of a sequence, and DraftContext the sum over the
	// proposed tokens of what they attend to. A proposal is a chain of DraftPasses
	// tokens, or a tree of that depth.
	DraftRows    int
	DraftPasses  int
	DraftContext int64

	// LogitRows is the number of sequences for which the step samples a token.
	LogitRows int

	// Rested is how long ago the last step with prompts ended on the replica, of a step that has
	// some itself: what lets an accelerator compute at its full clock, see Burst. Zero where
	// prompts follow each other, or that is not known.
	Rested units.Seconds
}

// Tokens is the number of rows of the step's matrix products.
func (w *Work) Tokens() int { return w.BatchRows() + w.DraftRows + w.PromptTokens() }

// PromptTokens is the number of prompt tokens of the step, padding included.
func (w *Work) PromptTokens() int {
	n := 0
	for _, c := range w.Prefill {
		n += c.Tokens
	}
	return n
}

// PromptSquares is Σ (p+L)² - p² over the chunks of L tokens on a context of p:
// twice the token pairs of causal attention.
func (w *Work) PromptSquares() float64 {
	var sum float64
	for _, c := range w.Prefill {
		p, l := float64(c.Context), float64(c.Tokens)
		sum += l * (2*p + l)
	}
	return sum
}

// ReadContext is the number of tokens whose keys and values the decoding part reads in
// layers that attend to everything, padding included.
func (w *Work) ReadContext() int64 { return w.DecodeContext + w.PaddingContext }

// BatchRows is the number of sequences of the decoding part, padding included.
func (w *Work) BatchRows() int { return w.DecodeRows + w.PaddingRows }

// NextChunk makes the work that of a step behind it, in which each prompt has a chunk of the same length, and the same sequences
// decode, of a model without layers with a window.
func (w *Work) NextChunk() {
	for i := range w.Prefill {
		w.Prefill[i].Context += w.Prefill[i].Tokens
	}
	w.DecodeContext += int64(w.DecodeRows)
}
