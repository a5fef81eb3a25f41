package sim

import "kneepoint/units"

// commitTogether commits the next n steps, and returns when the last of them ends.
// Blocks of sequences that ended a step ago are released at the end of the first step; costs
// are summed by formula. A step's duration is the gap before the token of every sequence
// in it.
func (e *stretches) commitTogether(n int) units.Seconds {
	if len(e.chunks.steps) > 0 {
		return e.commitChunks(n)
	}
	d, first, end := &e.decoding, 0, e.series.endOf(n)
	if n > 1 && len(e.ended) > 0 {
		e.takeBlocksOf(0, 1, e.series.endOf(1))
		e.releaseEnded()
		first = 1
	}
	e.takeBlocksOf(first, n, end)
	e.count(n, e.series.costOf(n), end-e.now)
	e.countDecodes(n, end) // whose observer sees the memory of the last step
	e.releaseEnded()
	slope := e.series.slope.Time
	gap := e.series.first.Time + slope*units.Seconds(e.series.taken)
	if !e.pool.WholeAnswers {
		e.fleet.record.ITL.AddSeries(gap, slope, n, int64(d.count))
		if d.inWindow > 0 {
			e.fleet.record.ITLIn.AddSeries(gap, slope, n, int64(d.inWindow))
		}
		d.gaps.nextSeries(e.now, gap, slope, n)
	}
	e.totals.GeneratedTokens += int64(n * d.count)
	e.recordStretch(n)
	e.series.taken += n
	d.advance(n, end)
	e.endTotals(end)
	return end
}

// countDecodes adds the work of the next n steps of the sequences that decode, the
// last of which ends at a time. Each attends to one token more per sequence than the last, so
// that the context of n steps is n times the first and 0 + 1 + … + (n-1) times the
// number of rows.
func (e *stretches) countDecodes(n int, end units.Seconds) {
	d := &e.decoding
	if e.fleet.config.Observer != nil {
		w := d.work(nil, &e.decision)
		e.observeSteps(n, &w, e.now, end)
	}
	steps, later := float64(n), float64(n)*float64(n-1)/2 // 0 + 1 + … + (n-1)
	rows, s := steps*float64(d.count), &e.steps.Decodes
	s.Steps += steps
	s.Time += end - e.now
	s.DecodeRows += rows
	s.LogitRows += rows
	s.PaddingRows += steps * float64(e.decision.PaddingRows)
	s.DecodeContext += steps*float64(d.context) + later*float64(d.count)
	s.WindowContext += steps*float64(d.windowed) + later*float64(d.insideWindow)
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
		d.gaps.next(d.last, end)
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
	e.join(s)
	return 1
}

// endTotals ends the sequences of the totals whose last token came with the last step.
func (e *stretches) endTotals(now units.Seconds) {
	for e.decoding.haveEnded() {
		s := e.decoding.popEnded()
		e.nameUnnamed(s)
		e.endDecoding(s, now)
	}
}
