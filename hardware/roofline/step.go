package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Step is the cost of one forward pass; its time is that of its passage through
// an empty pipeline. Data-parallel groups have equal parts of the decoding
// sequences, and of the prompts as far as chunks can be dealt out.
func (m *Model) Step(w *hardware.Work) (cost hardware.Cost) {
	if w.Tokens() == 0 {
		return cost
	}
	var k kernels
	m.addRows(&cost, w)
	m.begin(&k, w)
	m.complete(&cost, &k, w)
	return cost
}

// complete adds to what a step owes to its number of tokens and rows what it owes to what these attend to. Costs and kernels are
// filled in where they are: one that is returned is copied.
func (m *Model) complete(cost *hardware.Cost, k *kernels, w *hardware.Work) {
	m.addContexts(cost, w)
	m.finish(k, w)
	for i := range m.shares {
		cost.Time += m.stageTime(i, k)
	}
	if m.proposer != nil {
		m.proposer.addTo(cost, w)
	}
	cost.Energy = m.Energy(cost, w)
}

// addAmounts adds what a step of some tokens reads, computes and sends.
func (m *Model) addAmounts(cost *hardware.Cost, w *hardware.Work) {
	m.addRows(cost, w)
	m.addContexts(cost, w)
}

// addRows adds what hangs on the number of tokens and rows alone.
func (m *Model) addRows(cost *hardware.Cost, w *hardware.Work) {
	m.totals.addTokens(cost, w.Tokens(), m.experts)
	if w.LogitRows > 0 {
		m.totals.addLogits(cost, w.LogitRows, w.DraftRows)
	}
}

// addContexts adds what hangs on what tokens attend to.
func (m *Model) addContexts(cost *hardware.Cost, w *hardware.Work) {
	if w.DecodeRows > 0 {
		m.totals.addDecode(cost, w.DecodeRows, float64(w.DecodeContext), m.windowContext(w))
	}
	if w.DraftRows > 0 {
		m.totals.addGuesses(cost, w, m.Window())
	}
	for _, c := range w.Prefill {
		m.totals.addChunk(cost, c, m.Window())
	}
}

// kernels is the time of a step's kernels and exchanges, without the hand-overs
// between pipeline stages.
type kernels struct {
	all      units.Seconds
	capped   units.Seconds // of all: what a cap on power adds
	slow     units.Seconds // share of all that is not computed at the full clock
	logits   units.Seconds // of all: the LM head, the sampler, the gathering of logits
	launches units.Seconds // the least that all layers take to launch
	host     units.Seconds // the host's share of the step
	tokens   int           // of the fullest data-parallel group
}

// kernelsOf is those of a step.
func (m *Model) kernelsOf(w *hardware.Work) (k kernels) {
	m.begin(&k, w)
	m.finish(&k, w)
	return k
}

// begin fills in what hangs on the number of tokens and rows alone.
func (m *Model) begin(k *kernels, w *hardware.Work) {
	k.tokens, k.launches = m.groupTokens(w), m.floor
	if len(w.Prefill) > 0 && k.tokens > m.deployment.Engine.GraphTokens {
		k.launches = m.promptFloor
	}
	if m.splits(k.tokens) {
		k.launches *= microBatches
	}
	k.host = m.hostTime(m.groupShare(w.BatchRows() + len(w.Prefill)))
	k.all, k.logits = m.rowTimes(w, k.tokens)
}

// finish adds what hangs on what tokens attend to, and on the clock.
func (m *Model) finish(k *kernels, w *hardware.Work) {
	k.all = m.kernelTime(k.all, w, k.tokens)
	m.hasten(k, w)
	if m.power.Cap < m.power.TDP {
		m.slowDown(k, w)
	}
}

// rowTimes is the time of the kernels that depend on the number of tokens and rows alone, and that of those for logits among them, at the
// clock that lasts. Of a step in halves it is that of the logits.
func (m *Model) rowTimes(w *hardware.Work, tokens int) (all, logits units.Seconds) {
	if w.LogitRows > 0 {
		logits = m.logitTimes.get(m.groupShare(w.LogitRows), m.logitTime)
	}
	if m.splits(tokens) {
		return logits, logits
	}
	all = m.tokenTimes.get(tokens, m.tokenTime)
	if m.experts != nil {
		all += m.expertTimes.get(w.Tokens(), m.expertTime)
	}
	return all + logits, logits
}

// kernelTime is the time of all kernels, given that of rowTimes.
func (m *Model) kernelTime(rows units.Seconds, w *hardware.Work, tokens int) units.Seconds {
	if m.splits(tokens) {
		return m.withWeights(m.overlappedTime(w, tokens) + rows)
	}
	return m.withWeights(m.contextTime(rows, w))
}

// contextTime adds the operators whose work depends on what tokens attend to.
func (m *Model) contextTime(t units.Seconds, w *hardware.Work) units.Seconds {
	if w.DecodeRows > 0 {
		t += m.decodeTime(m.decodeKernel(w), w)
	}
	if len(w.Prefill) > 0 {
		t += m.prefillTime(w.Prefill)
	}
	if m.indexer != nil {
		t += m.indexTime(w)
	}
	if m.linear != nil {
		t += m.linear.time(m, w)
	}
	return t
}

// groupShare is the largest share of n sequences that a data-parallel group has.
func (m *Model) groupShare(n int) int {
	groups := m.deployment.DP
	if groups == 1 { // a division takes longer than all else
		return n
	}
	return (n + groups - 1) / groups
}

// groupTokens is the number of tokens of the fullest data-parallel group.
func (m *Model) groupTokens(w *hardware.Work) int {
	prompt, longest := 0, 0
	for _, c := range w.Prefill {
		prompt += c.Tokens
		longest = max(longest, c.Tokens)
	}
	return m.groupShare(w.BatchRows()+w.DraftRows) + max(longest, m.groupShare(prompt))
}

// windowContext is the work's DecodeWindowContext, or, where that was left out,
// the most that it can be.
func (m *Model) windowContext(w *hardware.Work) float64 {
	if w.DecodeWindowContext == 0 {
		return float64(min(w.DecodeContext, int64(w.DecodeRows)*int64(m.Window())))
	}
	return float64(w.DecodeWindowContext)
}

// decodeKernel is the attention kernel of the work's decoding sequences.
func (m *Model) decodeKernel(w *hardware.Work) *decodeAttention {
	if len(w.Prefill) > 0 {
		return &m.mixed
	}
	return &m.decode
}

// decodeTime is the attention of the decoding sequences and of what they guess,
// in all layers.
func (m *Model) decodeTime(kernel *decodeAttention, w *hardware.Work) units.Seconds {
	rows, groups := float64(m.groupShare(w.DecodeRows+w.DraftRows)), float64(m.deployment.DP)
	context, windowed := float64(w.ReadContext())/groups, m.windowContext(w)/groups
	context, windowed = m.keptOf(float64(m.groupShare(w.DecodeRows)), context, windowed)
	if w.DraftRows == 0 {
		return m.inLayers(kernel.time(rows, context), kernel.time(rows, windowed))
	}
	guesses, windowedGuesses := m.keptOf(float64(m.groupShare(w.DraftRows)), float64(w.DraftContext)/groups, m.draftWindowContext(w)/groups)
	return m.inLayers(kernel.verify(rows, context, guesses, &m.machine), kernel.verify(rows, windowed, windowedGuesses, &m.machine))
}

// draftWindowContext is the most that guesses can attend to in layers with a
// window.
func (m *Model) draftWindowContext(w *hardware.Work) float64 {
	return float64(min(w.DraftContext, int64(w.DraftRows)*int64(m.Window())))
}

// prefillTime is the attention of the chunks in all layers.
func (m *Model) prefillTime(chunks []hardware.Chunk) units.Seconds {
	switch c := chunks[0]; {
	case len(chunks) > 1:
		return m.chunksTime(chunks)
	case c.Context == 0:
		return m.promptTimes.get(c.Tokens, m.promptTime)
	default:
		return m.chunkTimes.get(c.Context, c.Tokens, m.chunkTime)
	}
}

// promptTime is the attention of one whole prompt.
func (m *Model) promptTime(tokens int) units.Seconds { return m.chunkTime(0, tokens) }

// chunkTime is that of one chunk behind a context, alone: no less than its share of all accelerators would be.
func (m *Model) chunkTime(context, tokens int) units.Seconds {
	full, windowed := m.keptReach(m.reachOf(hardware.Chunk{Context: context, Tokens: tokens}))
	if m.Window() == 0 {
		return m.inLayers(m.prefill.alone(full, &m.machine), 0)
	}
	return m.inLayers(m.prefill.alone(full, &m.machine), m.prefill.alone(windowed, &m.machine))
}

// chunksTime is that of the busiest
// data-parallel group, or of the chunk that takes longest alone because it leaves
// a part of the accelerator idle.
func (m *Model) chunksTime(chunks []hardware.Chunk) units.Seconds {
	t := m.reachTime(m.busiestReach(chunks))
	if m.prefill.efficiency.Fill == 0 {
		return t
	}
	for _, c := range chunks {
		t = max(t, m.chunkTime(c.Context, c.Tokens))
	}
	return t
}

func (m *Model) reachOf(c hardware.Chunk) (full, windowed reach) {
	return reachOf(c, m.Window(), m.deployment.Architecture.Local())
}

// busiestReach is what the chunks of the busiest data-parallel group attend to:
// an equal share of them, or the largest chunk.
func (m *Model) busiestReach(chunks []hardware.Chunk) (full, windowed reach) {
	for _, c := range chunks {
		f, w := m.reachOf(c)
		full.add(f)
		windowed.add(w)
	}
	groups := m.deployment.DP
	if groups == 1 {
		return full, windowed
	}
	full, windowed = full.share(float64(groups)), windowed.share(float64(groups))
	most := m.reachTime(full, windowed)
	for _, c := range chunks {
		if f, w := m.reachOf(c); m.reachTime(f, w) > most {
			full, windowed, most = f, w, m.reachTime(f, w)
		}
	}
	return full, windowed
}

func (m *Model) reachTime(full, windowed reach) units.Seconds {
	full, windowed = m.keptReach(full, windowed)
	return m.inLayers(m.prefill.time(full, &m.machine), m.prefill.time(windowed, &m.machine))
}

// inLayers is the time of all layers, given that of one that attends to
// everything and of one with a window.
func (m *Model) inLayers(full, windowed units.Seconds) units.Seconds {
	a := &m.deployment.Architecture
	t := units.Seconds(a.FullLayers()) * full
	if a.WindowLayers > 0 {
		t += units.Seconds(a.WindowLayers) * windowed
	}
	return t
}

// tokenTime is the time of the operators that depend on the number of a group's
// tokens alone.
func (m *Model) tokenTime(tokens int) units.Seconds {
	var total units.Seconds
	m.tokenOperators(float64(tokens), func(o Operator) { total += o.Time })
	return total
}

// expertTime is the time of the routed experts of all layers for the replica's
// tokens.
func (m *Model) expertTime(tokens int) units.Seconds {
	layers := units.Seconds(m.deployment.Architecture.ExpertLayers())
	return layers * m.experts.time(float64(tokens), m.machine.bandwidth)
}

// logitTime is the time of the operators that depend on a group's rows of logits
// alone.
func (m *Model) logitTime(rows int) units.Seconds {
	var total units.Seconds
	m.logitOperators(float64(rows), func(o Operator) { total += o.Time })
	return total
}
