package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// addGuesses adds what a sequence guesses behind the token that it decodes to the
// step's work.
func (r *replica) addGuesses(s *sequence) {
	if s.draft == 0 {
		return
	}
	r.work.LogitRows += s.nodes
	r.work.DraftRows += s.nodes
	r.work.DraftPasses = max(r.work.DraftPasses, s.draft)
	r.work.DraftContext += int64(s.nodes*(s.Computed+1) + s.nodes*(s.draft+1)/2)
}

// judge decides which of a sequence's guesses are accepted in the step that ends,
// and returns how many tokens the step has generated: those, and one of the
// model's own. Guesses behind the last token that was asked for are lost.
func (r *replica) judge(s *sequence) int {
	if s.draft == 0 {
		return 1
	}
	accepted := r.fleet.config.Accepted(s.request, s.Generated, s.draft)
	totals := &r.fleet.record.Totals
	totals.ProposedTokens += int64(s.nodes)
	totals.AcceptedTokens += int64(accepted)
	totals.Verifications++
	accepted = min(accepted, s.output-s.Generated-1)
	totals.GuessedTokens += int64(accepted)
	s.Computed += accepted
	s.computed = max(s.computed, s.Computed)
	s.draft, s.nodes = 0, 0
	return 1 + accepted
}

// credit counts the arithmetic for the guesses of a step: wanted for those that
// were accepted, wasted for the others.
func (r *replica) credit(cost hardware.Cost, accepted int64) {
	if r.work.DraftRows == 0 {
		return
	}
	wanted := cost.DraftFLOPs * units.FLOPs(float64(accepted)/float64(r.work.DraftRows))
	r.fleet.record.Totals.FLOPs += wanted
	r.fleet.record.Totals.WastedFLOPs += cost.DraftFLOPs - wanted
}
