package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// step is the next step of a machine, as it is set up from a decision.
type step struct {
	work      hardware.Work
	prefilled []*sequence   // by index of work.Prefill: whose chunk it is
	moves     moves         // between the tiers
	loads     []int         // scratch, by tier: blocks that a lookup would have loaded
	prepare   units.Seconds // front-end work that the replica's own thread does before
	steady    int           // sequences that decode and got a token from the step before, too
}

func newStep(p *Pool) step {
	return step{moves: newMoves(p), loads: make([]int, len(p.Tiers))}
}

// setUpStep hands out the blocks of the tasks, in their order, and sets up the step's
// work. An engine that keeps sequences as totals gives their share of the work, and
// how many of them got a token from the step before; they have their blocks already.
// Every other sequence has a task.
func (m *machine) setUpStep(work hardware.Work, steady int) {
	st, d := &m.step, &m.decision
	st.work, st.steady = work, steady
	st.prefilled = st.prefilled[:0]
	for i := range d.Tasks {
		t := &d.Tasks[i]
		s := m.sequenceOf(t)
		m.unblock(s)
		if t.Offload {
			m.reserveOffload(s)
		}
		m.takeBlocks(s, t)
		s.tokens, s.draft, s.nodes, s.accepted = t.Tokens, t.Draft, t.Nodes, 0
		m.addWork(s, t.Padding)
		if s.Offloaded {
			m.moveOut(s, t.Offload)
		}
	}
	if len(st.work.Prefill) > 0 {
		st.work.Rested = m.now + st.prepare - m.prompted
	}
	m.beginLoads()
	m.readStreamed()
	m.scheduleMoves()
	m.notePeakMemory()
}

// setUpTaskStep sets up a step in which every sequence has a task.
func (m *machine) setUpTaskStep() {
	d := &m.decision
	m.setUpStep(hardware.Work{Prefill: m.step.work.Prefill[:0], PaddingRows: d.PaddingRows, PaddingContext: d.PaddingContext}, 0)
}

// addWork adds a sequence's share of the step to the work. Only a chunk that ends the
// prompt needs logits: a token follows it.
func (m *machine) addWork(s *sequence, padding int) {
	st := &m.step
	if s.tokens == s.Pending() {
		st.work.LogitRows++
	}
	if s.Decodes() {
		st.work.DecodeRows++
		st.work.DecodeContext += int64(s.Computed + 1)
		st.work.DecodeWindowContext += int64(min(s.Computed+1, m.window))
		m.addGuesses(s)
		if s.last == m.now && !s.Ended && !s.guest {
			st.steady++
		}
		s.guest = false
		return
	}
	recomputed := min(max(s.computed-s.Computed, 0), s.tokens)
	m.totals.RecomputedTokens += int64(recomputed)
	st.prefilled = append(st.prefilled, s)
	st.work.Prefill = append(st.work.Prefill, hardware.Chunk{
		Context:    s.Computed,
		Tokens:     s.tokens + padding,
		Recomputed: recomputed,
		Padding:    padding,
	})
}

// stepEnd is when the step ends that is set up. While the batch is unchanged and
// decodes, ends are those of a series, anchored where the batch last changed, so that
// engines that commit one step or many at once agree to the last bit; unchanged says
// for how many steps it will stay so. Every sequence must have a token from the step
// before: a step with a prompt, guesses or moves costs something else than the next.
func (m *machine) stepEnd(cost hardware.Cost, unchanged func() contextGrowth) units.Seconds {
	st := &m.step
	took := st.moves.stepTime(cost.Time)
	if st.steady != m.size-len(m.held) || st.steady != st.work.DecodeRows || st.work.DraftRows > 0 || took+st.prepare > cost.Time {
		m.series.end()
		return m.now + st.prepare + took
	}
	if m.series.remaining() <= 0 {
		m.fitSeries(&m.series, unchanged())
	}
	return m.series.endOf(1)
}

// countStep adds the step that ends now, and what it cost, to the totals. The
// front-end work before it is no time in steps.
func (m *machine) countStep(end units.Seconds, cost hardware.Cost) {
	took := end - m.now - m.step.prepare
	m.integrate(end)
	m.sendCopies(end)
	m.offerFilled(end)
	m.count(1, cost, took)
	m.countMoves(cost, took)
	m.observeSteps(1, &m.step.work, m.now, end)
	m.recordPrompts(m.now, end)
	m.notePrompted(end)
	m.countStepParts(cost)
	m.series.taken++
}

// notePrompted notes when the step that is set up ends, if it has prompts.
func (m *machine) notePrompted(end units.Seconds) {
	if len(m.step.work.Prefill) > 0 {
		m.prompted = end
	}
}

// compute counts the tokens that the step processed for a sequence as computed.
func (m *machine) compute(s *sequence) {
	m.notePrompt(s, s.tokens)
	s.Computed += s.tokens
	s.computed = max(s.computed, s.Computed)
}

// notePrompt notes that a number of tokens more are in memory of a sequence, or fewer.
func (m *machine) notePrompt(s *sequence, tokens int) {
	if s.Generated == 0 {
		m.pending -= tokens
	}
}

// sampleOne has a sequence generate its token of a step that ends now.
func (m *machine) sampleOne(s *sequence, now units.Seconds) {
	m.freeBehindWindow(s)
	s.generate(1)
	if s.Generated == 1 {
		m.noteFirstToken(s)
	} else {
		m.recordGap(s, now)
	}
	s.last = now
}

// freeBehindWindow frees the blocks of a sequence that its next token does not attend to
// in any layer, once its prompt is computed.
func (m *machine) freeBehindWindow(s *sequence) {
	if m.pool.Windows.Groups == 0 {
		return
	}
	kept := m.pool.blocksFor(s.Computed)
	m.memory.releaseBlank(s.Blocks - kept)
	s.Blocks = kept
}

// sequenceOf is the sequence that a task is about.
func (m *machine) sequenceOf(t *policies.Task) *sequence { return m.sequences.all[t.Sequence.ID] }
