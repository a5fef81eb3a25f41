package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// reference is the engine that looks at every sequence in every step: the simple
// one, with which the others must agree. Tests compare stretches with it on random
// deployments and traffic.
type reference struct {
	*machine
	members []*sequence   // with a task in the step that is under way
	cost    hardware.Cost // of that step
	end     units.Seconds // when it ends; forever when there is none
}

func newReference(m *machine) *reference { return &reference{machine: m, end: forever} }

// plan implements engine. Where the policy has nothing to do, requests that were too
// late for this plan, or have ended too late for it, may change that at once, and so may
// guesses that it counted on.
func (e *reference) plan(units.Seconds) bool {
	e.ahead = e.async
	planned := e.decide()
	late := e.enqueueMissed()
	if !planned && (late || len(e.ended) > 0 || e.assumed) {
		e.ahead = false
		e.releaseEnded()
		planned = e.decide()
	}
	if planned {
		e.beginTasks()
	}
	return planned
}

// beginTasks sets up and starts the step that is decided, in which every sequence has a task.
func (e *reference) beginTasks() {
	e.members = e.members[:0]
	e.setUpTaskStep()
	e.addMembers()
	e.nameOutput()
	e.begin(e.costOf(&e.step.work), e.unchanged)
}

// addMembers adds the sequences of the tasks to those that take part in the step.
func (e *reference) addMembers() {
	tasks := e.decision.Tasks
	for i := range tasks {
		e.members = append(e.members, e.sequenceOf(&tasks[i]))
	}
}

// begin starts the step that is set up, with its cost; unchanged says how the work grows from step
// to step, and for how long, if the batch stays as it is.
func (e *reference) begin(cost hardware.Cost, unchanged func() contextGrowth) {
	e.cost = cost
	e.end = e.stepEnd(cost, unchanged)
}

// next implements engine.
func (e *reference) next() units.Seconds { return e.end }

// interrupt implements engine: a single step goes on, since a request joins at its
// end at the earliest.
func (e *reference) interrupt(units.Seconds) bool { return true }

// arrival implements engine.
func (e *reference) arrival(units.Seconds) bool { return true }

// lastBegins implements engine.
func (e *reference) lastBegins() units.Seconds { return e.now }

// reach implements engine: a single step is under way.
func (e *reference) reach(units.Seconds) {}

// taken implements engine: a step that is set up has its blocks.
func (e *reference) taken() int { return 0 }

// synchronize implements engine: every sequence is up to date.
func (e *reference) synchronize() {}

// unchanged bounds the steps for which a batch that decodes goes on as it is:
// until its first sequence ends, or fills the window.
func (e *reference) unchanged() contextGrowth {
	g := growthOf(e.members, e.window)
	g.context, g.padding = e.step.work.DecodeRows, e.decision.PaddingGrowth
	return g
}

// growthOf is how the work of sequences that decode grows.
func growthOf(members []*sequence, window int) contextGrowth {
	g := contextGrowth{context: len(members)}
	for i, s := range members {
		left := s.output - s.Generated
		if room := window - (s.Computed + 1); room > 0 {
			g.windowContext++
			left = min(left, room)
		}
		if i == 0 || left < g.steps {
			g.steps = left
		}
	}
	return g
}

// commit implements engine: what the step processed is computed, and sequences
// without pending tokens have generated one. Gaps that are as long as the step are
// recorded together, as the fast engine does: sums of floating-point numbers depend
// on how they are grouped.
func (e *reference) commit(now units.Seconds) {
	if e.end > now {
		return
	}
	end, start := e.end, e.now
	e.end = forever
	e.countStep(end, e.cost)
	e.releaseEnded()
	accepted, all := e.totals.AcceptedTokens, sampled{}
	for _, s := range e.members {
		e.sampleMember(s, start, end, &all)
	}
	e.countSampled(start, end, accepted, &all)
	if all.ended {
		e.leave(end)
	}
}

// sampled is what sequences have got of a step.
type sampled struct {
	generated       int // tokens
	alike, inWindow int // sequences that had their last token when the step began, and those of them that count for the steady state
	ended           bool
}

// sampleMember counts what a step from a start to an end processed for a sequence, and what it generated.
func (e *reference) sampleMember(s *sequence, start, end units.Seconds, all *sampled) {
	if s.Ended { // it overran
		return
	}
	e.compute(s)
	if s.phase == recovers {
		e.endRecovery(s)
	}
	if s.Pending() > 0 {
		return
	}
	e.freeBehindWindow(s)
	first := s.Generated == 0
	tokens := e.verify(s)
	s.generate(tokens)
	all.generated += tokens
	switch {
	case first:
		e.noteFirstToken(s)
	case s.last == start:
		all.alike++
		e.countGap(s, end-start)
		if s.inWindow {
			all.inWindow++
		}
	default:
		e.recordGap(s, end)
	}
	s.last = end
	all.ended = all.ended || s.Generated == s.output || s.Offloaded
}

// countSampled counts what sequences have got of a step, before which some guesses were accepted in all.
func (e *reference) countSampled(start, end units.Seconds, accepted int64, all *sampled) {
	e.countGuessFLOPs(e.cost, e.totals.AcceptedTokens-accepted)
	e.recordGaps(end-start, all.alike, all.inWindow)
	e.countOutput(start, end, all.generated)
}
