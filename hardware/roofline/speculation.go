package roofline

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// The methods of speculative decoding.
const (
	DraftModel = "draft"  // a smaller model with the same vocabulary
	NGram      = "ngram"  // what followed the last tokens earlier in the prompt or the answer
	Eagle      = "eagle"  // a layer on top of the model's last hidden state
	Eagle3     = "eagle3" // the same on hidden states of three layers, for frequent tokens alone
	Medusa     = "medusa" // a head for each of the next tokens, independent of each other
	MTP        = "mtp"    // the module for multi-token prediction that a model was trained with
)

// Speculation is what proposes tokens, beside the model.
type Speculation struct {
	Method string
	Tokens int                // the longest proposal
	Draft  model.Architecture // of the method draft
}

// proposer is the cost of proposals. A step that verifies them first makes them,
// in passes that each take as long as a decode step of the drafter for the same
// sequences:
//
//	t = overhead + per sequence*sequences + passes * max(drafter's decode step, least pass)
//
// with a pass for every token of a proposal. Prompts go through the drafter too,
// since it attends to them. Medusa's heads attend to nothing and propose all
// tokens in one pass. The n-grams of a text are found on the host, within the step
// overhead.
type proposer struct {
	drafter *Model    // nil: none
	heads   []product // of Medusa
	machine *machine
	engine  *hardware.Engine
	groups  int // that are data parallel, each with a host's thread of its own
}

// buildProposer prepares the proposer of the deployment.
func (m *Model) buildProposer() error {
	d := &m.deployment
	m.proposer = &proposer{machine: &m.machine, engine: &d.Engine, groups: d.DP}
	switch d.Speculation.Method {
	case NGram:
		return nil
	case Medusa:
		if d.DP > 1 {
			return d.onceForEachGroup()
		}
		var err error
		m.proposer.heads, err = m.products(d.medusaHeads(), format{d.wideType(), d.wideType()})
		return err
	}
	drafter, err := d.drafter()
	if err != nil {
		return err
	}
	if m.proposer.drafter, err = assemble(drafter.withDefaults(), m.constants); err != nil {
		return err
	}
	if drafter.TP != d.TP {
		m.estimate(fmt.Sprintf("%s runs on one accelerator: its heads cannot be shared by %d", drafter.Architecture.Name, d.TP))
	}
	return nil
}

// onceForEachGroup refuses a proposer that data-parallel groups would each have
// one of.
func (d *Deployment) onceForEachGroup() error {
	return &badinput.Error{Key: "hardware.dp", Value: d.DP, Problem: fmt.Sprintf("not supported yet with speculation by %q", d.Speculation.Method),
		Allowed: "1, or the method ngram, or mtp of a mixture of experts"}
}

// drafter is the proposer as a deployment of its own: on the same accelerators,
// or on one where its heads cannot be shared as the model's are; heads in the wide
// type, a draft model in the model's precisions. Its host's share is the
// proposer's overhead.
func (d *Deployment) drafter() (Deployment, error) {
	h := *d
	h.Speculation, h.CPUOffload, h.EP, h.KVTokens, h.MaxModelLen = nil, 0, 1, 1, 0
	h.Engine.StepCPU, h.Engine.StepCPUPerSequence = 0, 0
	target := &d.Architecture
	switch d.Speculation.Method {
	case DraftModel:
		h.Architecture = d.Speculation.Draft
		if h.Architecture.Vocab != target.Vocab && !sameTokens(&h.Architecture, target) {
			return h, &badinput.Error{Key: "strategy.speculation.draft", Value: h.Architecture.Name,
				Problem: fmt.Sprintf("has a vocabulary of %d tokens, %s one of %d: it cannot propose for it", h.Architecture.Vocab, target.Name, target.Vocab),
				Allowed: "a draft model with the same vocabulary"}
		}
	case Eagle:
		h.Architecture = target.EagleHead(target.Vocab)
	case Eagle3:
		h.Architecture = target.EagleHead(min(model.Eagle3Vocab, target.Vocab))
	case MTP:
		h.Architecture = target.MTPHead()
	}
	if d.Speculation.Method != DraftModel {
		h.Weights, h.Activations = d.wideType(), d.wideType()
	}
	if d.DP > 1 && h.Architecture.Experts == nil {
		return h, d.onceForEachGroup()
	}
	if !h.splits(h.TP) {
		h.TP = 1
	}
	return h, nil
}

// medusaHeads are, for each token of a proposal, a residual block and an LM head
// of its own, which the accelerators share as they do the model's.
//
// Source: Cai et al. 2024, "Medusa: Simple LLM Inference Acceleration Framework
// with Multiple Decoding Heads", arXiv 2401.10774.
func (d *Deployment) medusaHeads() []widths {
	hidden := float64(d.Architecture.Hidden)
	var heads []widths
	for range d.Speculation.Tokens {
		heads = append(heads, widths{hidden, hidden}, widths{hidden, d.paddedVocab() / float64(d.TP)})
	}
	return heads
}

// vocabularySlack is by how much vocabularies of models with the same tokens
// differ, as they are padded.
const vocabularySlack = 0.02

// sameTokens tells whether vocabularies differ by padding alone.
func sameTokens(a, b *model.Architecture) bool {
	larger, smaller := float64(max(a.Vocab, b.Vocab)), float64(min(a.Vocab, b.Vocab))
	return larger-smaller <= vocabularySlack*larger
}

// addTo adds the proposer's share of a step to its cost.
func (p *proposer) addTo(cost *hardware.Cost, w *hardware.Work) {
	c := p.cost(w)
	cost.Time += c.Time
	cost.Draft = c.Time
	cost.Bytes += c.Bytes
	cost.LinkBytes += c.LinkBytes
}

// cost is what the proposals of a step and its prompts take. Its FLOPs are those
// of the drafter.
func (p *proposer) cost(w *hardware.Work) hardware.Cost {
	var total hardware.Cost
	if p.drafter != nil && len(w.Prefill) > 0 {
		total = p.drafter.Step(&hardware.Work{Prefill: w.Prefill})
	}
	if w.DraftPasses == 0 {
		return total
	}
	total.Time += p.overhead(w)
	switch {
	case p.heads != nil:
		return total.Plus(p.headsPass(float64(w.DecodeRows)), 1)
	case p.drafter != nil:
		pass := p.drafter.Step(passOf(w))
		pass.Time = max(pass.Time, p.engine.SpeculationPass)
		return total.Plus(pass, float64(w.DraftPasses))
	}
	return total
}

// passOf is a drafter's pass halfway through the proposals: a row for every
// sequence, and where the proposals are trees one for every branch, which attend to
// what the sequence has.
func passOf(w *hardware.Work) *hardware.Work {
	rows := w.DecodeRows
	branches := max(0, w.DraftRows/w.DraftPasses-rows)
	context := w.DecodeContext + int64(rows*w.DraftPasses/2)
	return &hardware.Work{DecodeRows: rows, DecodeContext: context, LogitRows: rows + branches,
		DraftRows: branches, DraftContext: context / int64(rows) * int64(branches)}
}

// overhead is the host's share, of the fullest group.
func (p *proposer) overhead(w *hardware.Work) units.Seconds {
	return p.engine.SpeculationStep + p.engine.SpeculationPerSequence*units.Seconds((w.DecodeRows+p.groups-1)/p.groups)
}

// headsPass is a pass of Medusa's heads for a number of sequences.
func (p *proposer) headsPass(rows float64) hardware.Cost {
	var c hardware.Cost
	for i := range p.heads {
		head := &p.heads[i]
		flops, _ := head.work(rows)
		c.Time += head.time(rows, p.machine.bandwidth)
		c.FLOPs += flops
		c.Bytes += units.Bytes(head.weightBytes * head.inner * head.outer)
	}
	c.Time = max(c.Time, p.engine.SpeculationPass)
	return c
}

// operator is the proposer's share of a step.
func (p *proposer) operator(w *hardware.Work) Operator {
	c := p.cost(w)
	o := Operator{Name: "proposals", Time: c.Time, FLOPs: c.FLOPs, Bytes: c.Bytes, LinkBytes: c.LinkBytes, Bound: HostBound}
	if c.Time > p.overhead(w)+units.Seconds(w.DraftPasses)*p.engine.SpeculationPass {
		o.Bound = MemoryBound
	}
	return o
}

// proposerMemory is what the proposer takes of each accelerator: its weights,
// and what it keeps of a token. EAGLE heads and MTP modules use the model's
// embedding table and LM head.
func (d *Deployment) proposerMemory() (weights, perToken units.Bytes) {
	if d.Speculation == nil || d.Speculation.Method == NGram {
		return 0, 0
	}
	if d.Speculation.Method == Medusa {
		return units.Bytes(elements(d.medusaHeads()) * d.wideType().Bytes()), 0
	}
	h, err := d.drafter()
	if err != nil {
		return 0, 0 // New reports it
	}
	b := h.budget()
	if d.Speculation.Method != DraftModel {
		s := h.shard()
		b.Weights = units.Bytes(h.layerBytes(&s, h.Architecture.Layers))
	}
	return b.Weights, b.KVPerToken
}
