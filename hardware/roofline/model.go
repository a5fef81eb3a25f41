package roofline

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/internal/units"
)

// Model is the cost model of one deployment. It is safe for concurrent use.
type Model struct {
	deployment Deployment
	memory     Budget
	estimated  []string

	machine     machine
	products    [4]product // of a layer
	head        product
	elementwise hardware.Efficiency
	decode      decodeAttention
	prefill     prefillAttention
	allReduce   hardware.Collective
	link        hardware.Link

	elementwiseBytes float64 // per token and layer
	latencies        units.Seconds
	floor            units.Seconds // launch floor of a step
	layers           units.Seconds // number of layers, as a factor of durations

	weightBytes   units.Bytes // of all layers on all accelerators
	headBytes     units.Bytes
	rowBytes      units.Bytes // one row of the embedding table
	kvBytes       units.Bytes // one token's keys and values on all accelerators
	tokenFLOPs    units.FLOPs
	pairFLOPs     units.FLOPs
	headFLOPs     units.FLOPs
	linkPerToken  units.Bytes
	linkPerLogits units.Bytes

	tokenTimes memo // of everything that depends on the number of tokens alone
	logitTimes memo // of everything that depends on the rows of logits alone
}

var _ hardware.CostModel = (*Model)(nil)

// Sizes of the memos: steps beyond are computed every time.
const (
	memoTokens = 16384
	memoLogits = 4096
)

// Step is the cost of one forward pass.
func (m *Model) Step(w *hardware.Work) hardware.Cost {
	tokens := w.Tokens()
	if tokens == 0 {
		return hardware.Cost{}
	}
	gpu := m.tokenTimes.get(tokens, m.tokenTime)
	cost := hardware.Cost{
		Bytes:     m.weightBytes + units.Bytes(tokens)*m.rowBytes + units.Bytes(w.DecodeContext)*m.kvBytes,
		FLOPs:     units.FLOPs(w.DecodeRows)*m.tokenFLOPs + units.FLOPs(w.DecodeContext)*m.pairFLOPs,
		LinkBytes: units.Bytes(tokens) * m.linkPerToken,
	}
	if w.LogitRows > 0 {
		gpu += m.logitTimes.get(w.LogitRows, m.logitTime)
		cost.Bytes += m.headBytes
		cost.FLOPs += units.FLOPs(w.LogitRows) * m.headFLOPs
		cost.LinkBytes += units.Bytes(w.LogitRows) * m.linkPerLogits
	}
	if w.DecodeRows > 0 {
		gpu += m.layers * m.decode.time(w.DecodeRows, w.DecodeContext)
	}
	if len(w.Prefill) > 0 {
		gpu += m.prefillStep(w.Prefill, &cost)
	}
	cost.Time = m.withHost(gpu, w.DecodeRows+w.PaddingRows+len(w.Prefill))
	return cost
}

// prefillStep returns the time of the chunks' attention and adds their bytes
// and wanted FLOPs to the cost.
func (m *Model) prefillStep(chunks []hardware.Chunk, cost *hardware.Cost) units.Seconds {
	var pairs, tokens, keys float64
	for _, c := range chunks {
		end := c.Context + c.Tokens
		pairs += model.CausalPairs(c.Context, end)
		tokens += float64(c.Tokens)
		keys += float64(end)
		cost.Bytes += units.Bytes(end-c.Padding) * m.kvBytes
		if from, to := c.Context+c.Recomputed, end-c.Padding; to > from {
			cost.FLOPs += units.FLOPs(to-from)*m.tokenFLOPs + units.FLOPs(model.CausalPairs(from, to))*m.pairFLOPs
		}
	}
	return m.layers * m.prefill.time(pairs, tokens, keys, &m.machine)
}

// withHost adds the host's launches and its own share to the time of a step's
// kernels, as hardware.Engine describes.
func (m *Model) withHost(gpu units.Seconds, sequences int) units.Seconds {
	e := &m.deployment.Engine
	host := e.StepCPU + e.StepCPUPerSequence*units.Seconds(sequences)
	if e.Overlap {
		return max(gpu, m.floor, host)
	}
	return max(gpu, m.floor) + host
}

// tokenTime is the time of the operators that depend on the number of tokens
// alone: the layers' matrix products, elementwise kernels and all-reduces, and
// the embedding.
func (m *Model) tokenTime(tokens int) units.Seconds {
	n := float64(tokens)
	layer := m.latencies
	for i := range m.products {
		layer += m.products[i].time(n, m.machine.bandwidth)
	}
	layer += m.elementwise.Overlap(0, units.Bytes(n*m.elementwiseBytes).At(m.machine.bandwidth))
	total := m.layers*layer + m.embeddingTime(n)
	if m.deployment.TP > 1 {
		total += (2*m.layers + 1) * m.allReduceTime(n)
	}
	return total
}

// embeddingTime is the gather of the tokens' rows and the final norm.
func (m *Model) embeddingTime(tokens float64) units.Seconds {
	bytes := units.Bytes(4*tokens) * m.rowBytes
	return 2*m.elementwise.Latency + m.elementwise.Overlap(0, bytes.At(m.machine.bandwidth))
}

// allReduceTime is one all-reduce of the tokens' hidden states.
func (m *Model) allReduceTime(tokens float64) units.Seconds {
	tp := float64(m.deployment.TP)
	volume := 2 * (tp - 1) / tp * tokens * float64(m.deployment.Architecture.Hidden) * m.machine.wideBytes
	return m.allReduce.Time(units.Bytes(volume), m.link)
}

// logitBytes is what sampling moves per logit: the 16-bit logit and its 32-bit
// copy.
const logitBytes = 6

// logitTime is the time of the LM head and the sampler for so many rows, and of
// gathering the accelerators' parts of the logits.
func (m *Model) logitTime(rows int) units.Seconds {
	n, tp := float64(rows), float64(m.deployment.TP)
	t := m.head.time(n, m.machine.bandwidth)
	logits := n * float64(m.deployment.Architecture.Vocab)
	t += samplerLaunches*m.elementwise.Latency + m.elementwise.Overlap(0, units.Bytes(logits*logitBytes).At(m.machine.bandwidth))
	if m.deployment.TP > 1 {
		t += m.allReduce.Time(units.Bytes((tp-1)/tp*logits*m.machine.wideBytes), m.link)
	}
	return t
}

// samplerLaunches is the number of kernels of a sampler: about 20 us in all.
const samplerLaunches = 10

// Capacity is what the replica can hold and do at best.
func (m *Model) Capacity() hardware.Capacity {
	tp := m.deployment.TP
	c := hardware.Capacity{
		KVTokens:      m.memory.KVTokens,
		PeakBandwidth: m.machine.bandwidth * units.BytesPerSecond(tp),
		PeakCompute:   m.machine.compute * units.FLOPsPerSecond(tp),
	}
	if tp > 1 {
		c.PeakLink = m.link.Bandwidth * units.BytesPerSecond(tp)
	}
	return c
}

// Memory is the memory of each accelerator, itemised.
func (m *Model) Memory() Budget { return m.memory }

// Estimated lists what the model's numbers rest on besides measurements of this
// very accelerator and engine, each in a few words; empty when there is nothing.
func (m *Model) Estimated() []string { return slices.Clone(m.estimated) }

// Deployment is what was modelled, defaults filled in.
func (m *Model) Deployment() Deployment { return m.deployment }

// RequestTime is the front-end's time for a request with so many prompt tokens.
func (m *Model) RequestTime(promptTokens int) units.Seconds {
	return m.deployment.Engine.RequestTime(promptTokens)
}
