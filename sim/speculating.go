package sim

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// speculating is the fast engine of a replica whose sequences guess. How many of the guesses are
// right differs from sequence to sequence, so that there is something to do for each of them
// in every step; but as long as all have as many guesses it is little, and the policy decides
// from totals. Steps that follow each other and in which nothing else happens are computed
// together, on rows of what changes (guessed). Where sequences differ it goes on like the
// reference, which it embeds; what it knows of them is always up to date.
type speculating struct {
	reference
	policy  policies.Aggregating
	shared  bool // the step that is decided is one of shares; false: every sequence has a task
	stretch guessedSteps
}

func newSpeculating(m *machine, p policies.Aggregating) *speculating {
	e := &speculating{reference: *newReference(m), policy: p}
	e.stretch.longest = shortestReach
	m.answers = []*workloads.Answer{}
	return e
}

// guessesInTotals tells whether the sequences of a machine that guess differ in nothing but how
// many guesses are right: they go nowhere, and their blocks do not come free before their end.
func guessesInTotals(m *machine) bool {
	return len(m.pool.Tiers) == 0 && m.pool.Windows.Groups == 0
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
	if !late {
		e.lookAhead(min(horizon, e.transfers.next()))
	}
	if e.stretch.planned == 0 {
		e.beginShares()
	}
	return true
}

// decideShares asks the policy for the next step, with totals where it can decide from them.
func (e *speculating) decideShares() bool {
	e.shared = e.gather() && e.planShares()
	if !e.shared {
		return e.decide()
	}
	m, d := e.machine, &e.decision
	m.integrate(m.now)
	m.step.moves.reset()
	m.takeLoads()
	m.heldBy = d.Held
	m.admit(d.Joining())
	return true
}

// gather lists the sequences that decode and may guess. It is false when there is none, or another
// than the youngest of the batch that does not.
func (e *speculating) gather() bool {
	v := e.view
	v.Prefilling, v.Decoding, v.Overrunning, v.Paged, v.Context = nil, 0, 0, 0, 0
	e.members = e.members[:0]
	for _, r := range e.running {
		s := e.sequences.all[r.ID]
		switch {
		case s.Ended && !s.Overruns:
			continue
		case v.Prefilling != nil:
			return false
		case !s.Decodes() || s.Recovers || s.Returned || s.phase == recovers:
			v.Prefilling = &s.Sequence
			continue
		case s.Ended:
			v.Overrunning++
		default:
			v.Decoding++
		}
		if s.Reserved == 0 {
			v.Paged++
		}
		v.Context += int64(s.Computed + 1)
		e.members = append(e.members, s)
	}
	return len(e.members) > 0
}

// planShares asks the policy. It is false when every sequence must be looked at.
func (e *speculating) planShares() bool {
	m, d := e.machine, &e.decision
	m.look()
	v := m.view
	v.Running, v.Rows = nil, e
	d.Reset()
	m.beginDecision(e)
	return e.policy.PlanAggregate(v, d) && d.PaddingRows == 0 && (d.Stall || d.Share.Slots > 0)
}

// Demand implements policies.Rows.
func (e *speculating) Demand(share policies.Share) (blocks int, ok bool) {
	for _, s := range e.members {
		more, fits := e.demand(s, &share)
		if !fits {
			return 0, false
		}
		blocks += more
	}
	return blocks, true
}

// foresee implements totals.
func (e *speculating) foresee(m *machine, d *policies.Decision) {
	blocks, _ := e.Demand(d.Share)
	m.foresight.blocks += blocks
	for _, s := range e.members {
		if e.names(s) {
			m.foreseeContent(s, min(s.Computed+1, m.known(s)))
		}
	}
}

// names tells whether a sequence is to fill blocks that others may find.
func (e *speculating) names(s *sequence) bool {
	return e.memory.cached != nil && s.cached.blocks < min(s.named, s.Prompt+s.output)/e.pool.BlockSize
}

// demand is the number of blocks that a sequence needs for its share of a step.
func (e *speculating) demand(s *sequence, share *policies.Share) (blocks int, ok bool) {
	longest := math.MaxInt
	if share.Limited {
		longest = e.view.Longest(&s.Sequence)
	}
	slots, ok := share.SlotsOf(&s.Sequence, longest)
	if slots <= s.Blocks*e.pool.BlockSize {
		return 0, ok
	}
	return e.pool.blocksFor(slots) - s.Blocks, ok
}

// beginShares sets up and starts the step that is decided: the sequences that guess get the
// blocks for their shares before those with a task of their own.
func (e *speculating) beginShares() {

	d := &e.decision
	work := hardware.Work{Prefill: e.step.work.Prefill[:0]}
	steady := 0
	if d.Stall {
		e.members = e.members[:0]
	} else {
		steady = e.takeShares(&work)
	}
	for _, v := range e.running {
		v.Assumed = 0 // no plan but this one counts on them
	}
	e.setUpStep(work, steady)
	e.addMembers()
	e.nameOutput()
	e.beginAt(e.costOfShares(), e.unchanged)
}

// takeShares gives the sequences that guess what they have of a step, and adds it to the
// work. It returns how many got a token from the step before.
func (e *speculating) takeShares(work *hardware.Work) (steady int) {
	share := &e.decision.Share
	for _, s := range e.members {
		if more, _ := e.demand(s, share); more > 0 {
			e.memory.allocate(more)
			s.Blocks += more
		}
		s.certain = min(s.Computed+1, e.known(s))
		e.publish(s, s.certain)
		s.tokens, s.draft, s.nodes, s.accepted = 1, share.Draft, share.Nodes, 0
		work.DecodeContext += int64(s.Computed + 1)
		work.DecodeWindowContext += int64(min(s.Computed+1, e.window))
		if s.last == e.now && !s.Ended && !s.guest {
			steady++
		}
		s.guest = false
	}
	addShares(work, share, len(e.members))
	return steady
}

// addShares adds the shares of a number of sequences to a step's work, whose context is
// there already; see addGuesses.
func addShares(work *hardware.Work, share *policies.Share, rows int) {
	work.DecodeRows, work.LogitRows = rows, rows*(1+share.Nodes)
	if share.Draft > 0 {
		work.DraftRows, work.DraftPasses = rows*share.Nodes, share.Draft
		work.DraftContext = int64(share.Nodes)*work.DecodeContext + int64(rows*(share.Nodes*(share.Draft+1)/2))
	}
}

// interrupt implements engine. The step into which now falls goes on alone.
func (e *speculating) interrupt(now units.Seconds) {
	if e.stretch.planned == 0 {
		return
	}
	if n := e.endingBefore(e.fleet.endedBy(now)); n > 0 {
		e.stretch.longest = max(shortestReach, n)
		e.now = e.commitSteps(n)
	}
	e.stretch.planned = 0
	e.beginShares()
}

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
	return e.stretch.steps[e.stretch.begun].needs.demand
}

// commit implements engine.
func (e *speculating) commit(now units.Seconds) {
	if e.stretch.planned == 0 || e.end > now {
		e.reference.commit(now)
		return
	}
	e.end = forever
	end := e.commitSteps(e.stretch.planned)
	if e.stretch.ends {
		e.leave(end)
	}
}
