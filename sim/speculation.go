package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/workloads"
)

// addGuesses adds what a sequence guesses behind the token that it decodes to the
// step's work: each guess is verified in a row of its own, and the proposer makes as
// many passes as the longest chain has guesses. The context that is read for guesses
// is that of the sequence for each, and the guesses before it in its chain, 0 to
// draft-1 of them and itself: (draft+1)/2 on average.
func (m *machine) addGuesses(s *sequence) {
	if s.draft == 0 {
		return
	}
	m.step.work.LogitRows += s.nodes
	m.step.work.DraftRows += s.nodes
	m.step.work.DraftPasses = max(m.step.work.DraftPasses, s.draft)
	m.step.work.DraftContext += int64(s.nodes*(s.Computed+1) + s.nodes*(s.draft+1)/2)
}

// verify decides how many of a sequence's guesses are accepted in the step that ends,
// and returns how many tokens the step has generated: those, and one of the
// model's own. Guesses behind the last token that was asked for are lost, though they
// count as accepted: the proposer was right.
func (m *machine) verify(s *sequence) int {
	if s.draft == 0 {
		return 1
	}
	accepted := m.accepted(s)
	totals := m.totals
	totals.ProposedTokens += int64(s.nodes)
	totals.AcceptedTokens += int64(accepted)
	totals.Verifications++
	accepted = min(accepted, s.output-s.Generated-1)
	totals.GuessedTokens += int64(accepted)
	s.Computed += accepted
	s.accepted = accepted
	s.computed = max(s.computed, s.Computed)
	if m.async {
		s.Assumed = s.nodes - accepted
	}
	s.draft, s.nodes = 0, 0
	return 1 + accepted
}

// accepted is how many of a sequence's guesses are right.
func (m *machine) accepted(s *sequence) int {
	if m.trails == nil || s.draft > workloads.LongestTrail {
		return m.pool.Acceptance.Accepted(s.request, s.Generated, s.draft)
	}
	return int(m.pool.Acceptance.Along(m.trailOf(s), s.request, s.Generated, s.draft, 1)[0])
}

// trailOf is what is known ahead of the guesses of a sequence.
func (m *machine) trailOf(s *sequence) *workloads.Trail {
	for len(m.trails) <= s.ID {
		m.trails = append(m.trails, workloads.NewTrail())
	}
	return m.trails[s.ID]
}

// forgetAssumed lets the plan after the one that was just made know which guesses were right.
func (m *machine) forgetAssumed() {
	m.assumed = false
	if !m.async || m.pool.Acceptance == nil {
		return
	}
	for _, s := range m.running {
		m.assumed = m.assumed || s.Assumed > 0
		s.Assumed = 0
	}
}

// generate counts n more tokens of the answer.
func (s *sequence) generate(n int) {
	s.Generated += n
	s.Recovers, s.Returned = false, false
}

// countGuessFLOPs counts the arithmetic for the guesses of a step, in proportion to
// their number: as wanted for those that were accepted, as wasted for the others.
func (m *machine) countGuessFLOPs(cost hardware.Cost, accepted int64) {
	if m.step.work.DraftRows == 0 {
		return
	}
	wanted := cost.DraftFLOPs * units.FLOPs(float64(accepted)/float64(m.step.work.DraftRows))
	m.totals.FLOPs += wanted
	m.totals.WastedFLOPs += cost.DraftFLOPs - wanted
}
