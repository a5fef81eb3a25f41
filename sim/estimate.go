package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// TTFT implements routing.Replicas, by the cost model of the replica:
//
//	tokens still to be computed × time of the prompt / its tokens + min(time of the rest, fetch + time of what is left then)
//
// A replica that only decodes has nothing to do for the first token.
//
// Source: Qin et al., FAST 2025, "Mooncake", algorithm 1, where the times are predicted from
// measurements offline.
func (g *group) TTFT(i int) units.Seconds {
	pending := g.At(i).Pending
	r, v := g.members[i].replica, g.request
	if r.pool.Role == DecodeOnly {
		return 0
	}
	prompt, local := r.pool.Compression.Tokens(v.Input), g.Cached(i)
	took := min(r.prefillTime(prompt, local), r.fetchTime(v, prompt, local, g.now))
	return units.Seconds(pending)*r.prefillTime(prompt, 0)/units.Seconds(prompt) + took
}

// fetchTime is how long it takes to fetch more of a prompt than the first tokens that are in
// memory, and to compute the rest; forever where there is no more.
func (r *replica) fetchTime(v *visit, prompt, local int, now units.Seconds) units.Seconds {
	if !r.shares() {
		return forever
	}
	h := r.fleet.sharing
	found := h.held(v, r.poolIndex, now)
	if found.tokens <= local || float64(found.tokens) < h.Threshold*float64(local) {
		return forever
	}
	bytes := r.sharedBytes((found.tokens - local) / r.pool.BlockSize)
	return h.time(bytes, found.peer, r) + r.prefillTime(prompt, found.tokens)
}

// prefillTime is the time of a step that computes the rest of a prompt, behind its first tokens.
func (m *machine) prefillTime(prompt, first int) units.Seconds {
	chunk := hardware.Chunk{Context: first, Tokens: prompt - first}
	return m.pool.Cost.Step(&hardware.Work{Prefill: []hardware.Chunk{chunk}, LogitRows: 1}).Time
}
