package sim

import "kneepoint/units"

// commitTogether commits the next n steps, and returns when the last of them ends.
// Blocks are allocated at the ends of the steps that need them, since their time
// integral counts from there, and released at the end of the first step; costs are
// summed by formula. A step's duration is the gap before the token of every sequence
// in it.
func (e *stretches) commitTogether(n int) units.Seconds {
	if len(e.chunks.steps) > 0 {
		return e.commitChunks(n)
	}
	d := &e.decoding
	offset := d.offsetIn(0)
	for k := range n {
		if k == 1 && len(e.ended) > 0 {
			e.releaseAt(e.series.endOf(1))
		}
		if demand := d.offsets[offset]; demand > 0 {
			e.integrate(e.series.endOf(k))
			e.memory.setTime(e.series.endOf(k))
			e.memory.allocate(demand)
		}
		if d.names > 0 { // a call for each step costs as much as the rest of it
			e.publishFilled(d, k)
		}
		if e.memory.copies != nil {
			e.sendCopies(e.series.endOf(k + 1))
		}
		offset = d.offsetBehind(offset)
	}
	end := e.series.endOf(n)
	e.count(n, e.series.costOf(n), end-e.now)
	e.countDecodes(n, end-e.now) // whose observer sees the memory of the last step
	e.releaseAt(end)
	slope := e.series.slope.Time
	first := e.series.first.Time + slope*units.Seconds(e.series.taken)
	if !e.pool.WholeAnswers {
		e.fleet.record.ITL.AddSeries(first, slope, n, int64(d.count))
		e.fleet.record.ITLIn.AddSeries(first, slope, n, int64(d.inWindow))
	}
	e.totals.GeneratedTokens += int64(n * d.count)
	e.recordStretch(n)
	e.series.taken += n
	d.advance(n, end)
	e.endTotals(end)
	return end
}

// releaseAt lets sequences leave that ended a step ago, at the end of the first of
// several steps. The memory was fullest before.
func (e *stretches) releaseAt(now units.Seconds) {
	e.integrate(now)
	e.notePeakMemory()
	e.releaseEnded()
}

// countDecodes adds the work of the next n steps of the sequences that decode, which
// last took together. Each attends to one token more per sequence than the last, so
// that the context of n steps is n times the first and 0 + 1 + … + (n-1) times the
// number of rows.
func (e *stretches) countDecodes(n int, took units.Seconds) {
	d := &e.decoding
	w := d.work(nil, &e.decision)
	e.observeSteps(n, &w, e.now, e.now+took)
	e.steps.Add(&w, n, took)
	later := float64(n) * float64(n-1) / 2 // 0 + 1 + … + (n-1)
	e.steps.Decodes.DecodeContext += later * float64(d.count)
	e.steps.Decodes.WindowContext += later * float64(d.insideWindow)
}

// commitAlone ends a step that was set up from totals. Sequences that decode end
// before those with a task of their own are looked at: these may join the totals, and
// do so for the next step.
func (e *stretches) commitAlone() {
	end := e.end
	e.end = forever
	e.countStep(end, e.cost)
	e.releaseEnded()
	d, generated := &e.decoding, 0
	if e.decision.Stall {
		d.stall(e.now)
	} else {
		generated = d.count
		for _, g := range d.byLastToken(e.now) {
			e.recordGaps(end-g.last, g.count, g.inWindow)
		}
		d.advance(1, end)
	}
	tasks := e.decision.Tasks
	for i := range tasks {
		e.compute(e.sequenceOf(&tasks[i]))
	}
	e.endTotals(end)
	for i := range tasks {
		generated += e.commitTask(e.sequenceOf(&tasks[i]), end)
	}
	e.countOutput(e.now, end, generated)
}

// commitTask ends the step for a sequence that had a task of its own, whose tokens
// are computed, and returns how many it has generated. One that has a token now decodes
// from the next step on, as part of the totals.
func (e *stretches) commitTask(s *sequence, end units.Seconds) (generated int) {
	d := &e.decoding
	if s.phase == recovers {
		e.endRecovery(s)
	}
	if s.Pending() > 0 {
		d.prefilling = s
		return 0
	}
	if s == d.prefilling {
		d.prefilling = nil
	}
	e.sampleOne(s, end)
	if s.Generated == s.output {
		e.endDecoding(s, end)
		return 1
	}
	d.join(s)
	return 1
}

// endTotals ends the sequences of the totals whose last token came with the last step.
func (e *stretches) endTotals(now units.Seconds) {
	for s := e.decoding.popEnded(); s != nil; s = e.decoding.popEnded() {
		e.endDecoding(s, now)
	}
}
