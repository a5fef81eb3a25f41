package policies

import "kneepoint/units"

// Speculative lets a proposer guess what decoding sequences go on with: each of
// them processes its pending token and the guesses behind it in one step, and
// keeps those that the model would have generated itself.
//
// The guesses come on top of what Batching decides. They preempt
// nobody: a sequence that has no block for them, and for which none is free,
// guesses as many as its last block holds.
//
// How many of them are right differs from sequence to sequence, so that totals do
// not tell how far the batch comes.
type Speculative struct {
	SequenceBySequence
	Batching  Batching
	Proposals Proposals
	Tree      Tree
}

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

// Plan implements Batching.
func (p *Speculative) Plan(v *View, d *Decision) {
	p.Batching.Plan(v, d)
	decoding, context := 0, int64(0)
	free := v.FreeBlocks + v.Freed(d.Preempt)
	for i := range d.Tasks {
		t := &d.Tasks[i]
		free -= t.Blocks - t.Sequence.Blocks
		if t.Cached > 0 {
			free += v.Hit(t.Sequence).Held
		}
		if t.Sequence.Decodes() {
			decoding++
			context += int64(t.Sequence.Computed + 1)
		}
	}
	length := 0
	if decoding > 0 {
		length = p.Proposals.Length(decoding, context)
	}
	if length == 0 {
		return
	}
	for i := range d.Tasks {
		if t := &d.Tasks[i]; t.Sequence.Decodes() {
			p.addGuesses(v, t, length, &free)
		}
	}
}

// addGuesses adds guesses for length positions to the task, or for as many as there
// are free blocks.
func (p *Speculative) addGuesses(v *View, t *Task, length int, free *int) {
	known := t.Sequence.Computed + 1
	for known+p.Tree.Nodes(length) > (t.Blocks+*free)*v.BlockSize {
		length--
	}
	t.Draft, t.Nodes = length, p.Tree.Nodes(length)
	more := max(0, v.BlocksFor(known+t.Nodes)-t.Blocks)
	*free -= more
	t.Blocks += more
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
