package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// chunkSteps is steps in which a batch decodes beside a prompt that is computed in chunks of equal length, and nothing
// else happens. They are computed ahead of the time at which they are committed: each begins where the last one ends.
type chunkSteps struct {
	steps   []chunkStep // in order
	begun   int         // of these, those that are committed
	longest int         // how many are computed ahead
}

// chunkStep is one step.
type chunkStep struct {
	end    units.Seconds
	cost   hardware.Cost
	demand int // blocks that it takes
}

// chunksAhead computes the next steps ahead that end before the horizon, and is how many these are: none where the step that
// is decided is not like those that follow.
func (e *stretches) chunksAhead(horizon units.Seconds) int {
	c := &e.chunks
	if !e.chunked() {
		return 0
	}
	e.setUpChunk()
	e.series.end()
	n, free, end := e.equalChunks(), e.memory.free, e.now
	for k := range n {
		c.steps = append(c.steps, chunkStep{})
		step := &c.steps[k] // filled in where it is: copying it would wait for the stores
		e.chunkAhead(step, k)
		free -= step.demand
		if end += step.cost.Time; free < 0 || end >= horizon {
			c.steps = c.steps[:k]
			return k
		}
		step.end = end
	}
	c.longest = min(2*c.longest, longestReach)
	return n
}

// chunked tells whether the step that is decided is one of those that are alike but for their context: nothing moves between
// tiers beside them, and nobody learns of blocks that they fill before another step is set up. The prompt had a chunk in the
// step before, too, so that no time lies between them.
func (e *stretches) chunked() bool {
	d, s := &e.decoding, e.decoding.prefilling
	return e.decision.Chunked && s.phase == prefills && d.names+len(e.ended) == 0 && !e.shares() &&
		len(e.pool.Tiers)+e.pool.Windows.Groups+e.window == 0
}

// equalChunks is how many of the next steps have a chunk of the same length: until a sequence ends, or with the
// next one the prompt.
func (e *stretches) equalChunks() int {
	n := min(e.chunks.longest, (e.decoding.prefilling.Pending()-1)/e.decision.Tasks[0].Tokens)
	if e.decoding.count > 0 {
		n = min(n, e.decoding.growth().steps)
	}
	return n
}

// setUpChunk sets up the work of the next step.
func (e *stretches) setUpChunk() {
	st, s := &e.step, e.decoding.prefilling
	st.work = e.decoding.work(st.work.Prefill[:0], &e.decision)
	st.work.Prefill = append(st.work.Prefill, hardware.Chunk{Context: s.Computed, Tokens: e.decision.Tasks[0].Tokens})
	st.prefilled = append(st.prefilled[:0], s)
}

// chunkAhead fills in what the k-th step from now on, counted from 0, costs and takes. The work that is set up becomes that of
// the next one.
func (e *stretches) chunkAhead(step *chunkStep, k int) {
	s, w := e.decoding.prefilling, &e.step.work
	step.cost = e.pool.Cost.Step(w)
	held := max(s.Blocks, e.pool.blocksFor(w.Prefill[0].Context))
	e.nextChunk()
	more := max(held, e.pool.blocksFor(w.Prefill[0].Context)) - held
	step.demand = e.decoding.demand(k) + more
}

// commitChunks commits the next n steps, and returns when the last of them ends. The memory is fullest in that.
func (e *stretches) commitChunks(n int) units.Seconds {
	c, s, task := &e.chunks, e.decoding.prefilling, &e.decision.Tasks[0]
	s.tokens = task.Tokens
	e.setUpChunk()
	e.fleet.other = hardware.Work{DecodeRows: e.decoding.count, LogitRows: e.decoding.count}
	steps := c.steps[c.begun:][:n]
	end := steps[n-1].end
	e.integrate(end)
	for i := range steps {
		e.countBlocks(steps[i].demand, e.now, end)
		e.commitChunk(&steps[i])
	}
	c.begun += n
	s.Blocks = max(s.Blocks, e.pool.blocksFor(s.Computed))
	s.certain = s.Computed
	task.Blocks = max(s.Blocks, e.pool.blocksFor(s.Computed+task.Tokens))
	e.notePeakMemory()
	e.endTotals(e.now)
	return e.now
}

// commitChunk commits the step whose work is set up.
func (e *stretches) commitChunk(step *chunkStep) {
	m, d, w, start, end := e.machine, &e.decoding, &e.step.work, e.now, step.end
	m.memory.allocate(step.demand)
	m.count(1, step.cost, end-start)
	m.observeSteps(1, w, start, end)
	m.recordPrompts(start, end)
	m.steps.Add(w, 1, step.cost.Time)
	prompts := e.lengthens(step)
	m.clocks.prompts += prompts
	m.phaseStart(d.prefilling).clocks.prompts += prompts // its own
	m.recordGaps(end-start, d.count, d.inWindow)
	d.gaps.next(d.last, end)
	d.advance(1, end)
	m.compute(d.prefilling)
	m.countOutput(start, end, d.count)
	e.nextChunk()
	e.now, e.prompted = end, end
}

// lengthens is by how much the chunk lengthens a step whose work is set up.
func (e *stretches) lengthens(step *chunkStep) units.Seconds {
	other := &e.fleet.other
	switch {
	case e.fleet.config.Coarse:
		return 0
	case other.DecodeRows == 0:
		return step.cost.Time
	}
	other.DecodeContext = e.step.work.DecodeContext
	return max(0, step.cost.Time-e.stepCost(other).Time)
}

// nextChunk makes the work that is set up that of the next step.
func (e *stretches) nextChunk() {
	w := &e.step.work
	w.Prefill[0].Context += w.Prefill[0].Tokens
	w.DecodeContext += int64(e.decoding.count)
}
