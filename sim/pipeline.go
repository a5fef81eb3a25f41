package sim

import (
	"slices"

	"kneepoint/hardware"
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
	stages  hardware.Pipeline // of priced
	free    []units.Seconds   // by stage: when its last step ends in it
	times   []units.Seconds   // by stage: duration of the step that is being launched
	flights []*flight         // steps under way in order of launch, which is that of their ends
	landed  []*flight         // to use again: as many as were ever under way at once
	covered units.Seconds     // until when the busy time is counted; steps under way overlap
	priced  *Pool             // whose stages these are
	members []*sequence       // with a task in the step that is launched
}

func newPipeline(m *machine) *pipeline {
	n := hardware.PipelineOf(m.pool.Cost).Stages()
	return &pipeline{machine: m, free: make([]units.Seconds, n), times: make([]units.Seconds, n)}
}

// plan implements engine: it launches steps as long as there is room. It is never
// true: a request that arrives while steps are under way may have room for a step of
// its own at once, in a free first stage.
func (p *pipeline) plan(units.Seconds) bool {
	for p.room() && p.decide() {
		p.setUpTaskStep()
		p.launchTasks()
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
func (p *pipeline) interrupt(units.Seconds) bool { return false }

// arrival implements engine.
func (p *pipeline) arrival(now units.Seconds) bool { return p.interrupt(now) }

// reach implements engine: each step is committed by itself.
func (p *pipeline) reach(units.Seconds) {}

// lastBegins implements engine: it plans when a step lands.
func (p *pipeline) lastBegins() units.Seconds { return p.now }

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

// launchTasks launches the step that is set up, in which every sequence has a task.
func (p *pipeline) launchTasks() {
	p.members = p.members[:0]
	for i := range p.decision.Tasks {
		p.members = append(p.members, p.sequenceOf(&p.decision.Tasks[i]))
	}
	p.keepStages()
	cost := p.pool.Cost.Step(&p.step.work)
	p.launch(cost, p.journeyOf(p.members), p.members)
}

// keepStages takes the stages of the pool, which are others where a replica has become slow.
func (p *pipeline) keepStages() {
	if p.priced != p.pool {
		p.stages, p.priced = hardware.PipelineOf(p.pool.Cost), p.pool
	}
}

// launch sends the step that is set up on its way, at a cost, and takes its times from a journey unless that is nil. What
// it processes counts as computed: a step that uses it comes after it in every stage.
func (p *pipeline) launch(cost hardware.Cost, j *journey, members []*sequence) *flight {
	f := p.newFlight()
	f.launched, f.start, f.cost = p.now, p.now+p.step.prepare, cost
	if j != nil {
		j.stageTimes(p.times)
		j.taken++
	} else {
		p.stages.StageTimes(&p.step.work, p.times)
	}
	f.noteParts(p.machine)
	f.end = p.passStages(f.start)
	for _, s := range members {
		p.boardSequence(f, s)
	}
	f.event = p.observeLater(f.start, f.end)
	p.recordPrompts(f.start, f.end)
	p.notePrompted(f.end)
	p.flights = append(p.flights, f)
	return f
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

// land ends the first of the steps under way.
func (p *pipeline) land() {
	f := p.endFirst()
	p.disembark(f)
	if p.sample(f) {
		p.leave(f.end)
	}
	p.landed = append(p.landed, f)
}

// endFirst counts what the first of the steps under way cost, which ends. Only the time that no earlier step
// covered counts as busy, so that a full pipeline is busy for all of the time and not
// for as many times that as it has stages.
func (p *pipeline) endFirst() *flight {
	f := p.flights[0]
	p.flights = slices.Delete(p.flights, 0, 1)
	p.integrate(f.end)
	if f.event != nil {
		p.fleet.config.Observer.Steps(*f.event)
	}
	p.count(1, f.cost, f.end-max(f.start, p.covered))
	p.covered = f.end
	return f
}

// disembark takes the sequences out of a step that ends.
func (p *pipeline) disembark(f *flight) {
	for _, s := range f.sequences {
		s.InFlight--
	}
	f.shareParts(p.machine)
	for _, s := range f.recovered {
		if s.phase == recovers {
			p.endRecovery(s)
		}
	}
}

// sample has sequences generate the tokens of a step that ends, and tells whether one ends with that.
func (p *pipeline) sample(f *flight) (ended bool) {
	for _, s := range f.sampled {
		p.sampleOne(s, f.end)
		ended = ended || s.Generated == s.output
	}
	p.countOutput(f.start, f.end, len(f.sampled))
	return ended
}
