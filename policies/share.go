package policies

// Share is what each of the sequences that decode has of a step in which they appear as
// totals: its token, and the guesses behind it.
type Share struct {
	Draft int // tokens in a row to guess
	Nodes int // guesses in all
	Slots int // tokens to hold blocks for behind those in memory: its own, the guesses, and what is written ahead

	// Limited says that Slots go up to the longest sequence (see View.Longest), and come behind
	// Assumed. One that comes so near to its end that it has another share is no part of totals.
	Limited bool
}

// Rows are the sequences of an Aggregate that decode, where they may guess.
type Rows interface {
	// Demand is the number of blocks that they need for a share each. It is false where
	// one of them is too near to the longest sequence for it.
	Demand(share Share) (blocks int, ok bool)
}

// SlotsOf is the number of tokens that a sequence holds blocks for which may get as long as
// longest. It is false where it is too near to that.
func (p *Share) SlotsOf(s *Sequence, longest int) (tokens int, ok bool) {
	if !p.Limited {
		return s.Computed + p.Slots, true
	}
	known := s.Computed + s.Assumed
	return min(known+p.Slots, longest), known+p.Nodes+2 <= longest
}
