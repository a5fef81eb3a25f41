package sim

import "kneepoint/units"

// lookAtTotals computes steps ahead by what the sequences have of them, until one ends.
func (e *speculating) lookAtTotals(ahead *stepsAhead) {
	st, g := &e.stretch, &e.guessers
	st.count, st.inWindow = g.count, g.inWindow
	context := g.context
	for i := range min(st.longest, g.left()) {
		right, blocks := g.ahead.of(g.steps + int64(i))
		step := st.next()
		step.context, step.windowed, step.demand, step.right, step.generated = context, 0, blocks, right, g.count+right
		if !e.stepAhead(step, ahead) {
			return
		}
		context += int64(step.generated)
	}
}

// advance counts the next n steps of the totals, takes out who ends with the last of them, at a time, and returns how many tokens they do not need
// of that.
func (e *speculating) advance(n int, end units.Seconds) (beyond int) {
	g := &e.guessers
	if !g.gathered {
		return 0
	}
	g.pass(n, end)
	g.ended = g.ended[:0]
	for g.ends.due(g.steps) {
		s := g.ends.pop().sequence
		more := e.catchUpWith(s)
		g.count--
		g.context -= int64(s.Computed + more + 1)
		if s.Reserved == 0 {
			g.paged--
		}
		if s.inWindow {
			g.inWindow--
		}
		g.ended = append(g.ended, s)
		beyond += more
	}
	return beyond
}

// endGuessing ends the sequences whose last token came with the last step, in the order of the batch.
func (e *speculating) endGuessing(now units.Seconds) {
	for _, s := range e.guessers.ended {
		e.endDecoding(s, now)
	}
}

// commitGuessing ends a step that was set up alone, in which the totals take part.
func (e *speculating) commitGuessing() {
	end, start := e.end, e.now
	e.end = forever
	e.countStep(end, e.cost)
	e.releaseTotals()
	accepted := e.totals.AcceptedTokens
	all := e.verifyTotals(end)
	for i := range e.decision.Tasks {
		e.sampleMember(e.sequenceOf(&e.decision.Tasks[i]), start, end, &all)
	}
	e.countSampled(start, end, accepted, &all)
	e.endGuessing(end)
	e.joinTasks(end)
}

// verifyTotals counts what the totals have of a step that ends.
func (e *speculating) verifyTotals(end units.Seconds) sampled {
	g, t := &e.guessers, e.totals
	count, right := g.count, 0
	all := sampled{alike: count, inWindow: g.inWindow}
	if count > 0 {
		right, _ = g.ahead.of(g.steps)
	}
	g.gaps.next(e.now, end)
	beyond := e.advance(1, end)
	if g.share.Draft > 0 {
		t.ProposedTokens += int64(count * g.share.Nodes)
		t.AcceptedTokens += int64(right)
		t.Verifications += int64(count)
		t.GuessedTokens += int64(right - beyond)
	}
	all.generated = count + right - beyond
	return all
}

// joinTasks ends the step for sequences that had a task of their own. Those that have a token now guess from the next one on.
func (e *speculating) joinTasks(end units.Seconds) {
	g, apart := &e.guessers, false
	for i := range e.decision.Tasks {
		s := e.sequenceOf(&e.decision.Tasks[i])
		if s.last != end {
			g.prefilling = s
			continue
		}
		if s == g.prefilling {
			g.prefilling = nil
		}
		switch {
		case s.Generated == s.output:
			e.endDecoding(s, end)
		case e.foreknown(s):
			e.join(s)
		default:
			apart = true
		}
	}
	if apart {
		e.synchronize()
	}
}
