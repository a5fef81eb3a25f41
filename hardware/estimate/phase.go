package estimate

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
)

// Phase is the prefill of prompts or one decode step: the least that physics
// asks for, what is expected, and where the time goes.
//
// MFU and MBU are the model's FLOPs and the bytes that must be read over the
// time of the steps and the dense peaks. Tokens per second are prompt tokens
// over the time of the steps, or generated ones over the step.
type Phase struct {
	FloorMS    float64        `json:"floor_ms"`
	FloorBound roofline.Bound `json:"floor_bound"`
	TimeMS     float64        `json:"time_ms"` // expected; of a prefill with the front-end's share

	MFU                           float64 `json:"mfu"`
	MBU                           float64 `json:"mbu"`
	TokensPerSecond               float64 `json:"tokens_per_second"`
	TokensPerSecondPerAccelerator float64 `json:"tokens_per_second_per_accelerator"`

	// Operators add up to TimeMS. Where steps are in different stages of a pipeline
	// at a time, they are shares of it.
	Operators []Share `json:"operators,omitempty"`
}

// Share is an operator's part of a phase. FLOPs and bytes are those of the
// busiest accelerator.
type Share struct {
	Name      string         `json:"operator"`
	TimeMS    float64        `json:"time_ms"`
	Share     float64        `json:"share"`
	Bound     roofline.Bound `json:"bound"`
	FLOPs     float64        `json:"flops"`
	Bytes     float64        `json:"bytes"`
	LinkBytes float64        `json:"link_bytes"`

	// FLOPsPerSecond is those of an accelerator while the operator runs, which in a pipeline
	// several stages do at a time.
	FLOPsPerSecond float64 `json:"flops_per_second"`
}

// idle is how long an idle replica has had no prompts.
var idle = units.Seconds(math.Inf(1))

// prefillPhase is prompts that come at once to an idle replica, until the last has
// its first token.
func (m *deployed) prefillPhase(q *Question, prompts int) Phase {
	var operators []roofline.Operator
	var p phase
	passage := newPassage(m)
	m.eachPrefillStep(q, prompts, idle, func(w *hardware.Work) {
		p.add(m, m.Step(w))
		passage.add(w)
		if prompts == 1 {
			operators = append(operators, m.Breakdown(w)...)
		}
	})
	operators = p.pass(passage.end(), operators)
	frontEnd := m.RequestTime(q.Prompt)
	if frontEnd > 0 {
		operators = append(operators, roofline.Operator{Name: "front end", Time: frontEnd, Bound: roofline.HostBound})
	}
	return p.finish(m, prompts*q.Prompt, frontEnd, operators)
}

// decodePhase is one decode step of the batch: of all its micro-batches.
func (m *deployed) decodePhase(q *Question) *Phase {
	w, cycle := m.decodeStep(q, q.Batch)
	var p phase
	p.add(m, m.Step(w))
	operators := p.pass(cycle, m.Breakdown(w))
	p.cost = hardware.Cost{}.Plus(p.cost, float64(q.Batch)/float64(w.DecodeRows))
	p.cost.Time = cycle
	finished := p.finish(m, q.Batch, 0, operators)
	return &finished
}

// stageBound is what a part of a phase waits for in which the longest stage of a
// pipeline holds up the others.
const stageBound roofline.Bound = "stage"

// phase sums steps.
type phase struct {
	cost    hardware.Cost
	floor   units.Seconds
	longest units.Seconds // floor of a single step
	bound   roofline.Bound
	overlap float64 // the stages' time over that of the phase, where they work at a time; else 1
}

func (p *phase) add(m *deployed, c hardware.Cost) {
	floor, bound := m.Floor(c)
	p.floor += floor
	if floor > p.longest {
		p.longest, p.bound = floor, bound
	}
	p.cost = p.cost.Plus(c, 1)
}

// pass sets the time that the steps take in a pipeline, and fits their operators
// to it: what is left is waited for, what overlaps shrinks to its share.
func (p *phase) pass(elapsed units.Seconds, operators []roofline.Operator) []roofline.Operator {
	if rest := elapsed - p.cost.Time; rest > 0 {
		operators = append(operators, roofline.Operator{Name: "waiting for the longest stage", Time: rest, Bound: stageBound})
	}
	p.overlap = max(1, float64(p.cost.Time/elapsed))
	if elapsed < p.cost.Time {
		for i := range operators {
			operators[i].Time *= elapsed / p.cost.Time
		}
	}
	p.cost.Time = elapsed
	return operators
}

func (p *phase) finish(m *deployed, tokens int, frontEnd units.Seconds, operators []roofline.Operator) Phase {
	peaks, time := m.Capacity(), p.cost.Time
	perSecond := float64(tokens) / float64(time)
	floor := max(p.floor, p.longest*units.Seconds(m.Stages())) // a step is in one stage at a time
	return Phase{
		FloorMS: floor.Milliseconds(), FloorBound: p.bound, TimeMS: (time + frontEnd).Milliseconds(),
		MFU:             float64(p.cost.FLOPs.At(peaks.PeakCompute) / time),
		MBU:             float64(p.cost.Bytes.At(peaks.PeakBandwidth) / time),
		TokensPerSecond: perSecond, TokensPerSecondPerAccelerator: perSecond / float64(m.deployment.Accelerators()),
		Operators: shares(merge(operators), p.overlap),
	}
}

// merge adds up operators of the same name, over the steps of a phase or within
// a step; the bound is that of the longest.
func merge(operators []roofline.Operator) []roofline.Operator {
	var merged []roofline.Operator
	var longest []units.Seconds
	index := map[string]int{}
	for _, o := range operators {
		i, seen := index[o.Name]
		if !seen {
			index[o.Name] = len(merged)
			merged, longest = append(merged, o), append(longest, o.Time)
			continue
		}
		sum := &merged[i]
		sum.Time += o.Time
		sum.FLOPs += o.FLOPs
		sum.Bytes += o.Bytes
		sum.LinkBytes += o.LinkBytes
		if o.Time > longest[i] {
			longest[i], sum.Bound = o.Time, o.Bound
		}
	}
	return merged
}

func shares(operators []roofline.Operator, overlap float64) []Share {
	total := roofline.Total(operators)
	list := make([]Share, len(operators))
	for i, o := range operators {
		list[i] = Share{Name: o.Name, TimeMS: o.Time.Milliseconds(), Share: float64(o.Time / total), Bound: o.Bound,
			FLOPs: float64(o.FLOPs), Bytes: float64(o.Bytes), LinkBytes: float64(o.LinkBytes),
			FLOPsPerSecond: float64(o.FLOPs) / (float64(o.Time) * overlap)}
	}
	return list
}
