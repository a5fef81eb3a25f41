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
	rows     []guessedRow  // as they are after the last of them
	earlier  []guessedRow  // scratch: as they are after some of them
	steps    []guessedStep // in order
	begun    int           // of these, those that are committed
	planned  int           // the rest
	ends     bool          // the last one ends a sequence
	inWindow int           // sequences that count for the steady state
	longest  int           // how many are computed ahead
	last     hardware.Work // that costOfShares was asked for last, without prompts
	cost     hardware.Cost // of that
	pool     *Pool         // whose cost that is
}

// Steps are computed again of which some turn out to be too many, so that it begins with few.
const shortestReach, longestReach = 8, 1024

// guessedRow is what changes of a sequence from step to step.
type guessedRow struct {
	request   int
	answer    *workloads.Answer
	output    int // tokens that it will generate
	generated int
	computed  int // tokens in memory
	assumed   int // that the next plan counts besides
	accepted  int // of the last step's guesses
	held      int // tokens that its blocks hold
	slots     int // tokens that they hold from the next step on
	longest   int // that they may hold at most
}

// guessedStep is one step.
type guessedStep struct {
	end    units.Seconds
	cost   hardware.Cost
	needs  rowSums
	tokens guessedTokens
}

// rowSums are what sequences need for their shares of a step.
type rowSums struct {
	context  int64 // tokens that they attend to
	windowed int64 // the same in layers with a window
	demand   int   // blocks that they take
	short    bool  // one is too near to the longest sequence for its share
}

// guessedTokens are those of a step.
type guessedTokens struct {
	generated int
	accepted  int  // guesses that are right
	ends      bool // a sequence has its last token
}

// lookAhead computes the next steps ahead, those that end before the horizon. They are none where the step that is decided is not like those that follow.
func (e *speculating) lookAhead(horizon units.Seconds) {
	st := &e.stretch
	if !e.alike() {
		return
	}
	st.steps, st.begun, st.ends = st.steps[:0], 0, false
	st.rows = e.appendRows(st.rows[:0])
	e.series.end()
	d := &e.decision
	free, end := e.memory.free-d.Spare, e.now
	sums := e.sum(st.rows)
	for !st.ends && len(st.steps) < st.longest {
		if free -= sums.demand; free < 0 || sums.short || d.Proposals.Length(len(st.rows), sums.context) != d.Share.Draft {
			break
		}
		e.setUpShares(&sums)
		step := guessedStep{needs: sums, cost: e.costOfShares()}
		if end += step.cost.Time; end >= horizon {
			break
		}
		step.end = end
		step.tokens, sums = e.advance(st.rows)
		st.ends = step.tokens.ends
		st.steps = append(st.steps, step)
	}
	if st.planned = len(st.steps); st.planned > 0 {
		e.end = st.steps[st.planned-1].end
	}
	if st.planned == st.longest {
		st.longest = min(2*st.longest, longestReach)
	}
}

// alike tells whether the step that is decided is like those that follow, as long as nothing
// happens: all sequences guess, and had a token in the step before.
func (e *speculating) alike() bool {
	d := &e.decision
	if len(d.Tasks)+len(d.Load)+len(e.ended) > 0 || d.Stall || d.Share.Draft == 0 || len(e.rows.sequences) != e.size-len(e.held) {
		return false
	}
	for _, s := range e.rows.sequences {
		if s.last != e.now || s.guest || e.rows.names(s) {
			return false
		}
	}
	return true
}

// appendRows appends the sequences that guess as they are.
func (e *speculating) appendRows(rows []guessedRow) []guessedRow {
	limited := e.decision.Share.Limited
	e.stretch.inWindow = 0
	for _, s := range e.rows.sequences {
		r := guessedRow{request: s.request, answer: e.answerOf(s), output: s.output, generated: s.Generated, computed: s.Computed,
			held: s.Blocks * e.pool.BlockSize, longest: math.MaxInt}
		if limited {
			r.assumed, r.longest = s.Assumed, e.view.Longest(&s.Sequence)
		}
		if s.inWindow {
			e.stretch.inWindow++
		}
		rows = append(rows, r)
	}
	return rows
}

// setUpShares sets up the work of a step of shares.
func (e *speculating) setUpShares(sums *rowSums) {
	w := &e.step.work
	*w = hardware.Work{Prefill: w.Prefill[:0], DecodeContext: sums.context, DecodeWindowContext: sums.windowed}
	addShares(w, &e.decision.Share, len(e.stretch.rows))
}

// costOfShares is the cost of the step that is set up. One that was computed ahead and ends too late
// is asked for again when it begins.
func (e *speculating) costOfShares() hardware.Cost {
	st, w := &e.stretch, &e.step.work
	if len(w.Prefill) > 0 {
		return e.pool.Cost.Step(w)
	}
	if o := &st.last; st.pool != e.pool || o.DecodeContext != w.DecodeContext || o.DecodeWindowContext != w.DecodeWindowContext ||
		o.DecodeRows != w.DecodeRows || o.DraftRows != w.DraftRows || o.DraftPasses != w.DraftPasses {
		st.last, st.cost, st.pool = *w, e.pool.Cost.Step(w), e.pool
	}
	return st.cost
}

// sum is what rows need for their next step.
func (e *speculating) sum(rows []guessedRow) (sums rowSums) {
	rule := e.rule()
	for i := range rows {
		sums.blocks(&rows[i], &rule)
		sums.tokens(&rows[i], &rule)
	}
	return sums
}

// rowRule is what needs of rows follow from.
type rowRule struct {
	nodes  int // guesses
	slots  int // see policies.Share
	size   int // of a block
	window int // that layers with sliding-window attention attend to
}

func (e *speculating) rule() rowRule {
	share := &e.decision.Share
	return rowRule{nodes: share.Nodes, slots: share.Slots, size: e.pool.BlockSize, window: e.window}
}

// blocks adds the blocks that a row needs for its next step.
func (s *rowSums) blocks(r *guessedRow, rule *rowRule) {
	known := r.computed + r.assumed
	r.slots = min(known+rule.slots, r.longest)
	for held := r.held; held < r.slots; held += rule.size {
		s.demand++
	}
	if known+rule.nodes+2 > r.longest {
		s.short = true
	}
}

// tokens adds the tokens that it attends to.
func (s *rowSums) tokens(r *guessedRow, rule *rowRule) {
	s.context += int64(r.computed + 1)
	s.windowed += int64(min(r.computed+1, rule.window))
}

// advance lets rows process their shares of a step, and returns what they need for the next one.
func (e *speculating) advance(rows []guessedRow) (tokens guessedTokens, next rowSums) {
	rule, draft, assuming := e.rule(), e.decision.Share.Draft, e.async && e.decision.Share.Limited
	for i := range rows {
		r := &rows[i]
		for r.held < r.slots {
			r.held += rule.size
		}
		right, kept := r.answer.Accepted(r.generated, draft)
		if !kept {
			right = e.pool.Acceptance.AcceptedOf(r.answer, r.request, r.generated, draft)
		}
		tokens.accepted += right
		if left := r.output - r.generated - 1; right >= left {
			right, tokens.ends = left, true
		}
		if r.accepted = right; assuming {
			r.assumed = rule.nodes - right
		}
		tokens.generated += right + 1
		r.generated += right + 1
		r.computed += right + 1
		next.blocks(r, &rule)
		next.tokens(r, &rule)
	}
	return tokens, next
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

// commitSteps commits the next n steps, and returns when the last of them ends.
func (e *speculating) commitSteps(n int) units.Seconds {
	st := &e.stretch
	end := e.now
	for i := range n {
		step := &st.steps[st.begun+i]
		e.commitStep(step, end)
		end = step.end
	}
	e.integrate(end)
	rows := st.rows
	if n < st.planned {
		st.earlier = e.appendRows(st.earlier[:0])
		rows = st.earlier
		e.sum(rows)
		for range n {
			e.advance(rows)
		}
	}
	for i, s := range e.rows.sequences {
		e.update(s, &rows[i], end)
	}
	st.begun += n
	st.planned -= n
	return end
}

// commitStep counts what a step costs and generates, that starts at a time.
func (e *speculating) commitStep(step *guessedStep, start units.Seconds) {
	m, rows := e.machine, len(e.stretch.rows)
	m.integrate(start)
	if demand := step.needs.demand; demand > 0 {
		m.memory.allocate(demand)
		m.notePeakMemory()
	}
	e.setUpShares(&step.needs)
	took, w := step.end-start, &m.step.work
	m.count(1, step.cost, took)
	m.observeSteps(1, w, start, step.end)
	m.steps.Add(w, 1, step.cost.Time)
	m.clocks.draft += step.cost.Draft
	totals := m.totals
	totals.ProposedTokens += int64(w.DraftRows)
	totals.AcceptedTokens += int64(step.tokens.accepted)
	totals.Verifications += int64(rows)
	totals.GuessedTokens += int64(step.tokens.generated - rows)
	m.countGuessFLOPs(step.cost, int64(step.tokens.accepted))
	m.recordGaps(took, rows, e.stretch.inWindow)
	m.countOutput(start, step.end, step.tokens.generated)
}

// update brings a sequence to what its row says after a step that ended at a time.
func (e *speculating) update(s *sequence, r *guessedRow, end units.Seconds) {
	s.Generated, s.Computed, s.accepted = r.generated, r.computed, r.accepted
	s.computed = max(s.computed, s.Computed)
	s.Blocks = r.held / e.pool.BlockSize
	s.last = end
	if s.certain = s.Computed - r.accepted; e.async {
		s.certain-- // the token that the model added
		s.Assumed = e.decision.Share.Nodes - r.accepted
	}
}
