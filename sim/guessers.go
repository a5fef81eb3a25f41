package sim

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// guessers is sequences that decode and have the same number of guesses in every step, as totals. Which guesses are right is
// known when a sequence joins, and with it what the sequence has of each of its steps: that is added to what all have of
// these, by the number of the step. So a step costs the same however many sequences guess in it, and a sequence a few
// nanoseconds for each of its steps. While a sequence is counted here, its own counts are those of the step with
// which it joined.
//
// What is known ahead holds as long as the sequences take part in every step with the same share of it; where they
// do not, the totals are dissolved.
type guessers struct {
	gathered   bool
	share      policies.Share // of each
	prefilling *sequence      // the one sequence of the batch that does not decode; nil: none
	steps      int64          // so far in which these sequences took part
	last       units.Seconds  // when the last of them ended
	count      int            // sequences
	paged      int            // of these, the ones that take blocks as their tokens come
	inWindow   int            // sequences that count for the steady state
	context    int64          // tokens that they attend to in the next step, their own included
	ends       stepHeap
	gaps       gaps // between the tokens of all sequences that have one in every step
	ahead      stepTotals
	path       rowPath     // scratch
	ended      []*sequence // with the last step; scratch

	since    int64 // steps when they were gathered
	patience int   // how many plans they were not gathered again for when they were last dissolved
	wait     int   // of these, those to come
}

// Gathering sequences costs as much as some steps without totals. Where these soon have to be dissolved, as often as memory is short,
// it is put off twice as long each time.
const (
	worthwhile  = 64 // steps
	mostPatient = 1024
)

// dissolve notes that the totals do not hold any more.
func (g *guessers) dissolve() {
	switch {
	case g.steps-g.since >= worthwhile:
		g.patience = 1
	case g.count > 0:
		g.patience = min(2*g.patience+1, mostPatient)
	}
	g.wait = g.patience
	g.clear()
}

// demand is the blocks that they need for the next step.
func (g *guessers) demand() int {
	if g.count == 0 {
		return 0
	}
	_, blocks := g.ahead.of(g.steps)
	return blocks
}

// left is for how many steps nobody ends, the one with an end included.
func (g *guessers) left() int { return int(g.ends[0].step - g.steps) }

// add adds a sequence that guesses from the next step on, of which so many guesses are right in each of its steps.
func (g *guessers) add(s *sequence, right []uint8, rule *rowRule) {
	g.enter(s, len(right))
	more := rule.slots + rule.size - 1 // what a step needs, up to a whole block
	row := rowAhead{known: s.Computed + s.Assumed + more, next: rule.knownAfter(s.Computed, 0) + more, held: s.Blocks}
	if row.fitsEights(rule) {
		g.ahead.addEights(g.steps, row, right, rule, &g.path)
	} else {
		g.ahead.addRow(g.steps, row, right, rule)
	}
}

// addPlain adds a sequence that has one token in each of a number of steps: nobody guesses.
func (g *guessers) addPlain(s *sequence, steps int, rule *rowRule) {
	g.enter(s, steps)
	needed, room := s.Computed+rule.slots, s.Blocks*rule.size
	for i := max(0, room-needed+1); i < steps; i = room - needed + 1 {
		more := rule.blocksFor(needed + i - room)
		g.ahead.add(g.steps+int64(i), 0, more)
		room += more * rule.size
	}
}

// enter counts a sequence that joins and ends with one of the next steps.
func (g *guessers) enter(s *sequence, steps int) {
	s.joined = g.steps
	g.gaps.hold(s)
	g.count++
	g.context += int64(s.Computed + 1)
	if s.Reserved == 0 {
		g.paged++
	}
	if s.inWindow {
		g.inWindow++
	}
	g.ends.push(stepEntry{step: g.steps + int64(steps), sequence: s})
	g.ahead.reserve(g.steps, steps)
}

// pass counts the next n steps, the last of which ends at a time. None of the sequences ends before that.
func (g *guessers) pass(n int, end units.Seconds) {
	if g.last = end; g.count == 0 {
		return
	}
	for range n {
		right, _ := g.ahead.of(g.steps)
		g.context += int64(g.count + right)
		g.ahead.forget(g.steps)
		g.steps++
	}
}

// clear forgets the sequences; their own counts must be up to date.
func (g *guessers) clear() {
	last := g.steps
	for _, entry := range g.ends {
		last = max(last, entry.step)
	}
	for step := g.steps; step < last; step++ {
		g.ahead.forget(step)
	}
	g.gathered, g.prefilling, g.ends = false, nil, g.ends[:0]
	g.count, g.paged, g.inWindow, g.context = 0, 0, 0, 0
}
