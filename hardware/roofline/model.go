package roofline

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Model is the cost model of one deployment. It is safe for concurrent use.
type Model struct {
	deployment Deployment
	constants  constantSource
	memory     Budget
	estimated  []string

	machine     machine
	power       hardware.Power // of one accelerator
	layers      []layers
	head        product
	experts     *experts // nil: none
	elementwise hardware.Efficiency
	decode      decodeAttention
	mixed       decodeAttention // in a step that also has prompts
	prefill     prefillAttention
	indexer     *indexer         // of sparse attention; nil: none
	linear      *linearAttention // of the layers that have it; nil: none
	exchanges   []exchange
	handOvers   []exchange // from each pipeline stage but the last
	shares      []float64  // of the layers, by pipeline stage
	proposer    *proposer  // of speculative decoding; nil: none
	rested      *Model     // the same at the accelerator's full clock; nil: as this one

	weightsFromHost units.Seconds // that a step reads over the host link
	gather          *exchange     // of the accelerators' parts of the logits, per row; nil for one

	elementwiseBytes float64 // per token, all layers
	latencies        units.Seconds
	floor            units.Seconds // launch floor of all layers
	promptFloor      units.Seconds // of a step with prompts that no graph replays
	totals           totals

	tokenTimes  memo     // of everything that depends on a group's number of tokens alone
	promptTimes memo     // of the attention of a whole prompt that is alone in its step
	chunkTimes  pairMemo // of the attention of a chunk that is alone in its step, by its context and its tokens
	expertTimes memo     // of the experts, which depend on the replica's number of tokens
	logitTimes  memo     // of everything that depends on the rows of logits alone
	firstTimes  memo     // of what is the first stage's alone
}

// layers is a number of layers that have the same products.
type layers struct {
	name     string
	count    float64
	products []product
	summed   bool // outputs of the last product are summed over the accelerators
}

// Sizes of the memos: steps beyond are computed every time.
const (
	memoTokens = 16384
	memoLogits = 4096
)

// memoise lets the model, and its drafter, remember times that they computed.
func (m *Model) memoise() {
	m.tokenTimes, m.promptTimes, m.logitTimes = make(memo, memoTokens), make(memo, memoTokens), make(memo, memoLogits)
	m.chunkTimes = make(pairMemo, memoChunks)
	if len(m.shares) > 1 {
		m.firstTimes = make(memo, memoTokens)
	}
	if m.experts != nil {
		m.expertTimes = make(memo, memoTokens)
	}
	if m.rested != nil {
		m.rested.memoise()
	}
	if m.proposer != nil && m.proposer.drafter != nil {
		m.proposer.drafter.memoise()
	}
}

// Window is the size of the window of the model's layers that have one; 0 when
// none has.
func (m *Model) Window() int { return m.deployment.Architecture.Window }

// Capacity is what the replica can hold and do at best.
func (m *Model) Capacity() hardware.Capacity {
	n := m.deployment.Accelerators()
	return hardware.Capacity{
		KVTokens:      m.memory.KVTokens,
		PeakBandwidth: m.machine.bandwidth * units.BytesPerSecond(n),
		PeakCompute:   m.machine.compute * units.FLOPsPerSecond(n),
		PeakLink:      m.deployment.fastestLink().Bandwidth * units.BytesPerSecond(n),
	}
}

// Memory is the memory of each accelerator, itemised.
func (m *Model) Memory() Budget { return m.memory }

// Estimated lists what the model's numbers rest on besides measurements of this
// very accelerator and engine, each in a few words; empty when there is nothing.
func (m *Model) Estimated() []string { return slices.Clone(m.estimated) }

// Deployment is what was modelled, resolved.
func (m *Model) Deployment() Deployment { return m.deployment }

// RequestTime is the front-end's time for a request.
func (m *Model) RequestTime(promptTokens int) units.Seconds {
	return m.deployment.Engine.RequestTime(promptTokens)
}
