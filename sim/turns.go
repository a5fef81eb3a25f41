package sim

import (
	"slices"

	"kneepoint/units"
)

// turns is steps of cohorts in a pipeline that are computed ahead, while nothing happens but
// that they take turns: the first one ends, and begins its next step, before the second one ends.
type turns struct {
	takers   []taker         // the cohorts under way, by launch
	steps    []turn          // by launch: those that were under way, and those that follow, of one cohort after the other
	free     []units.Seconds // by step and stage: when it leaves that
	events   []*StepsEvent   // by step, with an observer: what it is told when the step ends
	under    int             // steps that are under way at a time
	done     int             // of the steps, those that have ended
	longest  int             // how many are computed ahead
	horizon  units.Seconds   // they began before
	reserved int             // blocks that must stay free
	flights  []*flight       // scratch
	gaps     []units.Seconds // likewise: before the tokens of a cohort, by turn
}

// turn is one step.
type turn struct {
	launched, end units.Seconds
	demand        int // blocks that its cohort takes when it begins
}

// taker is a cohort as of the next of its turns that is planned.
type taker struct {
	cohort *cohort
	stages []ramp        // of its journey
	step   units.Seconds // of that, counted from 0: a real number, so that it is not made one for each stage
	left   int           // turns for which the journey holds from the first one on
	offset int           // of its sequences whose last block is full before the turn
}

// next is the blocks that it takes in the turn, which is planned.
func (t *taker) next() (demand int) {
	t.offset = t.cohort.offsetBehind(t.offset)
	return t.cohort.offsets[t.offset]
}

// left is how many turns are planned: that a step ends and another one begins.
func (t *turns) left() int { return len(t.steps) - t.under - t.done }

// over is when what is planned is over: when the next step ends, or something else may happen.
func (t *turns) over() units.Seconds { return min(t.steps[len(t.steps)-t.under].end, t.horizon) }

// takeTurns computes the steps ahead that begin before the horizon, and tells whether there are any.
func (e *cohorts) takeTurns(horizon units.Seconds) bool {
	t := &e.turns
	if !e.settled() {
		return false
	}
	t.horizon = min(horizon, e.transfers.next(), e.nextExpiry())
	t.takers, t.steps, t.free, t.events, t.done, t.under = t.takers[:0], t.steps[:0], t.free[:0], t.events[:0], 0, len(e.flights)
	for _, f := range e.flights {
		c, j := f.cohort, f.cohort.journey
		t.takers = append(t.takers, taker{cohort: c, stages: j.stages, step: units.Seconds(j.taken), left: j.remaining(), offset: c.offsetIn(0)})
		t.steps = append(t.steps, turn{launched: f.launched, end: f.end})
		t.events = append(t.events, f.event)
		t.free = append(t.free, e.free...)
	}
	e.planTurns(e.memory.free - t.reserved)
	if t.left() == t.longest {
		t.longest = min(2*t.longest, longestStretch)
	}
	if t.left() > 0 {
		return true
	}
	t.steps = t.steps[:0]
	return false
}

// settled tells whether the cohorts under way go on as they are until something happens: the
// policy was asked for each of them since anything did.
func (e *cohorts) settled() bool {
	if !e.gathered || e.quiet < len(e.flights) || len(e.flights) == 0 || e.ready.count > 0 ||
		len(e.flights) < len(e.free) && e.backlog() > 0 {
		return false
	}
	e.turns.reserved = 0
	for _, f := range e.flights {
		c := f.cohort
		if len(c.stalls)+c.names > 0 {
			return false
		}
		e.turns.reserved = max(e.turns.reserved, f.spare)
	}
	return true
}

// planTurns computes turns one after the other, as long as the next one begins before the horizon and nothing else happens with it:
// no sequence ends, nor are two cohorts ready at once, and there is memory. It does so for every step, so that what it
// needs of others is looked up once.
func (e *cohorts) planTurns(blocks int) {
	t, stages, most := &e.turns, len(e.free), e.turns.holding()
	t.steps, t.free = slices.Grow(t.steps, most), slices.Grow(t.free, most*stages)
	steps, free, takers, place, n := t.steps[:t.under+most], t.free[(t.under-1)*stages:cap(t.free)], t.takers, 0, 0
	horizon, under := t.horizon, t.under
	for ; n < most; n++ {
		c, launched := &takers[place], steps[n].end
		if place++; place == len(takers) {
			place = 0
		}
		if free[0] > launched { // the built-in max heeds what is no number, and takes longer
			launched = free[0]
		}
		if launched >= horizon || steps[n+1].end <= launched && under > 1 {
			break
		}
		demand := c.next()
		if blocks -= demand; blocks < 0 {
			break
		}
		after, now := free[stages:], launched
		for i, stage := range c.stages {
			if free[i] > now {
				now = free[i]
			}
			now += stage.first + stage.slope*c.step
			after[i] = now
		}
		c.step++
		steps[under+n] = turn{launched: launched, end: now, demand: demand}
		free = after
	}
	t.steps, t.free = steps[:t.under+n], t.free[:(t.under+n)*stages]
}

// holding is for how many turns, at most as many as are computed ahead, the journeys of all cohorts hold.
func (t *turns) holding() int {
	n := t.longest
	for i := range t.takers {
		n = min(n, t.takers[i].left*t.under+i)
	}
	return n
}

// endedTurns is how many of the planned turns are over before a time, and not after the run.
func (e *cohorts) endedTurns(now units.Seconds) int {
	t, n := &e.turns, 0
	for n < t.left() {
		if launched := t.steps[t.done+t.under+n].launched; launched >= now || launched > e.fleet.cut {
			break
		}
		n++
	}
	return n
}

// commitTurns commits the next n turns. Blocks are taken in the order in which steps begin.
func (e *cohorts) commitTurns(n int) {
	t := &e.turns
	if n == 0 {
		return
	}
	begun := t.steps[t.done+t.under:][:n]
	e.integrate(begun[n-1].launched)
	e.showTurns(begun)
	e.takeTurnBlocks(begun)
	for i := range min(n, t.under) {
		e.commitTurnsOf(t.takers[(t.done+i)%t.under].cohort, t.done+i, (n-i+t.under-1)/t.under)
	}
	t.done += n
	e.coverUntil(t.steps[t.done-1].end)
}

// showTurns shows on the timeline what steps take that begin, and observers the steps that end meanwhile.
func (e *cohorts) showTurns(begun []turn) {
	o, t := e.fleet.config.Observer, &e.turns
	if o == nil && e.fleet.config.Timeline == nil {
		return
	}
	blocks, last := e.memory.used(), begun[len(begun)-1].launched
	for k := range begun {
		s := &begun[k]
		e.recordBlocks(s.demand, s.launched, last)
		if blocks += s.demand; o != nil {
			work := t.takers[(t.done+k)%t.under].cohort.workIn(k/t.under + 1)
			event := e.stepsEvent(1, &work, s.launched, s.end)
			event.Blocks = blocks
			t.events = append(t.events, &event) // for when it ends
			o.Steps(*t.events[t.done+k])
		}
	}
}

// takeTurnBlocks takes the blocks of steps that begin, the last of them now, and counts the time until then.
func (e *cohorts) takeTurnBlocks(begun []turn) {
	last, blocks := begun[len(begun)-1].launched, 0
	for k := range begun {
		if s := &begun[k]; s.demand > 0 {
			e.totals.KVBlocks += float64(s.demand) * float64(last-s.launched)
			blocks += s.demand
		}
	}
	e.memory.allocate(blocks)
	e.notePeakMemory()
}

// coverUntil counts the time until a step ends as busy. Another one begins before an earlier one has ended, or then.
func (e *cohorts) coverUntil(end units.Seconds) {
	e.totals.Busy += end - e.covered
	e.covered = end
}

// commitTurnsOf commits the next n turns of a cohort, the first of whose steps has an index: what these cost,
// which end with them, and the work of those that begin.
func (e *cohorts) commitTurnsOf(c *cohort, first, n int) {
	t, j := &e.turns, c.journey
	t.gaps = slices.Grow(t.gaps[:0], n)[:n]
	bounded, timeline, last, steps := len(c.gaps.late) > 0, e.fleet.config.Timeline != nil, c.last, t.steps[first:]
	for k := range t.gaps {
		s := &steps[k*t.under]
		t.gaps[k] = s.end - last
		if bounded {
			c.gaps.next(last, s.end)
		}
		if timeline {
			e.recordOutput(s.launched, s.end, c.count)
		}
		last = s.end
	}
	c.last = last
	e.totals.GeneratedTokens += int64(n * c.count)
	e.recordGapsOf(t.gaps, c.count, c.inWindow)
	ended := j.series
	ended.taken--
	e.count(n, ended.costOf(n), 0)
	later := float64(n) * float64(n-1) / 2 // 0 + 1 + … + (n-1)
	work := c.workIn(1)
	e.steps.Add(&work, n, j.timeOf(n))
	e.steps.Decodes.DecodeContext += later * float64(c.count)
	e.steps.Decodes.WindowContext += later * float64(c.insideWindow)
	j.taken += n
	c.advance(n, c.last)
}

// stopTurns has the steps that are under way after those that are committed go on by themselves.
func (e *cohorts) stopTurns() {
	t := &e.turns
	t.flights = append(append(t.flights[:0], e.flights[t.done%t.under:]...), e.flights[:t.done%t.under]...)
	copy(e.flights, t.flights)
	for i, f := range e.flights {
		if s := &t.steps[t.done+i]; t.done+i >= t.under {
			f.launched, f.start, f.end = s.launched, s.launched, s.end
			f.cost = f.cohort.journey.costBefore()
			if e.fleet.config.Observer != nil {
				f.event = t.events[t.done+i]
			}
		}
	}
	copy(e.free, t.free[(t.under+t.done-1)*len(e.free):])
	t.steps = t.steps[:0]
}
