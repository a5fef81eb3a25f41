package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// ChunkSteps implements hardware.ChunkModel: what steps owe to their number of tokens and rows is the same for all.
func (m *Model) ChunkSteps(w *hardware.Work, costs []hardware.Cost) {
	if w.Tokens() == 0 {
		clear(costs)
		return
	}
	var rows hardware.Cost
	var begun kernels
	m.addRows(&rows, w)
	m.begin(&begun, w)
	if m.chunksOnLine(w, &begun) {
		m.lineOfChunks(w, &rows, &begun, costs)
		return
	}
	for i := range costs {
		k := begun
		costs[i] = rows
		m.complete(&costs[i], &k, w)
		w.NextChunk()
	}
}

// chunksOnLine tells whether what steps with a chunk of one prompt read and compute is affine in the number of such steps before, and
// each takes what its kernels take one by one, at the same clock. Layers that choose or compress what they attend to count as those with a
// window.
func (m *Model) chunksOnLine(w *hardware.Work, k *kernels) bool {
	return len(w.Prefill) == 1 && w.DraftRows == 0 && w.Rested <= 0 && m.deployment.Architecture.WindowLayers == 0 && m.linear == nil &&
		m.proposer == nil && !m.splits(k.tokens) && m.power.Cap >= m.power.TDP
}

// lineOfChunks is ChunkSteps of such steps. Sums are taken in the order in which Step takes them, so that times are the same to the last
// bit, and so is all else where bytes and FLOPs are whole numbers.
func (m *Model) lineOfChunks(w *hardware.Work, rows *hardware.Cost, k *kernels, costs []hardware.Cost) {
	m.chunkTimes.getRow(w.Prefill[0].Context, w.Prefill[0].Tokens, costs, m.chunkTime)
	layers, groups := units.Seconds(m.deployment.Architecture.FullLayers()), float64(m.deployment.DP)
	fixed, context := m.mixed.fixed(float64(m.groupShare(w.DecodeRows))), w.ReadContext()
	working, others, step := m.working(), units.FLOPs(unwanted(w))*m.totals.tokenFLOPs, *k
	first, each := m.amountsOfChunks(w, rows, len(costs))
	for i := range costs {
		c, before := &costs[i], float64(i)
		step.all = k.all
		if w.DecodeRows > 0 {
			step.all += layers * (fixed + m.mixed.perContext*units.Seconds(float64(context)/groups))
			context += int64(w.DecodeRows)
		}
		step.all = m.withWeights(step.all + c.Time)
		c.Time = 0
		for stage := range m.shares {
			c.Time += m.stageTime(stage, &step)
		}
		c.Bytes, c.FLOPs = first.Bytes+units.Bytes(before)*each.Bytes, first.FLOPs+units.FLOPs(before)*each.FLOPs
		c.LinkBytes, c.Draft, c.DraftFLOPs = rows.LinkBytes, 0, 0
		c.Energy = m.power.Joules(working, c.Time, c.Bytes, c.FLOPs+others)
	}
}

// amountsOfChunks is what the first of n such steps reads and computes, and what each next one does more. The work becomes that of the
// step behind them.
func (m *Model) amountsOfChunks(w *hardware.Work, rows *hardware.Cost, n int) (first, each hardware.Cost) {
	first = *rows
	m.addContexts(&first, w)
	w.NextChunk()
	second := *rows
	m.addContexts(&second, w)
	w.Prefill[0].Context += (n - 1) * w.Prefill[0].Tokens
	w.DecodeContext += int64((n - 1) * w.DecodeRows)
	return first, second.Plus(first, -1)
}
