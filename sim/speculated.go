package sim

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/workloads"
)

// guessedSteps is steps of a batch of sequences that guess, in which nothing else happens. They are
// computed ahead of the time at which they are committed: when they end depends on
// how many guesses are right before.
type guessedSteps struct {
	rows     []guessedRow // as they are after those of which the sums are known
	rule     rowRule
	sums     guessedSums
	held     int             // blocks of the rows before the next step
	steps    []guessedStep   // in order
	begun    int             // of these, those that are committed
	planned  int             // the rest
	fixed    bool            // the only one that is planned has begun
	ends     bool            // the last one ends a sequence
	count    int             // sequences
	inWindow int             // of these, those that count for the steady state
	longest  int             // how many are computed ahead
	took     units.Seconds   // the last one that was computed; 0: none
	gaps     []units.Seconds // scratch: how long those took that are committed
}

// Steps are computed again of which some turn out to be too many, so that it begins with few.
const shortestReach, longestReach = 8, 1024

// guessedStep is one step.
type guessedStep struct {
	end       units.Seconds
	cost      hardware.Cost
	context   int64 // tokens that they attend to
	windowed  int64 // the same in layers with a window
	demand    int   // blocks that they take
	right     int   // guesses that are right
	generated int   // tokens
}

// alike tells whether the step that is decided is like those that follow, as long as nothing
// happens: all sequences have as many guesses, had a token in the step before, and where there are no guesses,
// nothing follows from those of that step.
func (e *speculating) alike() bool {
	d := &e.decision
	if len(d.Tasks)+len(d.Load)+len(e.ended) > 0 || d.Stall || d.Share.Draft > workloads.LongestTrail ||
		e.guessers.count+len(e.rows.sequences) != e.size-len(e.held) {
		return false
	}
	for _, s := range e.rows.sequences {
		if s.last != e.now || s.guest || e.rows.names(s) || d.Share.Draft == 0 && s.accepted+s.Assumed > 0 {
			return false
		}
	}
	return true
}

// listRows lists the sequences that guess as they are.
func (e *speculating) listRows() {
	st, share := &e.stretch, &e.decision.Share
	st.rule = e.rule()
	st.rows, st.count, st.inWindow, st.held = st.rows[:0], len(e.rows.sequences), 0, 0
	for _, s := range e.rows.sequences {
		st.rows = append(st.rows, guessedRow{})
		r := &st.rows[len(st.rows)-1] // filled in where it is: copying it would wait for the stores
		r.sequence, r.trail, r.index, r.left = s, e.trailOf(s), s.Generated, s.output-s.Generated
		r.computed, r.known, r.blocks, r.longest = s.Computed, s.Computed, s.Blocks, math.MaxInt
		if share.Limited {
			r.known, r.longest = s.Computed+s.Assumed, e.view.Longest(&s.Sequence)
		}
		if s.inWindow {
			st.inWindow++
		}
		st.held += s.Blocks
	}
}

// rule is that of the share that is decided.
func (e *speculating) rule() rowRule {
	share := &e.decision.Share
	r := newRowRule(e.pool.BlockSize)
	r.draft, r.nodes, r.slots, r.limited, r.window, r.mask = share.Draft, share.Nodes, share.Slots, share.Limited, e.window, -1
	if e.async && share.Limited {
		r.assumed, r.mask = share.Nodes, 0
	}
	return r
}

// sumRows sums up the next steps of all rows, at most n.
func (e *speculating) sumRows(n int) {
	st := &e.stretch
	st.sums.begin(n)
	for i := range st.rows {
		if st.sums.steps == 0 {
			return
		}
		r := &st.rows[i]
		right := e.rightOf(r.trail, r.sequence, r.index, st.sums.steps)
		st.sums.add(r, right, workloads.TokensOf(right), &st.rule)
	}
	st.sums.addLanes()
}

// noneRight is the guesses that are right in steps without any.
var noneRight [stepsOfSums]uint8

// rightOf is how many guesses are right in each of the next steps of a sequence that has generated a number of tokens.
func (e *speculating) rightOf(trail *workloads.Trail, s *sequence, generated, steps int) []uint8 {
	draft := e.stretch.rule.draft
	if draft == 0 {
		return noneRight[:steps]
	}
	return e.pool.Acceptance.Along(trail, s.request, generated, draft, steps)
}

// setUpShares sets up the work of a step of shares.
func (e *speculating) setUpShares(step *guessedStep) {
	w := &e.step.work
	*w = hardware.Work{Prefill: w.Prefill[:0], DecodeContext: step.context, DecodeWindowContext: step.windowed}
	addShares(w, &e.decision.Share, e.stretch.count)
}

// endingBefore is how many of the steps that are not committed end before a time, and not
// after the run.
func (e *speculating) endingBefore(now units.Seconds) int {
	st, n := &e.stretch, 0
	for n < st.planned && st.steps[st.begun+n].end < now && st.steps[st.begun+n].end <= e.fleet.cut {
		n++
	}
	return n
}

// beginNext lets the next step begin, after which nothing else is planned: its blocks are taken.
func (e *speculating) beginNext() {
	st := &e.stretch
	if st.planned = 1; st.fixed {
		return
	}
	st.fixed, st.ends = true, st.ends && st.begun+1 == len(st.steps)
	step := &st.steps[st.begun]
	e.end = step.end
	for _, s := range e.rows.sequences {
		if more, _ := e.rows.demand(s, &e.decision.Share); more > 0 {
			s.Blocks += more
		}
	}
	e.memory.allocate(step.demand)
	e.notePeakMemory()
	step.demand = 0
}

// pass is how many tokens the next n steps of a sequence generate, and how many guesses are right in the last of them and in the one before
// it. The trail goes on behind them.
func (e *speculating) pass(s *sequence, n int) (generated int, right, before uint8) {
	if e.stretch.rule.draft == 0 {
		return n, 0, 0
	}
	trail := e.trailOf(s)
	all := e.rightOf(trail, s, s.Generated, n)
	if n > 1 {
		before = all[n-2]
	}
	return trail.Pass(n), all[n-1], before
}

// update brings a sequence to where it is after the next n steps, the last of which ends at a time, and returns how
// many tokens it does not need of that.
func (e *speculating) update(s *sequence, n int, end units.Seconds) (beyond int) {
	rule := &e.stretch.rule
	known, longest := s.Computed, math.MaxInt
	if rule.limited {
		known, longest = s.Computed+s.Assumed, e.view.Longest(&s.Sequence)
	}
	generated, right, before := e.pass(s, n)
	accepted := int(right)
	if n > 1 {
		known = rule.knownAfter(s.Computed+generated-2-accepted-int(before), before)
	}
	s.Blocks = max(s.Blocks, rule.blocksFor(min(known+rule.slots, longest)))
	beyond = max(0, s.Generated+generated-s.output)
	generated -= beyond
	s.accepted = accepted - beyond
	s.Generated += generated
	s.Computed += generated
	s.computed = max(s.computed, s.Computed)
	s.last = end
	if s.certain = s.Computed - s.accepted; e.async {
		s.certain-- // the token that the model added
		s.Assumed = rule.nodes - s.accepted
	}
	return beyond
}
