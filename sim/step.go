package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// step is the next step of a machine, as it is set up from a decision.
type step struct {
	work      hardware.Work
	prefilled []*sequence   // whose chunks are in work
	other     hardware.Work // that the step is compared with
	moves     moves
	loads     []int         // by tier: blocks that a lookup would have loaded
	prepare   units.Seconds // front-end work that the replica's own thread does before
	steady    int           // sequences of the step that also got a token from the one before
}

func newStep(p *Pool) step {
	return step{moves: newMoves(p), loads: make([]int, len(p.Tiers))}
}

// setUp allocates the blocks of the decision and sets up the step's work. Most of
// the sequences that decode may be counted already: work is their share, steady of
// them got a token from the step before, and they need a number of new blocks.
// Everybody else has a task.
func (m *machine) setUp(work hardware.Work, steady, blocks int) {
	st, d := &m.step, &m.decision
	st.work, st.steady = work, steady
	st.prefilled = st.prefilled[:0]
	m.admitCached(d)
	m.memory.allocate(blocks)
	for _, t := range d.Tasks {
		s := m.sequences.all[t.Sequence.ID]
		m.memory.allocate(t.Blocks - s.Blocks)
		s.Blocks, s.tokens, s.draft, s.nodes = t.Blocks, t.Tokens, t.Draft, t.Nodes
		m.addWork(s, t.Padding)
		if t.Offload {
			m.reserveOffload(s)
		}
		if s.Offloaded {
			m.moveOut(s)
		}
	}
	m.readStreamed()
	m.notePeakMemory()
}

// setUpTasks sets up a step in which every sequence has a task.
func (m *machine) setUpTasks() {
	m.setUp(hardware.Work{Prefill: m.step.work.Prefill[:0], PaddingRows: m.decision.PaddingRows}, 0, 0)
}

// addWork adds a sequence's share of the step to the work.
func (m *machine) addWork(s *sequence, padding int) {
	st := &m.step
	if s.tokens == s.Pending() {
		st.work.LogitRows++
	}
	if s.decodesNow() {
		st.work.DecodeRows++
		st.work.DecodeContext += int64(s.Computed + 1)
		st.work.DecodeWindowContext += int64(min(s.Computed+1, m.window))
		m.addGuesses(s)
		if s.last == m.now {
			st.steady++
		}
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

// end is when the step ends that is set up. While the batch is unchanged and
// decodes, ends are those of a series, anchored where the batch last changed;
// unchanged says for how many steps it will stay so.
func (m *machine) stepEnd(cost hardware.Cost, unchanged func() growth) units.Seconds {
	st := &m.step
	took := st.moves.extend(cost.Time)
	if st.steady != m.size || st.work.DraftRows > 0 || took > cost.Time {
		m.series = series{}
		return m.now + st.prepare + took
	}
	if m.series.left() <= 0 {
		m.series = m.newSeries(cost, unchanged())
	}
	return m.series.end(1)
}

// countStep adds the step that ends now, and what it cost, to the totals.
func (m *machine) countStep(end units.Seconds, cost hardware.Cost) {
	took := end - m.now - m.step.prepare
	m.integrate(end)
	m.count(1, cost, took)
	m.countMoves(cost, took)
	m.observeSteps(1, &m.step.work, m.now, end)
	m.countStepParts(cost)
	m.series.taken++
}

// compute counts the tokens that the step processed for a sequence as computed.
func (m *machine) compute(s *sequence) {
	before := s.Computed
	s.Computed += s.tokens
	s.computed = max(s.computed, s.Computed)
	if before < s.Prompt {
		m.publish(s, min(s.Computed, s.Prompt))
	}
}

// sequenceOf is the sequence that a task is about.
func (m *machine) sequenceOf(t *policies.Task) *sequence { return m.sequences.all[t.Sequence.ID] }
