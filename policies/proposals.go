package policies

import "kneepoint/units"

// Tree is the number of guesses for each position of a proposal behind every guess
// for the position before it; empty: one, a chain.
type Tree []int

// Nodes is the number of guesses in a proposal for a number of positions in a row.
func (t Tree) Nodes(positions int) int {
	if len(t) == 0 {
		return positions
	}
	nodes, width := 0, 1
	for _, branches := range t[:min(positions, len(t))] {
		width *= branches
		nodes += width
	}
	return nodes
}

// Proposals says how many tokens in a row to guess for each sequence of a step.
type Proposals interface {
	// Length is for a step in which a number of sequences decode, which attend to
	// context tokens together.
	Length(sequences int, context int64) int
}

// FixedProposals guesses Tokens tokens, and none when more than
// DisableAboveBatch sequences decode (0: never), since in a large batch the
// accelerator has better things to compute than guesses.
type FixedProposals struct {
	Tokens            int
	DisableAboveBatch int
}

// Length implements Proposals.
func (f *FixedProposals) Length(sequences int, _ int64) int {
	if f.DisableAboveBatch > 0 && sequences > f.DisableAboveBatch {
		return 0
	}
	return f.Tokens
}

// AdaptiveProposals chooses the number of guesses, up to Tokens, with the most
// tokens to be expected a second: Expected(k) tokens a sequence in StepTime(...,
// k). How long a step takes and how many guesses are accepted on average is what such
// a controller measures as it runs.
//
// Source: Liu et al. 2024, "Optimizing Speculative Decoding for Serving Large
// Language Models Using Goodput", arXiv 2406.14066.
type AdaptiveProposals struct {
	Tokens            int
	DisableAboveBatch int
	Expected          func(guesses int) float64
	StepTime          func(sequences int, context int64, guesses int) units.Seconds
}

// Length implements Proposals.
func (a *AdaptiveProposals) Length(sequences int, context int64) int {
	if a.DisableAboveBatch > 0 && sequences > a.DisableAboveBatch {
		return 0
	}
	best, most := 0, 0.0
	for k := range a.Tokens + 1 {
		if rate := a.Expected(k) / float64(a.StepTime(sequences, context, k)); rate > most {
			best, most = k, rate
		}
	}
	return best
}
