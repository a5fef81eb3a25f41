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
}

func newPipeline(m *machine, stages hardware.Pipeline) *pipeline {
	n := stages.Stages()
	return &pipeline{machine: m, stages: stages, free: make([]units.Seconds, n), times: make([]units.Seconds, n)}
}

// plan implements engine: it launches steps as long as there is room. It is never
// true: a request that arrives while steps are under way may have room for a step of
// its own at once, in a free first stage.
func (p *pipeline) plan(units.Seconds) bool {
	for p.room() && p.decide() {
		p.setUpTaskStep()
		p.launch()
	}
	p.wake = min(p.wake, p.nextRoom())
	return false
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
	for i := range p.decision.Tasks {
		p.boardSequence(f, &p.decision.Tasks[i])
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

// boardSequence lets the sequence of a task take part in a step that is launched. A
// recovery ends with the step that computes the last lost token, not when it is
// launched; nor is a token there before its step ends.
func (p *pipeline) boardSequence(f *flight, t *policies.Task) {
	s := p.sequenceOf(t)
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
	ended := false
	for _, s := range f.sampled {
		p.freeBehindWindow(s)
		s.generate(1)
		if s.Generated == 1 {
			p.noteFirstToken(s)
		} else {
			p.recordGap(s, f.end)
		}
		s.last = f.end
		ended = ended || s.Generated == s.output
	}
	p.countOutput(f.start, f.end, len(f.sampled))
	if ended {
		p.leave(f.end)
	}
	p.landed = append(p.landed, f)
}
