package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// pipeline is the steps that are under way in the stages of a replica, each in a
// stage of its own. A stage takes a step when the one before hands it over and
// its own last step is through:
//
//	start(stage) = max(end(stage-1), end of the last step in this stage)
//
// so that steps of different lengths leave bubbles behind them.
type pipeline struct {
	free    []units.Seconds // when each stage is through with its last step
	times   []units.Seconds // that the step being launched takes in each
	flights []flight        // in order of launch, which is that of their ends
	covered units.Seconds   // until when the busy time is counted
}

// flight is a step under way.
type flight struct {
	launched   units.Seconds
	start, end units.Seconds // of its passage through the stages
	cost       hardware.Cost
	sequences  []*sequence
	prompts    units.Seconds   // by which prompts lengthen it
	prefilled  []*sequence     // whose prompts these are
	own        []units.Seconds // by which the prompt of each would lengthen it alone
	sampled    []*sequence     // those that have a token when it ends
	recovered  []*sequence     // those that have computed again what they lost when it ends
}

func newPipeline(stages int) pipeline {
	return pipeline{free: make([]units.Seconds, stages), times: make([]units.Seconds, stages)}
}

// room reports whether a step could be launched now.
func (p *pipeline) room(now units.Seconds) bool {
	return len(p.flights) < len(p.free) && p.free[0] <= now
}

// landing is when the first of the steps under way ends.
func (p *pipeline) landing() units.Seconds {
	if len(p.flights) == 0 {
		return forever
	}
	return p.flights[0].end
}

// next is when a full pipeline may have room again, or a step ends.
func (p *pipeline) next() units.Seconds {
	if len(p.flights) < len(p.free) {
		return min(p.free[0], p.landing())
	}
	return p.landing()
}

// enter takes a step through the stages, from now on, and returns when it ends.
func (p *pipeline) enter(now units.Seconds) units.Seconds {
	for i, t := range p.times {
		now = max(now, p.free[i]) + t
		p.free[i] = now
	}
	return now
}

// runPipeline is the engine of a replica with several stages. It plans a step
// whenever the first stage is free and fewer steps are under way than there are
// stages. A sequence takes part in one step at a time, but for the chunks of a
// prompt, which follow each other; so the batch falls into groups that take turns.
func (r *replica) runPipeline(now units.Seconds) {
	p := &r.pipeline
	r.active = true
	for turns := 0; turns%1024 != 0 || r.fleet.context.Err() == nil; turns++ {
		r.now = now
		r.fleet.deliver(r, now)
		for len(p.flights) > 0 && p.flights[0].end <= now {
			r.land()
			r.fleet.deliver(r, now)
		}
		next := p.next()
		if p.room(now) {
			if r.plan() {
				r.launch()
				continue
			}
			next = min(r.decision.Wake, p.landing())
		}
		if next >= r.fleet.horizon(r) || next > r.fleet.cut {
			r.active = false
			if next < forever {
				r.wakeAt(next)
			}
			return
		}
		now = next
	}
}

// launch sends the step that is set up on its way. What it processes counts as
// computed: a step that uses it comes after it in every stage.
func (r *replica) launch() {
	p, model := &r.pipeline, r.fleet.config.Cost
	f := flight{launched: r.now, start: r.now + r.prepare, cost: model.Step(&r.work)}
	f.tick(r)
	model.StageTimes(&r.work, p.times)
	f.end = p.enter(f.start)
	for _, t := range r.decision.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		r.compute(s)
		if s.phase == recovers && s.Computed == s.computed {
			f.recovered = append(f.recovered, s)
		}
		s.InFlight++
		f.sequences = append(f.sequences, s)
		if s.Pending() == 0 {
			f.sampled = append(f.sampled, s)
		}
	}
	p.flights = append(p.flights, f)
}

// land ends the first of the steps under way.
func (r *replica) land() {
	p := &r.pipeline
	f := p.flights[0]
	p.flights = p.flights[1:]
	r.advance(f.end)
	r.count(1, f.cost, f.end-max(f.start, p.covered))
	p.covered = f.end
	for _, s := range f.sequences {
		s.InFlight--
	}
	f.book(r)
	for _, s := range f.recovered {
		if s.phase == recovers {
			r.recover(s)
		}
	}
	ended := false
	for _, s := range f.sampled {
		s.Generated++
		if s.Generated == 1 {
			r.firstToken(s)
		} else {
			r.gap(f.end-s.last, s.inWindow)
		}
		s.last = f.end
		ended = ended || s.Generated == s.output
	}
	if ended {
		r.leave(f.end)
	}
}

// tick notes by how much prompts lengthen the step that is set up in work.
func (f *flight) tick(r *replica) {
	r.fleet.record.Steps.Add(&r.work, 1, f.cost.Time)
	r.fleet.record.Totals.Preparing += r.prepare
	alone := r.withoutPrompts(f.cost)
	f.prompts = max(0, f.cost.Time-alone.Time)
	f.prefilled = append(f.prefilled, r.prefilled...)
	for chunk := range r.prefilled {
		f.own = append(f.own, r.ownPrompt(chunk, alone, f.prompts))
	}
}

// book gives the sequences of a step that ends their share of it. Of chunks that
// follow each other through the stages, the later one counts from the end of the
// one before. What is not set off, waiting for a stage and for the next step, is
// prefill or decode.
func (f *flight) book(r *replica) {
	for i, s := range f.prefilled {
		a := r.account(s)
		a.start.prompts += f.own[i] * f.share(a)
	}
	for _, s := range f.sequences {
		a := r.account(s)
		a.start.prompts -= f.prompts * f.share(a)
		a.start.frontEnd -= max(0, f.start-max(f.launched, a.landed))
		a.landed = f.end
	}
}

// share is the share of the step's passage in which a sequence was in no earlier
// one.
func (f *flight) share(a *account) units.Seconds {
	if f.end == f.start {
		return 0
	}
	return (f.end - max(f.start, a.landed)) / (f.end - f.start)
}
