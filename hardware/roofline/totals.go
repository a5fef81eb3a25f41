package roofline

import (
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// totals is the least that a step must read and compute, and what it sends,
// summed over the replica's accelerators.
type totals struct {
	commonBytes   units.Bytes // weights of all layers that every token meets
	groups        int         // that each have a copy of them
	expertBytes   units.Bytes // one routed expert in every layer that has experts
	headBytes     units.Bytes
	rowBytes      units.Bytes // one row of the embedding table
	kvBytes       units.Bytes // what is kept of a token, in the layers that attend to everything
	windowBytes   units.Bytes // and in those with a window
	lastBytes     units.Bytes // of a sequence's last tokens, in compressed layers
	local         int         // how many last tokens
	indexBytes    units.Bytes // index keys of a token, in all layers
	stateBytes    units.Bytes // what layers with linear attention keep of a sequence
	tokenFLOPs    units.FLOPs
	pairFLOPs     units.FLOPs // a pair in all layers that attend to everything
	windowFLOPs   units.FLOPs // and in all with a window
	lastFLOPs     units.FLOPs // of a row and its last tokens, in all compressed layers
	indexFLOPs    units.FLOPs // and of the indexers of all layers
	headFLOPs     units.FLOPs
	linkPerToken  units.Bytes
	linkPerLogits units.Bytes
}

func (m *Model) buildTotals() {
	d, a := &m.deployment, &m.deployment.Architecture
	kv := a.KVBytes(d.KV)
	projected := float64(a.AttentionLayers())*model.Elements(a.AttentionMatrices()) + float64(a.LinearLayers())*model.Elements(a.LinearMatrices())
	m.totals = totals{
		commonBytes: units.Bytes(projected*d.projected().weightBytes() + (a.CommonWeights()-projected)*d.common().weightBytes()),
		groups:      d.DP,
		headBytes:   units.Bytes(a.EmbeddingWeights() * d.wide().weightBytes()),
		rowBytes:    units.Bytes(float64(a.Hidden) * m.machine.wideBytes),
		kvBytes:     units.Bytes(float64(a.FullLayers())*a.FullShare()) * kv,
		windowBytes: units.Bytes(float64(a.WindowLayers)*a.WindowShare()) * kv,
		lastBytes:   units.Bytes(a.Layers*a.Local()) * kv,
		local:       a.Local(),
		indexBytes:  a.IndexBytesPerToken(),
		stateBytes:  a.StateBytes(),
		tokenFLOPs:  a.TokenFLOPs(),
		pairFLOPs:   units.FLOPs(float64(a.FullLayers())*a.FullShare()) * a.PairFLOPs(),
		windowFLOPs: units.FLOPs(float64(a.WindowLayers)*a.WindowShare()) * a.PairFLOPs(),
		lastFLOPs:   units.FLOPs(a.Layers*a.Local()) * a.PairFLOPs(),
		headFLOPs:   a.HeadFLOPs(),
	}
	if a.Indexer != nil {
		m.totals.indexFLOPs = units.FLOPs(float64(a.IndexLayers())*a.WindowShare()) * a.Indexer.PairFLOPs()
	}
	if a.Experts != nil {
		m.totals.expertBytes = units.Bytes(float64(a.ExpertLayers()) * model.Elements(a.ExpertMatrices()) * d.routed().weightBytes())
	}
	for i := range m.exchanges {
		e := &m.exchanges[i]
		m.totals.linkPerToken += units.Bytes(e.times*float64(d.TP)) * e.bytesPerSlot()
	}
	for i := range m.handOvers {
		e := &m.handOvers[i]
		m.totals.linkPerToken += units.Bytes(e.times*float64(d.TP)) * e.bytesPerSlot()
	}
	if m.gather != nil {
		m.totals.linkPerLogits = units.Bytes(d.TP) * m.gather.bytesPerSlot()
	}
}

// addTokens adds what a number of tokens' products and exchanges cost, without time
// and without the FLOPs, which not every token counts for.
func (t *totals) addTokens(cost *hardware.Cost, tokens int, e *experts) {
	cost.Bytes += units.Bytes(min(tokens, t.groups))*t.commonBytes + units.Bytes(tokens)*t.rowBytes
	cost.LinkBytes += units.Bytes(tokens) * t.linkPerToken
	if e != nil {
		cost.Bytes += units.Bytes(e.mixture.Distinct(float64(tokens))) * t.expertBytes
	}
}

// addLogits adds what rows of logits cost, those of guesses among them.
func (t *totals) addLogits(cost *hardware.Cost, rows, guesses int) {
	cost.Bytes += t.headBytes
	cost.FLOPs += units.FLOPs(rows-guesses) * t.headFLOPs
	cost.LinkBytes += units.Bytes(rows) * t.linkPerLogits
}

// addDecode adds the attention of decoding rows, and their wanted FLOPs.
func (t *totals) addDecode(cost *hardware.Cost, rows int, context, windowed float64) {
	cost.Bytes += units.Bytes(context)*(t.kvBytes+t.indexBytes) + units.Bytes(windowed)*t.windowBytes + units.Bytes(2*rows)*t.stateBytes +
		units.Bytes(rows)*t.lastBytes
	cost.FLOPs += units.FLOPs(rows)*(t.tokenFLOPs+t.lastFLOPs) + units.FLOPs(context)*(t.pairFLOPs+t.indexFLOPs) + units.FLOPs(windowed)*t.windowFLOPs
}

// addGuesses adds the FLOPs of guesses; what they read, their sequences read
// anyway.
func (t *totals) addGuesses(cost *hardware.Cost, w *hardware.Work, window int) {
	windowed := min(w.DraftContext, int64(w.DraftRows)*int64(window))
	cost.DraftFLOPs = units.FLOPs(w.DraftRows)*(t.tokenFLOPs+t.headFLOPs+t.lastFLOPs) +
		units.FLOPs(w.DraftContext)*(t.pairFLOPs+t.indexFLOPs) + units.FLOPs(windowed)*t.windowFLOPs
}

// addChunk adds the attention of a chunk, and the FLOPs of its tokens that are
// neither padding nor computed before.
func (t *totals) addChunk(cost *hardware.Cost, c hardware.Chunk, window int) {
	to := c.Context + c.Tokens - c.Padding
	cost.Bytes += units.Bytes(to)*(t.kvBytes+t.indexBytes) + units.Bytes(statePasses(c))*t.stateBytes
	if t.local > 0 {
		cost.Bytes += units.Bytes(float64(min(c.Context, t.local-1)+c.Tokens-c.Padding)/float64(t.local)) * t.lastBytes
	}
	from := c.Context + c.Recomputed
	if window > 0 {
		cost.Bytes += units.Bytes(min(c.Context, window-1)+c.Tokens-c.Padding) * t.windowBytes
	}
	if to <= from {
		return
	}
	cost.FLOPs += units.FLOPs(to-from)*t.tokenFLOPs + units.FLOPs(model.CausalPairs(from, to))*(t.pairFLOPs+t.indexFLOPs)
	if t.local > 0 {
		cost.FLOPs += units.FLOPs(model.WindowPairs(from, to, t.local)/float64(t.local)) * t.lastFLOPs
	}
	if window > 0 {
		cost.FLOPs += units.FLOPs(model.WindowPairs(from, to, window)) * t.windowFLOPs
	}
}
