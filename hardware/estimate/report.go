package estimate

import "kneepoint/hardware/roofline"

// Report is what the cost model says of a deployment without a simulation. Times
// are in milliseconds, as in results.
type Report struct {
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

	Spread    *Spread  `json:"spread,omitempty"` // absent where kernels were measured
	Estimated []string `json:"estimated"`        // what the numbers rest on besides measurements
}

// MemoryUse is a Budget as it is printed.
type MemoryUse struct {
	Total       float64 `json:"total_bytes"`
	Utilization float64 `json:"utilization"`
	Available   float64 `json:"available_bytes"`
	Weights     float64 `json:"weights_bytes"`
	Activations float64 `json:"activations_bytes"`
	Reserve     float64 `json:"reserve_bytes"`
	States      float64 `json:"state_bytes"` // of linear attention
	KV          float64 `json:"kv_bytes"`
	KVPerToken  float64 `json:"kv_bytes_per_token"`
	KVTokens    int     `json:"kv_tokens"` // of the whole replica
}

// Concurrency says how many sequences of Tokens tokens the KV cache holds.
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

// deployed is a cost model with what it was made of at hand.
type deployed struct {
	*roofline.Model
	deployment roofline.Deployment
	memory     roofline.Budget
}

func newDeployed(m *roofline.Model) *deployed { return &deployed{m, m.Deployment(), m.Memory()} }

// Of answers a question that passes Check.
func Of(model *roofline.Model, q Question) Report {
	m := newDeployed(model)
	d := &m.deployment
	r := Report{
		Model: d.Architecture.Name, Accelerator: d.Accelerator.Name, Accelerators: d.Accelerators(), Engine: d.Engine.Name,
		Question:    q,
		Memory:      use(&m.memory),
		Concurrency: []Concurrency{{q.Length(), m.users(q.Length())}},
		Prefill:     m.prefillPhase(&q, 1),
		Service:     m.serve(q),
		ColdStart:   m.coldStart(&q),
	}
	r.Estimated = m.estimates(&r)
	for _, n := range contexts {
		if n <= d.MaxModelLen {
			r.Concurrency = append(r.Concurrency, Concurrency{n, m.users(n)})
		}
	}
	m.addPhases(&r, q)
	r.Spread = m.spread(&r)
	m.addLargest(&r, q)
	if q.TTFT > 0 || q.TPOT > 0 {
		r.SLO = &SLO{TTFTMS: q.TTFT.Milliseconds(), TPOTMS: q.TPOT.Milliseconds(),
			TTFTMet: r.Service.meetsTTFT(&q), TPOTMet: r.Service.meetsTPOT(&q)}
	}
	return r
}

// addPhases adds what only a batch, or an answer of several tokens, has.
func (m *deployed) addPhases(r *Report, q Question) {
	if q.Batch > 1 {
		all := m.prefillPhase(&q, q.Batch)
		all.Operators = nil
		r.PrefillBatch = &all
	}
	if q.Output > 1 {
		r.Decode = m.decodePhase(&q)
		r.Chat = m.chat(q)
		r.Portable = m.portable(q, r.Chat)
	}
}

// addLargest adds the service of the largest batch.
func (m *deployed) addLargest(r *Report, q Question) {
	q.Batch, r.Limit = m.largestBatch(q)
	if q.Batch > 0 {
		largest := m.serve(q)
		r.Largest = &largest
	}
}

// use is a budget in plain numbers.
func use(b *roofline.Budget) MemoryUse {
	return MemoryUse{Total: float64(b.Total), Utilization: b.Utilization, Available: float64(b.Available), Weights: float64(b.Weights),
		Activations: float64(b.Activations), Reserve: float64(b.Reserve), States: float64(b.States),
		KV: float64(b.KV), KVPerToken: float64(b.KVPerToken), KVTokens: b.KVTokens}
}

// users is the number of sequences of this length that memory holds: as many as the KV cache,
// and of a model with states no more than have one set aside.
func (m *deployed) users(tokens int) int {
	held := m.held(tokens)
	if m.deployment.Architecture.Linear == nil {
		return held
	}
	states, _ := m.deployment.StepSequences()
	return min(held, states)
}

// held is the number of sequences of this length that the KV cache holds, in
// whole blocks, each in one data-parallel group.
func (m *deployed) held(tokens int) int {
	d := &m.deployment
	windows, blocks := d.Windowed(m.memory.KVTokens / d.DP / d.BlockSize)
	return blocks / windows.BlocksFor(tokens, d.BlockSize) * d.DP
}

// longest is the most tokens of a sequence that the KV cache of a data-parallel group
// holds once its prompt is computed.
func (m *deployed) longest() int {
	d := &m.deployment
	windows, blocks := d.Windowed(m.memory.KVTokens / d.DP / d.BlockSize)
	if windows.Groups == 0 {
		return m.memory.KVTokens / d.DP
	}
	return windows.Longest(blocks, d.BlockSize, 1)
}

// estimates is Estimated, and what energy and the cold start rest on.
func (m *deployed) estimates(r *Report) []string {
	reasons := m.Estimated()
	if power := m.deployment.Accelerator.PowerEstimated(); power != "" {
		reasons = append(reasons, power)
	}
	if r.ColdStart != nil {
		reasons = append(reasons, m.deployment.ColdStartEstimated(r.Question.Load)...)
	}
	return reasons
}
