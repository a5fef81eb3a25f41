package sim

import "kneepoint/units"

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
		for i < st.sums.steps {
			if step := st.summedStep(i); !e.stepAhead(&step, ahead) {
				break
			}
			i++
		}
		if st.ends = st.sums.ends && len(st.steps)-before == st.sums.steps; st.ends || i < n {
			break
		}
	}
}

// summedStep is the step of which the sums have an index.
func (st *guessedSteps) summedStep(i int) guessedStep {
	sums := &st.sums
	generated := int(sums.computed[i+1] - sums.computed[i])
	step := guessedStep{context: sums.computed[i] + int64(st.count), windowed: sums.windowed[i], demand: sums.blocks[i] - st.held,
		generated: generated, right: generated - st.count}
	st.held = sums.blocks[i]
	return step
}

// stepsUntil is about how many steps are worth a look within a time: those that begin within it, if all take as
// long as one did.
func stepsUntil(time, took units.Seconds) int {
	if took <= 0 || time >= longestReach*took {
		return longestReach
	}
	return 1 + max(0, int(time/took))
}

// stepAhead computes the next step, and tells whether it is one of those that are planned and others follow.
func (e *speculating) stepAhead(step *guessedStep, ahead *stepsAhead) bool {
	st, d := &e.stretch, &e.decision
	if ahead.free -= step.demand; ahead.free < 0 || len(st.steps) > 0 && d.Proposals.Length(st.count, step.context) != d.Share.Draft {
		return false
	}
	before := ahead.end
	if !e.endAhead(step, ahead) || ahead.end >= ahead.horizon && len(st.steps) > 0 {
		return false
	}
	st.took = ahead.end - before
	step.end = ahead.end
	st.steps = append(st.steps, *step)
	return ahead.end < ahead.horizon
}

// endAhead finds the cost of a step, and moves the end behind it. Without guesses its end is that of a series, as any
// engine's; it is false where that is over with the step before.
func (e *speculating) endAhead(step *guessedStep, ahead *stepsAhead) bool {
	if e.decision.Share.Draft > 0 {
		e.costAhead(step, ahead)
		ahead.end += step.cost.Time
		return true
	}
	planned := len(e.stretch.steps)
	e.setUpShares(step)
	step.cost = e.stepCost(&e.step.work)
	if planned == 0 && e.series.remaining() <= 0 {
		e.fitSeries(&e.series, e.growth())
	}
	ahead.end = e.series.endOf(planned + 1)
	return planned < e.series.remaining()
}

// costAhead finds the cost of a step with guesses: on the curve of the step before, of which only the context was less, as far as that goes.
func (e *speculating) costAhead(step *guessedStep, ahead *stepsAhead) {
	if c := ahead.curve; c != nil && step.context < c.until {
		step.cost = c.at(step.context)
		return
	}
	e.setUpShares(step)
	w := &e.step.work
	if ahead.curve = e.fleet.curves.along(e.pool, w); ahead.curve == nil {
		step.cost = e.pool.Cost.Step(w)
	} else {
		step.cost = ahead.curve.at(step.context)
	}
}

// growth is how the work of the sequences grows, as long as they have no guesses.
func (e *speculating) growth() contextGrowth {
	if g := &e.guessers; g.gathered {
		return contextGrowth{steps: g.left(), context: g.count}
	}
	return growthOf(e.rows.sequences, e.window)
}
