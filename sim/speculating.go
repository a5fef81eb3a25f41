package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// speculating is the fast engine of a replica whose sequences guess. How many of the guesses are
// right differs from sequence to sequence, so that there is something to do for each of them
// in every step; but as long as all have as many guesses it is little, and the policy decides
// from totals. Steps that follow each other and in which nothing else happens are computed
// together, on rows of what changes (guessed). Once the number of guesses stays the same, what sequences
// have of all steps to come is summed up when they join (guessers), and nobody looks at them until they end.
// Where sequences differ it goes on like the reference, which it embeds.
type speculating struct {
	reference
	policy   policies.Aggregating
	guessers guessers
	rows     listed // the sequences that decode and are not in these totals
	shared   bool   // the step that is decided is one of shares; false: every sequence has a task
	stretch  guessedSteps
}

func newSpeculating(m *machine, p policies.Aggregating) *speculating {
	e := &speculating{reference: *newReference(m), policy: p, rows: listed{machine: m}, guessers: guessers{gaps: newGaps(m)}}
	e.stretch.longest = shortestReach
	m.trails = []*workloads.Trail{}
	return e
}

// plan implements engine.
func (e *speculating) plan(horizon units.Seconds) bool {
	e.ahead = e.async
	planned := e.decideShares()
	late := e.enqueueMissed()
	if !planned && (late || len(e.ended) > 0 || e.assumed) {
		e.ahead = false
		e.releaseEnded()
		planned, e.shared = e.decide(), false
	}
	switch {
	case !planned:
		return false
	case !e.shared:
		e.beginTasks()
		return true
	}
	horizon = min(horizon, e.transfers.next())
	switch {
	case late:
		horizon = e.now // the next plan may admit others
	case e.decision.Held == policies.HeldByMemory:
		horizon = min(horizon, e.nextExpiry())
	}
	e.lookAhead(horizon)
	if e.stretch.planned == 0 {
		e.beginShares()
	}
	return true
}

// decideShares asks the policy for the next step, with totals where it can decide from them.
func (e *speculating) decideShares() bool {
	e.shared = e.list() && e.planShares()
	if !e.shared {
		e.synchronize()
		return e.decide()
	}
	e.carryOutTotals()
	if e.mayGather() {
		e.gather()
	}
	return true
}

// list lists the sequences that decode and may guess. It is false when there is none, or another
// than the youngest of the batch that does not.
func (e *speculating) list() bool {
	e.rows.begin()
	e.view.Rows = e
	if e.guessers.gathered {
		e.listEnded()
		return e.guessers.count+len(e.rows.sequences) > 0
	}
	for _, r := range e.running {
		s := e.sequences.all[r.ID]
		switch {
		case s.Ended && !s.Overruns:
		case e.view.Prefilling != nil:
			return false
		case s.goesOn():
			e.rows.add(s)
		default:
			e.view.Prefilling = &s.Sequence
		}
	}
	return len(e.rows.sequences) > 0
}

// planShares asks the policy. It is false when every sequence must be looked at.
func (e *speculating) planShares() bool {
	m, d := e.machine, &e.decision
	m.look()
	v := m.view
	v.Running = nil
	d.Reset()
	m.beginDecision(e)
	return e.policy.PlanAggregate(v, d) && d.PaddingRows == 0 && (d.Stall || d.Share.Slots > 0)
}

// beginShares sets up and starts the step that is decided: the sequences that guess get the
// blocks for their shares before those with a task of their own.
func (e *speculating) beginShares() {
	d := &e.decision
	work := hardware.Work{Prefill: e.step.work.Prefill[:0]}
	steady := 0
	e.members = e.members[:0]
	if !d.Stall {
		e.memory.allocate(e.guessers.demand())
		work.DecodeContext = e.guessers.context
		steady = e.rows.takeShares(&work) + e.guessers.count
		addShares(&work, &d.Share, len(e.rows.sequences)+e.guessers.count)
		e.members = append(e.members, e.rows.sequences...)
	}
	e.setUpStep(work, steady)
	e.addMembers()
	if !e.guessers.gathered {
		e.forgetCounted()
		e.nameOutput()
	}
	e.begin(e.costOf(&e.step.work), e.growth) // which is asked for where all take part alike
}

// forgetCounted forgets which guesses the plan that was made counted on: no other one does.
func (e *speculating) forgetCounted() {
	for _, v := range e.running {
		v.Assumed = 0
	}
}

// interrupt implements engine. The step into which now falls goes on alone.
func (e *speculating) interrupt(now units.Seconds) bool {
	if e.stretch.planned == 0 {
		return true
	}
	if n := e.endingBefore(e.fleet.endedBy(now)); n > 0 {
		e.stretch.longest = max(shortestReach, n)
		e.now = e.commitSteps(n)
	}
	e.beginNext()
	return true
}

// arrival implements engine.
func (e *speculating) arrival(now units.Seconds) bool { return e.interrupt(now) }

// reach implements engine.
func (e *speculating) reach(now units.Seconds) {
	if e.stretch.planned == 0 {
		return
	}
	if n := e.endingBefore(e.fleet.endedBy(now)); n > 0 {
		e.now = e.commitSteps(n)
	}
}

// taken implements engine.
func (e *speculating) taken() int {
	if e.stretch.planned == 0 {
		return 0
	}
	return e.stretch.steps[e.stretch.begun].demand
}

// commit implements engine.
func (e *speculating) commit(now units.Seconds) {
	switch {
	case e.end > now:
	case e.stretch.planned > 0:
		e.end = forever
		end := e.commitSteps(e.stretch.planned)
		switch {
		case e.guessers.gathered:
			e.endGuessing(end)
		case e.stretch.ends:
			e.leave(end)
		}
	case e.guessers.gathered:
		e.commitGuessing()
	default:
		e.reference.commit(now)
	}
}
