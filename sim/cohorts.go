package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// cohorts is the fast engine of a pipeline. The sequences that decode are totals, one for
// each step under way and one for those that are in none, so that a step costs the same
// however many of them are in it. Where the policy must look at single sequences it goes
// on like the pipeline, which it embeds.
type cohorts struct {
	pipeline
	policy   policies.Aggregating
	gathered bool          // the sequences that decode are in cohorts
	ready    *cohort       // those that are in no step under way
	empty    []*cohort     // to use again
	quiet    int           // how many launches in a row the policy added nobody to, while nothing else happened
	held     policies.Held // why it did not
	turns    turns
	ending   []*sequence // with the step that lands; scratch
}

// newCohorts makes the engine of a machine whose policy plans from totals.
func newCohorts(m *machine, policy policies.Aggregating) *cohorts {
	e := &cohorts{pipeline: *newPipeline(m), policy: policy}
	e.ready = e.newCohort()
	e.turns.longest = shortestReach
	return e
}

func (e *cohorts) newCohort() *cohort {
	n := len(e.empty)
	if n == 0 {
		return &cohort{decoding: newDecoding(e.machine)}
	}
	c := e.empty[n-1]
	e.empty = e.empty[:n-1]
	return c
}

// plan implements engine.
func (e *cohorts) plan(horizon units.Seconds) bool {
	if e.touched {
		e.touched, e.quiet = false, 0
	}
	for e.room() && e.decideNext() {
		e.launchNext()
	}
	e.wake = min(e.wake, e.nextRoom())
	return e.takeTurns(horizon)
}

// next implements engine.
func (e *cohorts) next() units.Seconds {
	if len(e.turns.steps) > 0 {
		return e.turns.over()
	}
	return e.pipeline.next()
}

// interrupt implements engine. A step that ended, and the next one of whose cohort waits for the first
// stage, ends by itself.
func (e *cohorts) interrupt(now units.Seconds) bool {
	if len(e.turns.steps) == 0 {
		return true
	}
	before := e.fleet.endedBy(now)
	n := e.endedTurns(before)
	e.turns.longest = max(shortestReach, n)
	e.commitTurns(n)
	e.stopTurns()
	for e.next() < before && !e.fleet.stopsBefore(e.next()) {
		e.landTotals()
	}
	if e.wake = forever; e.free[0] >= before {
		e.wake = e.nextRoom()
	}
	return false
}

// arrival implements engine.
func (e *cohorts) arrival(now units.Seconds) bool { return e.interrupt(now) }

// reach implements engine. Of a step that has ended, and the next one of whose cohort waits for the
// first stage, the time counts.
func (e *cohorts) reach(now units.Seconds) {
	t, before := &e.turns, e.fleet.endedBy(now)
	if len(t.steps) == 0 {
		return
	}
	e.commitTurns(e.endedTurns(before))
	if end := t.steps[t.done].end; end < before && end > e.covered && !e.fleet.stopsBefore(end) {
		e.coverUntil(end)
	}
}

// decideNext asks the policy for the next step, with totals where it can decide from them.
func (e *cohorts) decideNext() bool {
	if !e.gathered && !e.gather() {
		return e.decide()
	}
	m, d, c := e.machine, &e.decision, e.ready
	m.look()
	v := m.view
	v.Running, v.Prefilling, v.Rows = nil, nil, nil
	v.Decoding, v.Demand, v.Paged = c.count, c.demand(0), c.paged
	v.Ended = len(m.running) - m.gone - c.count // under way: they have their slots
	d.Reset()
	m.beginDecision(&c.decoding)
	if !e.policy.PlanAggregate(v, d) || d.PaddingRows > 0 {
		e.scatter()
		return e.decide()
	}
	m.carryOutTotals()
	if len(d.Tasks) == 0 && (c.count == 0 || d.Stall) {
		m.beginLoads()
		m.wake = max(m.now, d.Wake)
		return false
	}
	return true
}

// launchNext sets up the step that is decided, and launches it.
func (e *cohorts) launchNext() {
	if !e.gathered {
		e.setUpTaskStep()
		e.launchTasks()
		return
	}
	c := e.setUpTotals()
	e.keepStages()
	f := e.launchTotals(c)
	if c != nil {
		f.cohort, e.ready = c, e.newCohort()
		f.spare = e.decision.Spare
	}
	e.noteQuiet(c)
	for _, s := range e.members {
		if s.Pending() > 0 {
			e.scatter() // totals know no prompt that goes on
			return
		}
	}
}

// noteQuiet notes whether the step that was launched, with a cohort, is like the next one.
func (e *cohorts) noteQuiet(c *cohort) {
	if c == nil || c.journey == nil || len(e.decision.Load) > 0 {
		e.quiet = 0
		return
	}
	if e.heldBy != e.held {
		e.held, e.quiet = e.heldBy, 0
	}
	e.quiet++
}

// setUpTotals sets up the step, and returns who takes part without a task; nil: nobody does.
func (e *cohorts) setUpTotals() (c *cohort) {
	d, work := &e.decision, hardware.Work{Prefill: e.step.work.Prefill[:0]}
	if !d.Stall && e.ready.count > 0 {
		c = e.ready
		e.memory.allocate(c.demand(0))
		e.publishFilled(&c.decoding, 0, e.now)
		work = c.work(work.Prefill, d)
	}
	e.setUpStep(work, 0)
	e.members = e.members[:0]
	for i := range d.Tasks {
		s := e.sequenceOf(&d.Tasks[i])
		s.journey = nil
		e.members = append(e.members, s)
	}
	return c
}

// launchTotals launches the step that is set up, in which a cohort takes part unless that is nil.
func (e *cohorts) launchTotals(c *cohort) *flight {
	repeats := c != nil && e.repeats()
	if repeats && c.journey.holds(c.count, e.pool) {
		return e.launch(c.journey.cost(), c.journey, e.members)
	}
	cost := e.pool.Cost.Step(&e.step.work)
	var j *journey
	if repeats {
		j = e.newJourney(c.growth())
	}
	if c != nil {
		c.journey = j
	}
	return e.launch(cost, j, e.members)
}

// commit implements engine.
func (e *cohorts) commit(now units.Seconds) {
	if e.next() > now {
		return
	}
	if t := &e.turns; len(t.steps) > 0 {
		e.commitTurns(t.left())
		e.stopTurns()
	}
	for len(e.flights) > 0 && e.next() <= now {
		if e.gathered {
			e.landTotals()
		} else {
			e.land()
		}
	}
}

// landTotals ends the first of the steps under way. Sequences end in the order of the batch, in which
// one that ends its prompt or a recovery may come before others that decode: the step was launched
// before they became totals.
func (e *cohorts) landTotals() {
	f := e.endFirst()
	e.disembark(f)
	c, generated := f.cohort, 0
	if c != nil {
		generated = c.land(e.machine, f)
	} else {
		c = e.newCohort()
	}
	e.ending = e.ending[:0]
	for c.haveEnded() {
		s := c.popEnded()
		c.settle(e.machine, s)
		e.ending = append(e.ending, s)
	}
	for _, s := range f.sampled {
		generated++
		e.quiet = 0
		if e.sampleOne(s, f.end); s.Generated == s.output {
			e.ending = append(e.ending, s)
		} else {
			c.add(e.machine, s)
		}
	}
	e.endInOrder(f.end)
	e.countOutput(f.start, f.end, generated)
	e.becomesReady(c)
	e.landed = append(e.landed, f)
}

// becomesReady lets a cohort take part in the next step, with those that are ready.
func (e *cohorts) becomesReady(c *cohort) {
	if e.ready.count == 0 {
		c, e.ready = e.ready, c
	}
	c.dissolve(e.machine, func(s *sequence) { e.ready.add(e.machine, s) })
	e.empty = append(e.empty, c)
}

// endInOrder ends the sequences whose last token came with a step, in the order of the batch.
func (e *cohorts) endInOrder(now units.Seconds) {
	slices.SortFunc(e.ending, func(s, t *sequence) int { return s.slot - t.slot })
	for _, s := range e.ending {
		e.quiet = 0
		if e.endRequest(s, now) {
			e.vacate(s.slot)
		}
	}
}
