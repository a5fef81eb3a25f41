package sim

import (
	"sort"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// stretches is the fast engine. It keeps the sequences that decode as totals, and
// computes all steps together in which nothing else happens: until a request may
// join, a sequence ends, or the free blocks run out. Where the policy must look at
// single sequences, it goes on like the reference, which it embeds.
type stretches struct {
	reference
	planned  int // steps that are committed together; 0: the one under way is set up alone
	policy   policies.Aggregating
	decoding decoding
	chunks   chunkSteps // that are planned; none: those of the series are
}

func newStretches(m *machine, p policies.Aggregating) *stretches {
	e := &stretches{reference: *newReference(m), policy: p, decoding: newDecoding(m), chunks: chunkSteps{longest: shortestReach}}
	if e.memory.cached != nil {
		e.memory.cached.name = e.nameNow
	}
	return e
}

// plan implements engine. A step is set up alone where a sequence has a task of its
// own.
func (e *stretches) plan(horizon units.Seconds) bool {
	e.ahead = e.async
	planned := e.settled() || e.decideTotals()
	e.chunks.queued = e.waiting.Len() > 0
	late := e.enqueueMissed()
	if !planned && (late || len(e.ended) > 0) {
		e.ahead = false
		e.releaseEnded()
		e.scatter() // totals know what is planned ahead
		planned, late = e.decide(), false
	}
	if !planned {
		return false
	}
	e.chunks.steps, e.chunks.begun = e.chunks.steps[:0], 0
	n := e.together(horizon)
	if late || len(e.ended) > 0 && (e.waiting.Len() > 0 || !e.fleet.openLoop) {
		n = min(n, 1) // the next plan may admit others, and a router sees what has come free by then
	}
	if n == 0 && !late {
		n = e.chunksAhead(horizon)
	}
	if n > 0 {
		e.planned, e.end = n, e.endOf(n)
	} else {
		e.beginAlone()
	}
	return true
}

// settled tells whether the policy decides as it did before, though sequences have ended since then.
func (e *stretches) settled() bool {
	d := &e.decoding
	if !e.decision.Settled || !d.gathered || d.count == 0 || e.waiting.Len() > 0 || e.mayMiss() || d.demand(0)+e.decision.Spare > e.memory.free {
		return false
	}
	e.memory.setTime(e.now)
	e.carryOutTotals()
	return true
}

// decideTotals asks the policy for the next step, with totals where it can decide
// from them; what it decides is then the same as with all sequences in view. It is
// false when the policy has nothing to do. The step is set up only once it is known
// to be committed alone.
func (e *stretches) decideTotals() bool {
	if !e.decoding.gathered && !e.gather() {
		return e.decide()
	}
	m := e.machine
	m.look()
	v := m.view
	v.Running, v.Prefilling = nil, nil
	v.Decoding, v.Demand, v.Paged = e.decoding.count, e.decoding.demand(0), e.decoding.paged
	if prefilling := e.decoding.prefilling; prefilling != nil {
		v.Prefilling = &prefilling.Sequence
	}
	d := &m.decision
	d.Reset()
	m.beginDecision(&e.decoding)
	if !e.policy.PlanAggregate(v, d) {
		e.scatter()
		return e.decide()
	}
	m.carryOutTotals()
	if len(d.Tasks) == 0 && e.decoding.count == 0 {
		m.beginLoads()
		m.wake = max(m.now, d.Wake)
		return false
	}
	return true
}

// beginAlone sets up and starts the step that is decided, to be committed alone. It is
// also what remains of planned steps when a request arrives inside one: the batch of
// that step is known, and its end too, while the next one may have another batch.
func (e *stretches) beginAlone() {
	e.planned = 0
	if !e.decoding.gathered {
		e.beginTasks()
		return
	}
	d := &e.decoding
	if !e.decision.Stall {
		e.memory.allocate(d.demand(0))
		e.publishFilled(d, 0, e.now)
		d.begun = true
	}
	e.setUpStep(d.work(e.step.work.Prefill[:0], &e.decision), d.steady())
	e.begin(e.costAlone(), d.growth)
}

// costAlone is what the step that is set up costs. Of one that ends with a series it is read off a line; the end of
// any other is its cost, and that is the model's own, as in the reference, to the last bit: whether two replicas end at the
// same time hangs on it.
func (e *stretches) costAlone() hardware.Cost {
	st := &e.step
	if st.steady == e.size-len(e.held) && st.prepare+st.moves.beside+st.moves.before == 0 {
		return e.stepCost(&st.work)
	}
	return e.pool.Cost.Step(&st.work)
}

// longestStretch bounds the number of steps that are computed together, so that a
// cancelled context is noticed soon.
const longestStretch = 4096

// together is the number of steps from now on that can be computed together: those of
// an unchanged batch that decodes, whose blocks are free, and that end before the
// horizon and not after the run. 0 when there are none: a sequence has a task of its
// own, or one that was left out of a step has a longer gap before its token than the
// others.
func (e *stretches) together(horizon units.Seconds) int {
	d := &e.decoding
	if !d.gathered || len(e.decision.Tasks)+len(e.decision.Load) > 0 || d.count != e.size-len(e.held) || len(d.stalls) > 0 {
		return 0
	}
	if e.series.remaining() <= 0 {
		e.step.work = d.work(e.step.work.Prefill[:0], &e.decision)
		e.fitSeries(&e.series, d.growth())
	}
	n, changes := e.affordable(min(e.series.remaining(), longestStretch)), min(e.transfers.next(), e.nextStored())
	if e.decision.Held == policies.HeldByMemory {
		n = e.beforeTaken(e.beforeShared(n))
		changes = min(changes, e.nextExpiry())
	}
	end := e.series.endOf(n)
	if end >= changes || end > e.fleet.cut {
		n = e.endingBefore(changes, n)
		end = e.series.endOf(n)
	}
	if n == 0 || end < horizon {
		return n
	}
	return min(n, e.endingWithin(horizon, n)+e.unseen())
}

// unseen is how many steps, from the one on during which a request leaves the front end, are planned before any plan sees it: that
// one, and with asynchronous scheduling the one behind it. Memory that comes free with the first of them is given back before
// anything else happens, so that none is planned beyond then.
func (e *stretches) unseen() int {
	if len(e.ended) > 0 {
		return 0
	}
	return 1 + e.decoding.lag
}

// endOf is when the k-th of the steps that are not committed ends, counted from 1.
func (e *stretches) endOf(k int) units.Seconds {
	if c := &e.chunks; len(c.steps) > 0 {
		return c.steps[c.begun+k-1].end
	}
	return e.series.endOf(k)
}

// endingBefore is how many of the next n steps end before a time, and not after
// the run. Their ends only grow, so that it is found near where a series says.
func (e *stretches) endingBefore(horizon units.Seconds, n int) int {
	if n == 0 || e.endsBefore(horizon, n) {
		return n
	}
	return e.endingWithin(horizon, n)
}

// endingWithin is endingBefore where not all n steps do.
func (e *stretches) endingWithin(horizon units.Seconds, n int) int {
	if len(e.chunks.steps) > 0 {
		return sort.Search(n, func(k int) bool { return !e.endsBefore(horizon, k+1) })
	}
	k := min(e.series.about(min(horizon, e.fleet.cut)), n-1)
	for k > 0 && !e.endsBefore(horizon, k) {
		k--
	}
	for e.endsBefore(horizon, k+1) {
		k++
	}
	return k
}

// endsBefore tells whether the k-th of the steps that are not committed, counted from 1, ends before a time, and not after the run.
func (e *stretches) endsBefore(horizon units.Seconds, k int) bool {
	end := e.endOf(k)
	return end < horizon && end <= e.fleet.cut
}

// affordable is the number of steps, at most n, for which there are free blocks, those
// that must stay free apart, and the demand is known. A step that reads some of its blocks
// from a tier is taken alone. In blockSize steps a sequence needs
// at most one block of each group of layers, so that plenty is seen at once.
func (e *stretches) affordable(n int) int {
	d, free := &e.decoding, e.memory.free-max(e.decision.Spare, e.pool.Streamed)
	n = d.foreseeable(n)
	if free >= (n/d.blockSize+1)*d.count*d.groups {
		return n
	}
	offset := d.offsetIn(0)
	for k := range n {
		if free -= d.offsets[offset]; free < 0 {
			return k
		}
		offset = d.offsetBehind(offset)
	}
	return n
}

// interrupt implements engine. The steps that ended before now are committed; the one
// into which now falls goes on alone, so that its end is a moment to plan at. A step
// that ends at now is not committed: requests that arrive then are seen by its next.
func (e *stretches) interrupt(now units.Seconds) bool {
	if e.planned == 0 {
		return true
	}
	e.chunks.longest = max(shortestReach, e.commitEnded(now))
	if e.changed > e.now { // a request has come since the step began
		e.countBlocks(e.taken(), e.now, e.changed)
	}
	e.beginAlone()
	return true
}

// arrival implements engine.
func (e *stretches) arrival(now units.Seconds) bool {
	chunks := len(e.chunks.steps) > 0
	if chunks && !e.chunks.queued {
		return e.interrupt(now)
	}
	if e.reach(now); e.planned > 0 && !chunks {
		e.planned = min(e.planned, max(1, e.unseen()))
		e.end = e.series.endOf(e.planned)
	}
	return true
}

// lastBegins implements engine.
func (e *stretches) lastBegins() units.Seconds {
	if e.planned < 2 {
		return e.now
	}
	return e.endOf(e.planned - 1)
}

// reach implements engine.
func (e *stretches) reach(now units.Seconds) {
	if e.planned > 0 {
		e.planned -= e.commitEnded(now)
	}
}

// commitEnded commits those of the planned steps that ended before now, and is how many these are. What happened beside them
// comes first: requests that no plan could see.
func (e *stretches) commitEnded(now units.Seconds) int {
	n := e.endingBefore(e.fleet.endedBy(now), e.planned)
	if n > 0 {
		e.fleet.replicas[e.number].settle(e.endOf(n))
		e.enqueueMissed() // the step under way is planned since
		e.now = e.commitTogether(n)
	}
	return n
}

// taken implements engine: of steps that are taken together, those that end hand out their
// blocks.
func (e *stretches) taken() int {
	if e.planned == 0 {
		return 0
	}
	if c := &e.chunks; len(c.steps) > 0 {
		return c.steps[c.begun].demand
	}
	return e.decoding.demand(0)
}

// commit implements engine. It does nothing while the end is still to come.
func (e *stretches) commit(now units.Seconds) {
	switch {
	case e.end > now:
	case e.planned > 0:
		n := e.planned
		e.planned, e.end = 0, forever
		e.commitTogether(n)
	case e.decoding.gathered:
		e.commitAlone()
	default:
		e.reference.commit(now)
	}
}
