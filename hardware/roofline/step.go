package roofline

import (
	"kneepoint/hardware"
	"kneepoint/internal/units"
)

// Step is the cost of one forward pass. Data-parallel groups have equal parts of
// the decoding sequences, and of the prompts as far as chunks can be dealt out.
func (m *Model) Step(w *hardware.Work) hardware.Cost {
	tokens := w.Tokens()
	if tokens == 0 {
		return hardware.Cost{}
	}
	cost := m.totals.ofTokens(tokens, m.experts)
	gpu := m.tokenTimes.get(m.groupTokens(w), m.tokenTime)
	if m.experts != nil {
		gpu += m.expertTimes.get(tokens, m.expertTime)
	}
	if w.LogitRows > 0 {
		gpu += m.logitTimes.get(m.groupShare(w.LogitRows), m.logitTime)
		m.totals.addLogits(&cost, w.LogitRows)
	}
	if w.DecodeRows > 0 {
		windowed := m.windowContext(w)
		gpu += m.decodeTime(w.DecodeRows, float64(w.DecodeContext), windowed)
		m.totals.addDecode(&cost, w.DecodeRows, float64(w.DecodeContext), windowed)
	}
	if len(w.Prefill) > 0 {
		gpu += m.prefillTime(w.Prefill)
		for _, c := range w.Prefill {
			m.totals.addChunk(&cost, c, m.Window())
		}
	}
	cost.Time = m.withHost(gpu, w.DecodeRows+w.PaddingRows+len(w.Prefill))
	return cost
}

// groupShare is the largest share of n sequences that a data-parallel group has.
func (m *Model) groupShare(n int) int { return (n + m.deployment.DP - 1) / m.deployment.DP }

// groupTokens is the number of tokens of the fullest data-parallel group.
func (m *Model) groupTokens(w *hardware.Work) int {
	prompt, longest := 0, 0
	for _, c := range w.Prefill {
		prompt += c.Tokens
		longest = max(longest, c.Tokens)
	}
	return m.groupShare(w.DecodeRows+w.PaddingRows) + max(longest, m.groupShare(prompt))
}

// windowContext is the work's DecodeWindowContext, or, where that was left out,
// the most that it can be.
func (m *Model) windowContext(w *hardware.Work) float64 {
	if w.DecodeWindowContext == 0 {
		return float64(min(w.DecodeContext, int64(w.DecodeRows)*int64(m.Window())))
	}
	return float64(w.DecodeWindowContext)
}

// decodeTime is the attention of the decoding sequences in all layers.
func (m *Model) decodeTime(rows int, context, windowed float64) units.Seconds {
	a, groups := &m.deployment.Architecture, float64(m.deployment.DP)
	share := float64(m.groupShare(rows))
	t := units.Seconds(a.FullLayers()) * m.decode.time(share, context/groups)
	if a.WindowLayers > 0 {
		t += units.Seconds(a.WindowLayers) * m.decode.time(share, windowed/groups)
	}
	return t
}

// prefillTime is the attention of the chunks in all layers: of a group's equal
// share of them, or of the longest chunk alone.
func (m *Model) prefillTime(chunks []hardware.Chunk) units.Seconds {
	var full, windowed reach
	var longest units.Seconds
	for _, c := range chunks {
		f, w := reachOf(c, m.Window())
		if m.deployment.DP > 1 {
			longest = max(longest, m.reachTime(f, w))
		}
		full.add(f)
		windowed.add(w)
	}
	groups := float64(m.deployment.DP)
	return max(longest, m.reachTime(full.share(groups), windowed.share(groups)))
}

func (m *Model) reachTime(full, windowed reach) units.Seconds {
	a := &m.deployment.Architecture
	t := units.Seconds(a.FullLayers()) * m.prefill.time(full, &m.machine)
	if a.WindowLayers > 0 {
		t += units.Seconds(a.WindowLayers) * m.prefill.time(windowed, &m.machine)
	}
	return t
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

// tokenTime is the time of the operators that depend on the number of a group's
// tokens alone: the layers' matrix products, elementwise kernels and exchanges,
// and the embedding.
func (m *Model) tokenTime(tokens int) units.Seconds {
	n := float64(tokens)
	total := m.latencies + m.embeddingTime(n)
	for _, l := range m.layers {
		for i := range l.products {
			total += units.Seconds(l.count) * l.products[i].time(n, m.machine.bandwidth)
		}
	}
	total += m.elementwise.Overlap(0, units.Bytes(n*m.elementwiseBytes).At(m.machine.bandwidth))
	for i := range m.exchanges {
		total += m.exchanges[i].time(n)
	}
	return total
}

// expertTime is the time of the routed experts of all layers for the replica's
// tokens.
func (m *Model) expertTime(tokens int) units.Seconds {
	layers := units.Seconds(m.deployment.Architecture.ExpertLayers())
	return layers * m.experts.time(float64(tokens), m.machine.bandwidth)
}

// embeddingTime is the gather of the tokens' rows and the final norm.
func (m *Model) embeddingTime(tokens float64) units.Seconds {
	bytes := units.Bytes(4*tokens) * m.totals.rowBytes
	return 2*m.elementwise.Latency + m.elementwise.Overlap(0, bytes.At(m.machine.bandwidth))
}

// logitBytes is what sampling moves per logit: the 16-bit logit and its 32-bit
// copy.
const logitBytes = 6

// samplerLaunches is the number of kernels of a sampler: about 20 us in all.
const samplerLaunches = 10

// logitTime is the time of the LM head and the sampler for so many rows, and of
// gathering the accelerators' parts of the logits.
func (m *Model) logitTime(rows int) units.Seconds {
	n := float64(rows)
	logits := units.Bytes(n * float64(m.deployment.Architecture.Vocab) * logitBytes)
	t := m.head.time(n, m.machine.bandwidth) + samplerLaunches*m.elementwise.Latency +
		m.elementwise.Overlap(0, logits.At(m.machine.bandwidth))
	if m.gather != nil {
		t += m.gather.time(n)
	}
	return t
}
