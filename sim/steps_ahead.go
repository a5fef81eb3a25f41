package sim

import (
	"slices"

	"kneepoint/units"
)

// lookAhead computes the next steps ahead, the first one and those that end before the horizon. They are none where the
// step that is decided is not like those that follow.
func (e *speculating) lookAhead(horizon units.Seconds) {
	st := &e.stretch
	if !e.alike() {
		return
	}
	st.steps, st.begun, st.ends, st.fixed = st.steps[:0], 0, false, false
	if e.decision.Share.Draft > 0 {
		e.series.end()
	}
	if ahead := (stepsAhead{horizon: horizon, free: e.memory.free - e.decision.Spare, end: e.now}); e.guessers.gathered {
		e.lookAtTotals(&ahead)
	} else {
		e.lookAtRows(&ahead)
	}
	if st.planned = len(st.steps); st.planned > 0 {
		e.end = st.steps[st.planned-1].end
	}
	if st.planned == st.longest {
		st.longest = min(2*st.longest, longestReach)
	}
	if st.planned == 1 && e.end >= horizon {
		e.beginNext()
	}
}

// stepsAhead is how far steps are computed ahead.
type stepsAhead struct {
	horizon units.Seconds // which ends it
	free    int           // blocks that are left
	end     units.Seconds // of the last of them
	curve   *curve        // what that cost is on; nil: none
}

// lookAtRows computes steps ahead by the sums of rows.
func (e *speculating) lookAtRows(ahead *stepsAhead) {
	st := &e.stretch
	e.listRows()
	for len(st.steps) < st.longest {
		before, n := len(st.steps), min(st.longest-len(st.steps), stepsOfSums, stepsUntil(ahead.horizon-ahead.end, st.took))
		e.sumRows(n)
		i := 0
		for i < st.sums.steps && e.stepAhead(st.summedStep(i), ahead) {
			i++
		}
		if st.ends = st.sums.ends && len(st.steps)-before == st.sums.steps; st.ends || i < n {
			break
		}
	}
}

// summedStep is the next step, of which the sums have an index.
func (st *guessedSteps) summedStep(i int) *guessedStep {
	sums, step := &st.sums, st.next()
	step.context, step.windowed = sums.computed[i]+int64(st.count), sums.windowed[i]
	step.generated = int(sums.computed[i+1] - sums.computed[i])
	step.right = step.generated - st.count
	step.demand = sums.blocks[i] - st.held
	st.held = sums.blocks[i]
	return step
}

// next is room behind the steps, which is one of them once it is kept.
func (st *guessedSteps) next() *guessedStep {
	n := len(st.steps)
	if n == cap(st.steps) {
		st.steps = slices.Grow(st.steps, 1)
	}
	return &st.steps[:n+1][n]
}

// stepsUntil is about how many steps are worth a look within a time: those that begin within it, if all take as
// long as one did.
func stepsUntil(time, took units.Seconds) int {
	if took <= 0 || time >= longestReach*took {
		return longestReach
	}
	return 1 + max(0, int(time/took))
}

// stepAhead computes the next step, keeps it if it is one of those that are planned, and tells whether others follow.
func (e *speculating) stepAhead(step *guessedStep, ahead *stepsAhead) bool {
	st, d := &e.stretch, &e.decision
	n := len(st.steps)
	if ahead.free -= step.demand; ahead.free < 0 || n > 0 && d.Proposals.Length(st.count, step.context) != d.Share.Draft {
		return false
	}
	before := ahead.end
	if c := ahead.curve; c != nil && step.context < c.until {
		step.cost = c.at(step.context)
		ahead.end += step.cost.Time
	} else if !e.endAhead(step, ahead) {
		return false
	}
	if ahead.end >= ahead.horizon && n > 0 {
		return false
	}
	st.took = ahead.end - before
	step.end = ahead.end
	st.steps = st.steps[:n+1]
	return ahead.end < ahead.horizon
}

// endAhead finds the cost of a step, and moves the end behind it. Costs of the steps behind one with guesses may be on the same curve.
// Without guesses its end is that of a series, as any engine's; it is false where that is over with the step before.
func (e *speculating) endAhead(step *guessedStep, ahead *stepsAhead) bool {
	work, planned := &e.step.work, len(e.stretch.steps)
	e.setUpShares(step)
	if work.DraftRows > 0 {
		ahead.curve = e.fleet.curves.along(e.pool, work)
		step.cost = ahead.curve.cost(e.pool, work)
		ahead.end += step.cost.Time
		return true
	}
	step.cost = e.stepCost(work)
	if planned == 0 && e.series.remaining() <= 0 {
		e.fitSeries(&e.series, e.growth())
	}
	ahead.end = e.series.endOf(planned + 1)
	return planned < e.series.remaining()
}

// growth is how the work of the sequences grows, as long as they have no guesses.
func (e *speculating) growth() contextGrowth {
	if g := &e.guessers; g.gathered {
		return contextGrowth{steps: g.left(), context: g.count}
	}
	return growthOf(e.rows.sequences, e.window)
}
