package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// pipeline is the engine of a machine with several stages: steps are under way in
// its stages, each in a stage of its own. A stage takes a step when the one before
// hands it over and its own last step is through:
//
//	start(stage) = max(end(stage-1), end of the last step in this stage)
//
// so that steps of different lengths leave bubbles behind them. A step is planned
// whenever the first stage is free and fewer steps are under way than there are
// stages. A sequence takes part in one step at a time, but for the chunks of a
// prompt, which follow each other; so the batch falls into groups that take turns.
type pipeline struct {
	*machine
	stages  hardware.Pipeline
	free    []units.Seconds // by stage: when its last step ends in it
	times   []units.Seconds // by stage: duration of the step that is being launched
	flights []*flight       // steps under way in order of launch, which is that of their ends
	landed  []*flight       // to use again: as many as were ever under way at once
	covered units.Seconds   // until when the busy time is counted; steps under way overlap

	policy policies.Aggregating // nil: it looks at every sequence
	rows   listed               // that decode and are in no step under way
	shared bool                 // these have no tasks in the step that is decided, but a share each
}

// newPipeline makes the engine of a machine whose policy may plan from totals, unless that is nil.
func newPipeline(m *machine, stages hardware.Pipeline, policy policies.Aggregating) *pipeline {
	n := stages.Stages()
	p := &pipeline{machine: m, stages: stages, free: make([]units.Seconds, n), times: make([]units.Seconds, n), rows: listed{machine: m}}
	if policy != nil && inTotals(m) {
		p.policy = policy
	}
	return p
}

// plan implements engine: it launches steps as long as there is room. It is never
// true: a request that arrives while steps are under way may have room for a step of
// its own at once, in a free first stage.
func (p *pipeline) plan(units.Seconds) bool {
	for p.room() && p.decideNext() {
		p.setUp()
		p.launch()
	}
	p.wake = min(p.wake, p.nextRoom())
	return false
}

// decideNext asks the policy for the next step, with totals where it can decide from them.
func (p *pipeline) decideNext() bool {
	p.shared = p.policy != nil && p.gather() && p.planShares()
	if !p.shared {
		return p.decide()
	}
	p.carryOutTotals()
	return true
}

// gather lists the sequences that decode and are in no step under way. It is false when there is none, or another
// with something to process.
func (p *pipeline) gather() bool {
	p.rows.begin()
	p.view.Ended = 0
	for _, r := range p.running {
		switch s := p.sequences.all[r.ID]; {
		case s.Pending() == 0:
			p.view.Ended++ // it has its slot
		case !s.goesOn():
			return false
		default:
			p.rows.add(s)
		}
	}
	return len(p.rows.sequences) > 0
}

// planShares asks the policy. It is false when every sequence must be looked at.
func (p *pipeline) planShares() bool {
	v, d, underWay := p.view, &p.decision, p.view.Ended
	p.look()
	v.Running, v.Ended = nil, underWay
	d.Reset()
	d.Share = policies.Share{Slots: 1}
	v.Demand, _ = p.rows.Demand(d.Share)
	p.beginDecision(&p.rows)
	return p.policy.PlanAggregate(v, d) && d.PaddingRows == 0
}

// setUp sets up the step that is decided.
func (p *pipeline) setUp() {
	if !p.shared {
		p.setUpTaskStep()
		return
	}
	work := hardware.Work{Prefill: p.step.work.Prefill[:0]}
	if p.decision.Stall {
		p.rows.sequences = p.rows.sequences[:0]
	}
	p.rows.takeShares(&work)
	p.setUpStep(work, 0)
}

// room reports whether a step could be launched now.
func (p *pipeline) room() bool {
	return len(p.flights) < len(p.free) && p.free[0] <= p.now
}

// nextRoom is when the first stage comes free where fewer steps are under way than
// there are stages; forever where it is free, and the policy had nothing to do, or
// where a step has to end first.
func (p *pipeline) nextRoom() units.Seconds {
	if len(p.flights) < len(p.free) && p.free[0] > p.now {
		return p.free[0]
	}
	return forever
}

// next implements engine: when the first of the steps under way ends.
func (p *pipeline) next() units.Seconds {
	if len(p.flights) == 0 {
		return forever
	}
	return p.flights[0].end
}

// interrupt implements engine: steps under way go on, and nothing else is planned.
func (p *pipeline) interrupt(units.Seconds) {}

// reach implements engine: each step is committed by itself.
func (p *pipeline) reach(units.Seconds) {}

// taken implements engine: a step that is launched has its blocks.
func (p *pipeline) taken() int { return 0 }

// synchronize implements engine: every sequence is up to date.
func (p *pipeline) synchronize() {}

// commit implements engine: it ends the steps that end by now, in order.
func (p *pipeline) commit(now units.Seconds) {
	for p.next() <= now && len(p.flights) > 0 {
		p.land()
	}
}

// passStages leads the step that is being launched through the stages, from now on,
// and returns when it ends in the last one.
func (p *pipeline) passStages(now units.Seconds) units.Seconds {
	for i, t := range p.times {
		now = max(now, p.free[i]) + t
		p.free[i] = now
	}
	return now
}

// launch sends the step that is set up on its way. What it processes counts as
// computed: a step that uses it comes after it in every stage.
func (p *pipeline) launch() {
	f := p.newFlight()
	f.launched, f.start, f.cost = p.now, p.now+p.step.prepare, p.pool.Cost.Step(&p.step.work)
	f.noteParts(p.machine)
	p.stages.StageTimes(&p.step.work, p.times)
	f.end = p.passStages(f.start)
	if p.shared {
		for _, s := range p.rows.sequences {
			p.boardSequence(f, s)
		}
	}
	for i := range p.decision.Tasks {
		p.boardSequence(f, p.sequenceOf(&p.decision.Tasks[i]))
	}
	f.event = p.observeLater(f.start, f.end)
	p.recordPrompts(f.start, f.end)
	p.flights = append(p.flights, f)
}

// newFlight is one that nobody takes part in.
func (p *pipeline) newFlight() *flight {
	n := len(p.landed)
	if n == 0 {
		return &flight{}
	}
	f := p.landed[n-1]
	p.landed = p.landed[:n-1]
	*f = flight{sequences: f.sequences[:0], prefilled: f.prefilled[:0], own: f.own[:0], sampled: f.sampled[:0], recovered: f.recovered[:0]}
	return f
}

// boardSequence lets a sequence take part in a step that is launched. A
// recovery ends with the step that computes the last lost token, not when it is
// launched; nor is a token there before its step ends.
func (p *pipeline) boardSequence(f *flight, s *sequence) {
	p.compute(s)
	if s.phase == recovers && s.Computed == s.computed {
		f.recovered = append(f.recovered, s)
	}
	s.InFlight++
	f.sequences = append(f.sequences, s)
	if s.Pending() == 0 {
		f.sampled = append(f.sampled, s)
	}
}

// land ends the first of the steps under way. Only the time that no earlier step
// covered counts as busy, so that a full pipeline is busy for all of the time and not
// for as many times that as it has stages.
func (p *pipeline) land() {
	f := p.flights[0]
	p.flights = slices.Delete(p.flights, 0, 1)
	p.integrate(f.end)
	if f.event != nil {
		p.fleet.config.Observer.Steps(*f.event)
	}
	p.count(1, f.cost, f.end-max(f.start, p.covered))
	p.covered = f.end
	for _, s := range f.sequences {
		s.InFlight--
	}
	f.shareParts(p.machine)
	for _, s := range f.recovered {
		if s.phase == recovers {
			p.endRecovery(s)
		}
	}
	if p.sample(f) {
		p.leave(f.end)
	}
	p.landed = append(p.landed, f)
}

// sample has sequences generate the tokens of a step that ends, and tells whether one ends with that.
// Those that follow each other and had their last tokens together have gaps of the same length, which are recorded together.
func (p *pipeline) sample(f *flight) (ended bool) {
	last, alike, alikeInWindow := f.end, 0, 0
	for _, s := range f.sampled {
		p.freeBehindWindow(s)
		s.generate(1)
		ended = ended || s.Generated == s.output
		if s.Generated == 1 {
			p.noteFirstToken(s)
			s.last = f.end
			continue
		}
		if s.last != last {
			p.recordGaps(f.end-last, alike, alikeInWindow)
			last, alike, alikeInWindow = s.last, 0, 0
		}
		alike++
		if s.inWindow {
			alikeInWindow++
		}
		s.last = f.end
	}
	p.recordGaps(f.end-last, alike, alikeInWindow)
	p.countOutput(f.start, f.end, len(f.sampled))
	return ended
}
