package policies

import "testing"

// TestGuessesAreTokensOfTheStep: guesses take what is left of the budget, and blocks
// from others, as tokens do.
func TestGuessesAreTokensOfTheStep(t *testing.T) {
	urgent := func(s *Sequence, rank float64) *Sequence {
		s.Rank = rank
		return s
	}
	recovering := &Sequence{ID: 0, Prompt: 9, Generated: 1, Computed: 9, Blocks: 3, Recovers: true}
	returned := &Sequence{ID: 1, Prompt: 8, Generated: 1, Computed: 8, Blocks: 3, Returned: true}
	for _, c := range []struct {
		name              string
		budget, blocks    int
		length, lookahead int
		tree              Tree
		running, waiting  []*Sequence
		want              string
	}{
		{
			name: "cut to what is left of the budget", budget: 6, blocks: 20, length: 3,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 9, 1)}, waiting: []*Sequence{fresh(2, 5)},
			want: "0:1~3/4 1:1~1/3",
		},
		{
			name: "a tree by whole levels", budget: 8, blocks: 20, length: 3, tree: Tree{2, 2, 1},
			running: []*Sequence{decoding(0, 9, 1)}, waiting: []*Sequence{fresh(1, 5)},
			want: "0:1~6/4 1:1/1 admit 1",
		},
		{
			name: "preempt the youngest", budget: 100, blocks: 6, length: 3,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 9, 1)},
			want:    "0:1~3/4 preempt 1",
		},
		{
			name: "blocks for what the proposer writes ahead, of prompts too", budget: 100, blocks: 20, length: 3, lookahead: 3,
			running: []*Sequence{decoding(0, 10, 1)}, waiting: []*Sequence{fresh(1, 4)},
			want: "0:1~3/5 1:4/2 admit 1",
		},
		{
			name: "which others are preempted for", budget: 100, blocks: 6, length: 1, lookahead: 3,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 9, 1)},
			want:    "0:1~1/4 preempt 1",
		},
		{
			name: "no further than the longest sequence", budget: 100, blocks: 3, length: 3, lookahead: 3,
			running: []*Sequence{decoding(0, 9, 1)},
			want:    "0:1~1/3",
		},
		{
			name: "none before the next token after a preemption", budget: 100, blocks: 20, length: 3,
			running: []*Sequence{recovering},
			want:    "0:1/3",
		},
		{
			name: "none and no block for what is written ahead when it comes back", budget: 100, blocks: 6, length: 3, lookahead: 7,
			running: []*Sequence{returned, reserving(decoding(2, 8, 1), 12)},
			want:    "1:1/3 2:1~2/3",
		},
		{
			name: "those of a victim go back to the budget", budget: 5, blocks: 6, length: 1,
			running: []*Sequence{urgent(decoding(0, 6, 1), 3), decoding(1, 7, 1), decoding(2, 2, 1), decoding(3, 1, 1)},
			want:    "1:1~1/3 2:1~1/1 3:1/1 preempt 0",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := view(c.blocks, c.running, c.waiting)
			v.LeastUrgentFirst = c.running[0].Rank > 0
			policy := &Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: c.budget,
				Guesses: &Guesses{Proposals: &FixedProposals{Tokens: c.length}, Tree: c.tree, Lookahead: c.lookahead}}
			if got := plan(policy, v); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestGuessesBesidePolicies: the sequences of a batch guess, and not those that join, though one
// whose keys and values came from elsewhere has a single token to process.
func TestGuessesBesidePolicies(t *testing.T) {
	for name, c := range map[string]struct {
		inner Batching
		want  string
	}{
		"prompts first":    {&PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, "1:1/3 admit 1"},
		"chunked prefills": {&Sarathi{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, "0:1~3/4 1:1/3 admit 1"},
	} {
		arrived := decoding(1, 9, 1)
		v := view(20, []*Sequence{decoding(0, 9, 1)}, []*Sequence{arrived})
		v.FreeBlocks -= arrived.Blocks
		if got := plan(&Speculative{Batching: c.inner, Proposals: &FixedProposals{Tokens: 3}}, v); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
