package policies

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
