package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// chunkSteps is steps in which a batch decodes beside a prompt that is computed in chunks of equal length, and nothing
// else happens. They are computed ahead of the time at which they are committed: each begins where the last one ends.
type chunkSteps struct {
	steps   []chunkStep     // in order
	costs   []hardware.Cost // of these, and of some that were found to end too late
	begun   int             // of the steps, those that are committed
	queued  bool            // requests wait, which such steps have no tokens for: nor do they have any for those that come
	longest int             // how many are computed ahead
	took    units.Seconds   // the last one that was computed
	held    int             // blocks of the prompt before the next one that is computed
	gaps    []units.Seconds // scratch
}

// chunkStep is one step.
type chunkStep struct {
	end    units.Seconds
	demand int // blocks that it takes
}

// chunksAhead computes the next steps ahead that end before the horizon, and is how many these are: none where the step that
// is decided is not like those that follow. Behind others who wait it does not matter who comes by then.
func (e *stretches) chunksAhead(horizon units.Seconds) int {
	c := &e.chunks
	if !e.chunked() {
		return 0
	}
	if c.queued {
		horizon = forever
	}
	e.setUpChunk()
	c.held = e.decoding.prefilling.Blocks
	n, ahead := e.equalChunks(), stepsAhead{horizon: horizon, free: e.memory.free, end: e.now}
	for len(c.steps) < n {
		more := min(n-len(c.steps), stepsUntil(ahead.horizon-ahead.end, c.took))
		if !e.moreChunks(more, &ahead) {
			return len(c.steps)
		}
	}
	c.longest = min(2*c.longest, longestReach)
	return n
}

// moreChunks computes the next n steps, and tells whether all of them are planned.
func (e *stretches) moreChunks(n int, ahead *stepsAhead) bool {
	c, from := &e.chunks, len(e.chunks.steps)
	c.costs = slices.Grow(c.costs[:from], n)[:from+n]
	computed := e.step.work.Prefill[0].Context
	hardware.ChunkSteps(e.pool.Cost, &e.step.work, c.costs[from:])
	for k := from; k < from+n; k++ {
		computed += e.step.work.Prefill[0].Tokens
		held := max(c.held, e.pool.blocksFor(computed))
		demand := e.decoding.demand(k) + held - c.held
		ahead.free -= demand
		c.took = c.costs[k].Time
		if ahead.end += c.took; ahead.free < 0 || ahead.end >= ahead.horizon {
			return false
		}
		c.steps = append(c.steps, chunkStep{end: ahead.end, demand: demand})
		c.held = held
	}
	return true
}

// chunked tells whether the step that is decided is one of those that are alike but for their context: nothing moves between
// tiers beside them, and nobody learns of blocks that they fill before another step is set up. The prompt had a chunk in the
// step before, too, so that no time lies between them.
func (e *stretches) chunked() bool {
	d, s := &e.decoding, e.decoding.prefilling
	return e.decision.Chunked && s.phase == prefills && d.names+e.unnamed()+len(e.ended) == 0 && !e.shares() &&
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

// commitChunks commits the next n steps, and returns when the last of them ends. The memory is fullest in that.
func (e *stretches) commitChunks(n int) units.Seconds {
	c, s, task := &e.chunks, e.decoding.prefilling, &e.decision.Tasks[0]
	steps, costs := c.steps[c.begun:][:n], c.costs[c.begun:][:n]
	e.setUpChunk()
	e.showChunks(steps)
	e.takeAhead(len(steps), func(i int) (int, units.Seconds) { return steps[i].demand, steps[i].end })
	e.countChunks(steps, costs)
	e.countLengthened(costs)
	c.begun += n
	s.tokens = n * task.Tokens
	e.compute(s)
	s.Blocks = max(s.Blocks, e.pool.blocksFor(s.Computed))
	s.certain = s.Computed
	task.Blocks = max(s.Blocks, e.pool.blocksFor(s.Computed+task.Tokens))
	e.now = steps[n-1].end
	e.prompted = e.now
	e.decoding.advance(n, e.now)
	e.endTotals(e.now)
	return e.now
}

// showChunks shows steps to an observer and on the timeline.
func (e *stretches) showChunks(steps []chunkStep) {
	o, t := e.fleet.config.Observer, e.fleet.config.Timeline
	if o == nil && t == nil {
		return
	}
	start, last, blocks := e.now, steps[len(steps)-1].end, e.memory.used()
	work := e.step.work
	work.Prefill = slices.Clone(work.Prefill)
	for i := range steps {
		end := steps[i].end
		if blocks += steps[i].demand; o != nil {
			event := e.stepsEvent(1, &work, start, end)
			event.Blocks = blocks
			o.Steps(event)
		}
		e.recordBlocks(steps[i].demand, start, last)
		e.recordPrompts(start, end)
		e.recordOutput(start, end, e.decoding.count)
		work.NextChunk()
		start = end
	}
}

// countChunks counts steps of which the first is set up: what they cost, their work, and the gaps between the tokens that they generate.
func (e *stretches) countChunks(steps []chunkStep, costs []hardware.Cost) {
	c, d, n, start := &e.chunks, &e.decoding, len(steps), e.now
	sums := &e.steps.Prompts
	e.steps.Add(&e.step.work, n, 0)
	later := float64(n) * float64(n-1) / 2 // 0 + 1 + … + (n-1)
	sums.DecodeContext += later * float64(d.count)
	sums.PromptContext += later * float64(e.step.work.Prefill[0].Tokens)
	c.gaps = c.gaps[:0]
	last := d.last
	for i := range steps {
		took := steps[i].end - start
		e.count(1, costs[i], took)
		sums.Time += costs[i].Time
		c.gaps = append(c.gaps, took)
		d.gaps.next(last, steps[i].end)
		start = steps[i].end
		last = start
	}
	e.recordGapsOf(c.gaps, d.count, d.inWindow)
	e.totals.GeneratedTokens += int64(n * d.count)
}

// countLengthened counts by how much the chunks lengthen steps of these costs, of which the first is set up.
func (e *stretches) countLengthened(costs []hardware.Cost) {
	if e.fleet.config.Coarse {
		return
	}
	own, other := e.phaseStart(e.decoding.prefilling), &e.fleet.other
	*other = hardware.Work{DecodeRows: e.decoding.count, LogitRows: e.decoding.count, DecodeContext: e.step.work.DecodeContext}
	var line *costLine
	for i := range costs {
		longer := costs[i].Time
		if other.DecodeRows > 0 {
			if line == nil || other.DecodeContext > line.to {
				line = e.lines.of(other, e.pool.Cost)
			}
			longer = max(0, longer-e.timeOn(line, other))
		}
		e.clocks.prompts += longer
		own.clocks.prompts += longer
		other.DecodeContext += int64(other.DecodeRows)
	}
}

// timeOn is how long a step takes that is on a line; nil: on none.
func (m *machine) timeOn(l *costLine, w *hardware.Work) units.Seconds {
	if l == nil {
		return m.pool.Cost.Step(w).Time
	}
	return l.timeAt(w.DecodeContext)
}
