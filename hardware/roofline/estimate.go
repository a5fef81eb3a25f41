package roofline

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Estimate is what the cost model says of a deployment without a simulation.
// Times are in milliseconds, as in results.
type Estimate struct {
	Model        string `json:"model"`
	Accelerator  string `json:"accelerator"`
	Accelerators int    `json:"accelerators"` // of the replica
	Engine       string `json:"engine"`
	Question

	Memory      MemoryUse     `json:"memory"` // of each accelerator
	Concurrency []Concurrency `json:"concurrency"`

	Prefill      Phase  `json:"prefill"`                 // one prompt on an idle replica: its TTFT
	PrefillBatch *Phase `json:"prefill_batch,omitempty"` // all prompts of the batch at once: the last one's TTFT
	Decode       *Phase `json:"decode,omitempty"`        // a decode step of the batch; absent for a single output token

	Service Service  `json:"service"`           // Batch sequences at any time
	Largest *Service `json:"largest,omitempty"` // as many as memory and the objectives allow; absent when not even one meets them
	Limit   string   `json:"limit"`             // why no more than Largest
	SLO     *SLO     `json:"slo,omitempty"`
	Chat    *Chat    `json:"chat,omitempty"`

	ColdStart *ColdStart `json:"cold_start,omitempty"` // absent where the engine says nothing of it
	Portable  *Portable  `json:"portable,omitempty"`   // absent without a battery or a limit of the cooling

	Estimated []string `json:"estimated"` // what the numbers rest on besides measurements
}

// MemoryUse is a Budget as it is printed.
type MemoryUse struct {
	Total       float64 `json:"total_bytes"`
	Utilization float64 `json:"utilization"`
	Available   float64 `json:"available_bytes"`
	Weights     float64 `json:"weights_bytes"`
	Activations float64 `json:"activations_bytes"`
	Reserve     float64 `json:"reserve_bytes"`
	KV          float64 `json:"kv_bytes"`
	KVPerToken  float64 `json:"kv_bytes_per_token"`
	KVTokens    int     `json:"kv_tokens"` // of the whole replica
}

// Concurrency says how many sequences of so many tokens the KV cache holds.
type Concurrency struct {
	Tokens int `json:"tokens"`
	Users  int `json:"users"`
}

// SLO is the objectives of the question and whether Service meets them; an
// absent one was not set.
type SLO struct {
	TTFTMS  float64 `json:"ttft_ms,omitempty"`
	TPOTMS  float64 `json:"tpot_ms,omitempty"`
	TTFTMet bool    `json:"ttft_met"`
	TPOTMet bool    `json:"tpot_met"`
}

// contexts are the lengths at which users are counted besides the question's.
var contexts = [...]int{4096, 8192, 32768, 131072}

// Estimate answers a question that passes Check.
func (m *Model) Estimate(q Question) Estimate {
	d := &m.deployment
	e := Estimate{
		Model: d.Architecture.Name, Accelerator: d.Accelerator.Name, Accelerators: d.Accelerators(), Engine: d.Engine.Name,
		Question:    q,
		Memory:      m.memory.use(),
		Concurrency: []Concurrency{{q.Length(), m.users(q.Length())}},
		Prefill:     m.prefillPhase(&q, 1),
		Service:     m.serve(q),
		ColdStart:   m.coldStart(&q),
	}
	e.Estimated = m.estimates(&e)
	for _, n := range contexts {
		if n <= d.MaxModelLen {
			e.Concurrency = append(e.Concurrency, Concurrency{n, m.users(n)})
		}
	}
	if q.Batch > 1 {
		all := m.prefillPhase(&q, q.Batch)
		all.Operators = nil
		e.PrefillBatch = &all
	}
	if q.Output > 1 {
		e.Decode = m.decodePhase(&q)
		e.Chat = m.chat(q)
		e.Portable = m.portable(q, e.Chat)
	}
	batch, limit := m.largestBatch(q)
	if e.Limit = limit; batch > 0 {
		q.Batch = batch
		largest := m.serve(q)
		e.Largest = &largest
	}
	if q.TTFT > 0 || q.TPOT > 0 {
		e.SLO = &SLO{TTFTMS: q.TTFT.Milliseconds(), TPOTMS: q.TPOT.Milliseconds(),
			TTFTMet: e.Service.meetsTTFT(&q), TPOTMet: e.Service.meetsTPOT(&q)}
	}
	return e
}

func (b *Budget) use() MemoryUse {
	return MemoryUse{Total: float64(b.Total), Utilization: b.Utilization, Available: float64(b.Available), Weights: float64(b.Weights),
		Activations: float64(b.Activations), Reserve: float64(b.Reserve), KV: float64(b.KV), KVPerToken: float64(b.KVPerToken), KVTokens: b.KVTokens}
}

// users is the number of sequences of so many tokens that the KV cache holds, in
// whole blocks, each in one data-parallel group.
func (m *Model) users(tokens int) int {
	d := &m.deployment
	blocks := m.memory.KVTokens / d.DP / d.BlockSize
	return blocks / ((tokens + d.BlockSize - 1) / d.BlockSize) * d.DP
}

// estimates is Estimated, and what energy and the cold start rest on.
func (m *Model) estimates(e *Estimate) []string {
	reasons := slices.Clone(m.estimated)
	if power := m.deployment.Accelerator.PowerEstimated(); power != "" {
		reasons = append(reasons, power)
	}
	if e.ColdStart != nil {
		reasons = append(reasons, m.coldStartEstimates(e)...)
	}
	return reasons
}

// Floor is the time that physics asks for: no step of this cost is faster,
// whatever the software,
//
//	max(Bytes/bandwidth, FLOPs/peak, LinkBytes/link)
//
// at the replica's peaks; the peak is that of the fastest type in which the
// deployment computes. What the time is bound by comes with it.
func (m *Model) Floor(c hardware.Cost) (units.Seconds, Bound) {
	peaks := m.Capacity()
	peak := max(peaks.PeakCompute, m.machine.wide*units.FLOPsPerSecond(m.deployment.Accelerators()))
	floor, bound := c.Bytes.At(peaks.PeakBandwidth), MemoryBound
	if t := c.FLOPs.At(peak); t > floor {
		floor, bound = t, ComputeBound
	}
	if peaks.PeakLink > 0 && c.LinkBytes.At(peaks.PeakLink) > floor {
		floor, bound = c.LinkBytes.At(peaks.PeakLink), LinkBound
	}
	return floor, bound
}
