package roofline

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units"
)

// proposer is the cost of proposals. A step that verifies them first makes them,
// in passes that each take as long as a decode step of the drafter for the same
// sequences:
//
//	t = host + passes * max(drafter's decode step, least pass)
//
// with the host's time of hardware.Engine.SpeculationTime and a pass for every token of a proposal. Prompts go through the drafter too,
// since it attends to them. A drafter of blocks has one pass, of the longest proposal whatever is
// verified of it. Medusa's heads attend to nothing and propose all
// tokens in one pass. The n-grams of a text are found on the host, within the step
// overhead.
type proposer struct {
	drafter *Model    // nil: none
	heads   []product // of Medusa
	machine *machine
	engine  *hardware.Engine
	groups  int // that are data parallel, each with a host's thread of its own
	block   int // tokens that the drafter proposes in one pass; 0: one
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
		m.proposer.heads, err = m.products(d.medusaHeads(), d.format(d.wideType(), d.wideType()))
		return err
	}
	if d.Speculation.Method == DSpark {
		m.proposer.block = d.Speculation.Tokens
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
	case p.block > 0:
		pass := p.drafter.Step(blockOf(w, p.block))
		pass.Time = max(pass.Time, p.engine.SpeculationPass)
		return total.Plus(pass, 1)
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

// blockOf is the pass that proposes a block of tokens for every sequence: as many rows, which attend to what
// the sequence has.
func blockOf(w *hardware.Work, tokens int) *hardware.Work {
	return &hardware.Work{DecodeRows: w.DecodeRows, DecodeContext: w.DecodeContext, LogitRows: w.DecodeRows * tokens,
		DraftRows: w.DecodeRows * (tokens - 1), DraftContext: w.DecodeContext * int64(tokens-1)}
}

// overhead is the host's share, of the fullest group.
func (p *proposer) overhead(w *hardware.Work) units.Seconds {
	return p.engine.SpeculationTime((w.DecodeRows + p.groups - 1) / p.groups)
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
