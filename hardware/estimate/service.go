package estimate

import (
	"sort"

	"kneepoint/units"
)

// Service is a replica that always has Batch sequences in work, as continuous
// batching has it: when one ends, the prompt of the next joins the steps of the
// others. No request waits for a place.
//
// A prompt costs P: what its chunks add to decode steps of the Batch-1 others.
// While a sequence generates its Output-1 further tokens, each of the others
// brings one prompt, so that with decode steps of D
//
//	TPOT = D + (Batch-1)*P/(Output-1)
//	TTFT = front end + wait + the steps with the prompt's chunks
//	E2EL = TTFT + (Output-1)*TPOT
//	requests/s = Batch / (E2EL - front end - wait)
//
// where wait is half a step until the running one ends, and one more where the
// engine schedules a step ahead, which it does not with a pipeline; a mean step
// takes TPOT. The place of a sequence that ends is free a step later then, which
// costs nothing as long as no request waits for a place. Energy is that of the
// steps, as in results.
//
// A pipeline of PP stages has min(PP, Batch) micro-batches of up to
// ceil(Batch/PP) sequences under way. D is then the time of a micro-batch's step
// from the first stage to the last, but no less than the micro-batches take in
// the longest stage; a step starts in every one of their parts of TPOT. P is
// shorter where prompts in different micro-batches pass at the same time, see
// passageShare.
type Service struct {
	Batch  int      `json:"batch"`
	TTFTMS float64  `json:"ttft_ms"`
	TPOTMS *float64 `json:"tpot_ms"` // null for a single output token
	E2ELMS float64  `json:"e2el_ms"`

	RequestThroughput              float64 `json:"request_throughput"`
	OutputThroughput               float64 `json:"output_throughput"`
	OutputThroughputPerAccelerator float64 `json:"output_throughput_per_accelerator"`

	EnergyJPerToken float64 `json:"energy_j_per_token"` // per output token, prompts included
	Price           *Price  `json:"price,omitempty"`    // absent where no price is known
}

// Price is the rent of the accelerators per million tokens. PerOutput has the
// prompts' share in it; the other two split it by the time that a prompt adds
// and the rest: Output*PerOutput = Prompt*Prompts + Output*Generated.
type Price struct {
	PerOutput float64 `json:"usd_per_million_output_tokens"`
	Prompts   float64 `json:"usd_per_million_prompt_tokens"`
	Generated float64 `json:"usd_per_million_generated_tokens"`
}

func (m *deployed) serve(q Question) Service {
	o := m.occupy(&q)
	before := m.RequestTime(q.Prompt) + m.wait(&q, &o)
	requests := float64(q.Batch) / float64(o.stay)
	s := Service{
		Batch:             q.Batch,
		TTFTMS:            (before + o.own).Milliseconds(),
		E2ELMS:            (before + o.stay).Milliseconds(),
		RequestThroughput: requests,
		OutputThroughput:  requests * float64(q.Output),
	}
	s.OutputThroughputPerAccelerator = s.OutputThroughput / float64(m.deployment.Accelerators())
	if q.Output > 1 {
		tpot := o.tpot.Milliseconds()
		s.TPOTMS = &tpot
	}
	s.EnergyJPerToken = m.watts(&o) / s.OutputThroughput
	s.Price = m.price(&q, &o)
	return s
}

// wait is the time until a request that comes while others are in work can join
// a step; one starts as often as there are micro-batches in TPOT.
func (m *deployed) wait(q *Question, o *occupancy) units.Seconds {
	count, _ := m.microBatches(q.Batch)
	interval := o.tpot / units.Seconds(count)
	switch {
	case q.Batch == 1:
		return 0
	case m.deployment.Engine.AsyncScheduling && m.deployment.PP == 1:
		return 1.5 * interval
	default:
		return 0.5 * interval
	}
}

// watts is what the replica's accelerators draw: their idle power, and the energy of the steps,
// which are somewhat shorter together than a sequence stays.
func (m *deployed) watts(o *occupancy) float64 {
	n, p := float64(m.deployment.Accelerators()), m.deployment.Accelerator.Power(m.deployment.Activations)
	return min(n*p.Cap, n*p.Idle+o.work.Energy/float64(o.stay))
}

func (m *deployed) price(q *Question, o *occupancy) *Price {
	perSecond := m.deployment.Accelerator.USDPerHour * float64(m.deployment.Accelerators()) / 3600
	if perSecond == 0 {
		return nil
	}
	request, prompt := perSecond*(1/float64(q.Batch)*float64(o.stay)), perSecond*float64(o.prompt.Time)
	return &Price{
		PerOutput: request / float64(q.Output) * 1e6,
		Prompts:   prompt / float64(q.Prompt) * 1e6,
		Generated: (request - prompt) / float64(q.Output) * 1e6,
	}
}

func (s *Service) meetsTTFT(q *Question) bool {
	return q.TTFT == 0 || s.TTFTMS <= q.TTFT.Milliseconds()
}

func (s *Service) meetsTPOT(q *Question) bool {
	return q.TPOT == 0 || s.TPOTMS == nil || *s.TPOTMS <= q.TPOT.Milliseconds()
}

// Why a batch cannot be larger.
const (
	limitMemory   = "KV memory"
	limitMaxSeqs  = "max_num_seqs"
	limitTTFT     = "TTFT objective"
	limitTPOT     = "TPOT objective"
	noneMeetsTTFT = "not even one sequence meets the TTFT objective"
	noneMeetsTPOT = "not even one sequence meets the TPOT objective"
)

// largestBatch is the largest batch that fits in memory and whose Service meets
// the question's objectives, by bisection: both times grow with the batch. It is
// 0 where one sequence alone does not meet them.
func (m *deployed) largestBatch(q Question) (batch int, limit string) {
	most, limit := m.held(q.Length()), limitMemory
	if n, _ := m.deployment.StepSequences(); n < most {
		most, limit = n, limitMaxSeqs
	}
	at := func(batch int) (ttft, tpot bool) {
		q.Batch = batch
		s := m.serve(q)
		return s.meetsTTFT(&q), s.meetsTPOT(&q)
	}
	batch = sort.Search(most, func(i int) bool {
		ttft, tpot := at(i + 1)
		return !ttft || !tpot
	})
	if batch == most {
		return batch, limit
	}
	ttft, _ := at(batch + 1)
	switch {
	case batch == 0 && !ttft:
		return 0, noneMeetsTTFT
	case batch == 0:
		return 0, noneMeetsTPOT
	case !ttft:
		return batch, limitTTFT
	default:
		return batch, limitTPOT
	}
}
