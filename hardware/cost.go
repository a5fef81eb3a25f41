package hardware

import "kneepoint/units"

// Chunk is a stretch of one sequence's tokens that a step processes together:
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
	// model has no such layer; see Windowed.
	DecodeWindowContext int64

	// PaddingRows are rows of a padded static batch whose sequence has ended:
	// they pass through the matrix products but attend to nothing.
	PaddingRows int

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

// BatchRows is the number of sequences of the decoding part, padding included.
func (w *Work) BatchRows() int { return w.DecodeRows + w.PaddingRows }

// Cost is what a step takes. Bytes, FLOPs and LinkBytes are summed over the
// replica's accelerators.
type Cost struct {
	Time units.Seconds

	// Draft is the part of Time in which tokens are proposed, before the model
	// verifies them.
	Draft units.Seconds

	// Bytes is the least that must be read from memory: the weights that the
	// step touches, once, and every sequence's keys and values, once.
	Bytes units.Bytes

	// FLOPs is the model's arithmetic for tokens that somebody wanted: neither
	// padding nor recomputed tokens count.
	FLOPs units.FLOPs

	// DraftFLOPs is the model's arithmetic for the proposed tokens, of which the
	// accepted ones turn out to be wanted.
	DraftFLOPs units.FLOPs

	// LinkBytes is what the accelerators send to each other.
	LinkBytes units.Bytes
}

// CostModel says how long a step takes on a replica.
//
// Step must be a pure function of the work, and must not keep w.
type CostModel interface {
	Step(w *Work) Cost
}

// Bounds is the time of a step by what it waits for most: arithmetic, memory
// bandwidth, links, latencies that do not depend on the amount of work, or the
// host.
type Bounds struct {
	Compute, Memory, Link, Latency, Host units.Seconds
}

// Total is the time of the step.
func (b *Bounds) Total() units.Seconds { return b.Compute + b.Memory + b.Link + b.Latency + b.Host }

// Add adds n times the bounds c.
func (b *Bounds) Add(c *Bounds, n float64) {
	b.Compute += units.Seconds(n) * c.Compute
	b.Memory += units.Seconds(n) * c.Memory
	b.Link += units.Seconds(n) * c.Link
	b.Latency += units.Seconds(n) * c.Latency
	b.Host += units.Seconds(n) * c.Host
}

// Bounding is a cost model that knows what the parts of a step wait for. The
// bounds add up to the Time of Step.
type Bounding interface {
	CostModel
	Bounds(w *Work) Bounds
}

// Windowed is a cost model of which some layers attend to the last Window()
// tokens alone; 0 when none does. All such layers have the same window.
type Windowed interface {
	Window() int
}

// WindowOf is the window of a cost model: 0 when it has none.
func WindowOf(c CostModel) int {
	if w, ok := c.(Windowed); ok {
		return w.Window()
	}
	return 0
}

// Staged is a cost model of a replica whose steps pass through the stages of a
// pipeline, so that several steps are under way at a time.
type Staged interface {
	CostModel
	Stages() int

	// StageTimes fills times, one for each stage, with how long the work occupies
	// it, the hand-over to the next one included. They add up to the Time of Step.
	StageTimes(w *Work, times []units.Seconds)
}

// StagesOf is the number of pipeline stages of a cost model: 1 when it has none.
func StagesOf(c CostModel) int {
	if s, ok := c.(Staged); ok {
		return s.Stages()
	}
	return 1
}

// EvenStages is a cost model of which every step is spread evenly over N stages,
// with nothing lost between them.
type EvenStages struct {
	CostModel
	N int
}

// Stages implements Staged.
func (e EvenStages) Stages() int { return e.N }

// Window implements Windowed.
func (e EvenStages) Window() int { return WindowOf(e.CostModel) }

// StageTimes implements Staged.
func (e EvenStages) StageTimes(w *Work, times []units.Seconds) {
	total := e.Step(w).Time
	for i := range times {
		times[i] = total / units.Seconds(e.N)
	}
}

// BesideLayers is how long work of a model's layers takes that computes for t and
// moves data for x, layer by layer side by side: all but one layer of the shorter
// one is hidden,
//
//	max(t/layers + x, t + x/layers)
func BesideLayers(t, x units.Seconds, layers int) units.Seconds {
	n := units.Seconds(layers)
	return max(t/n+x, t+x/n)
}

// Capacity is what a replica can hold and do at best; the denominators of
// memory-bandwidth and FLOPs utilization, summed over its accelerators.
type Capacity struct {
	KVTokens      int                  // tokens of KV cache that fit
	PeakBandwidth units.BytesPerSecond // of memory
	PeakCompute   units.FLOPsPerSecond // dense, in the compute type
	PeakLink      units.BytesPerSecond // zero for a single accelerator
}
