package sim

import "kneepoint/units"

// commitSteps commits the next n steps, and returns when the last of them ends. The memory is fullest in that.
func (e *speculating) commitSteps(n int) units.Seconds {
	st := &e.stretch
	steps := st.steps[st.begun : st.begun+n]
	last := &steps[n-1]
	e.countGaps(steps)
	beyond := e.advance(n, last.end) // tokens behind those that were asked for
	for _, s := range e.rows.sequences {
		beyond += e.update(s, n, last.end)
	}
	last.generated -= beyond
	e.totals.GuessedTokens -= int64(beyond)
	e.showSteps(steps)
	e.countSteps(steps)
	e.takeAhead(len(steps), func(i int) (int, units.Seconds) { return steps[i].demand, steps[i].end })
	st.begun += n
	st.planned -= n
	return last.end
}

// countGaps counts the gaps that end with steps from now on.
func (e *speculating) countGaps(steps []guessedStep) {
	g, last := &e.guessers.gaps, e.now
	if len(g.late) == 0 {
		return
	}
	for _, s := range e.rows.sequences {
		g.hold(s)
	}
	for i := range steps {
		g.next(last, steps[i].end)
		last = steps[i].end
	}
	for _, s := range e.rows.sequences {
		g.settle(s)
	}
}

// showSteps shows steps to an observer and on the timeline.
func (e *speculating) showSteps(steps []guessedStep) {
	o, t := e.fleet.config.Observer, e.fleet.config.Timeline
	if o == nil && t == nil {
		return
	}
	start, last, blocks := e.now, steps[len(steps)-1].end, e.memory.used()
	for i := range steps {
		step := &steps[i]
		if blocks += step.demand; o != nil {
			e.setUpShares(step)
			work := e.step.work // so that the step's own stays off the heap
			event := e.stepsEvent(1, &work, start, step.end)
			event.Blocks = blocks
			o.Steps(event)
		}
		e.recordBlocks(step.demand, start, last)
		e.recordOutput(start, step.end, step.generated)
		start = step.end
	}
}

// countSteps counts what steps cost and generate, and the gaps that they are.
func (e *speculating) countSteps(steps []guessedStep) {
	st, t, n, start := &e.stretch, e.totals, len(steps), e.now
	e.countWork(steps)
	st.gaps = st.gaps[:0]
	right, generated := 0, 0
	for i := range steps {
		step := &steps[i]
		took := step.end - start
		e.count(1, step.cost, took)
		e.steps.Decodes.Time += step.cost.Time
		e.clocks.draft += step.cost.Draft
		e.countGuessFLOPs(step.cost, int64(step.right))
		st.gaps = append(st.gaps, took)
		right += step.right
		generated += step.generated
		start = step.end
	}
	e.recordGapsOf(st.gaps, st.count, st.inWindow)
	e.series.taken += n
	t.GeneratedTokens += int64(generated)
	if rows := e.step.work.DraftRows; rows > 0 {
		t.ProposedTokens += int64(n * rows)
		t.AcceptedTokens += int64(right)
		t.Verifications += int64(n * st.count)
		t.GuessedTokens += int64(right)
	}
}

// countWork counts the work of steps, but for its time. That of the first one is set up: they differ by their contexts, of which whole numbers are
// summed up, so that it does not matter that they are apart.
func (e *speculating) countWork(steps []guessedStep) {
	first, context, windowed := &steps[0], int64(0), int64(0)
	for i := range steps {
		context += steps[i].context - first.context
		windowed += steps[i].windowed - first.windowed
	}
	e.setUpShares(first)
	e.steps.Add(&e.step.work, len(steps), 0)
	sums := &e.steps.Decodes
	sums.DecodeContext += float64(context)
	sums.WindowContext += float64(windowed)
	if e.step.work.DraftRows > 0 {
		sums.DraftContext += float64(int64(e.decision.Share.Nodes) * context)
	}
}
