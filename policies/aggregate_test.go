package policies

import (
	"testing"

	"kneepoint/units"
)

// TestTotalsAreNotEnough: where the budget or the memory does not cover all that decode, or
// an iteration has no room for them, totals do not tell who goes on.
func TestTotalsAreNotEnough(t *testing.T) {
	for name, c := range map[string]struct {
		policy Aggregating
		view   Aggregate
		want   bool
	}{
		"within the budget":          {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 4}, Aggregate{Decoding: 4}, true},
		"beyond the budget":          {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 3}, Aggregate{Decoding: 4}, false},
		"enough memory":              {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 9}, Aggregate{Decoding: 4, Demand: 10}, true},
		"too little memory":          {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 9}, Aggregate{Decoding: 4, Demand: 11}, false},
		"an iteration for all":       {&Orca{MaxNumSeqs: 4}, Aggregate{Decoding: 4}, true},
		"an iteration out of memory": {&Orca{MaxNumSeqs: 4}, Aggregate{Decoding: 4, Demand: 11}, false},
		"more than an iteration":     {&Orca{MaxNumSeqs: 3}, Aggregate{Decoding: 4}, false},
		"decodes have their turn":    {&Alternating{MaxNumSeqs: 9, MaxNumBatchedTokens: 9}, Aggregate{Decoding: 4, Demand: 9, Paged: 4}, true},
		"guesses within a threshold": {guessingOver(4), Aggregate{Decoding: 4, Rows: noBlocks{}}, true},
		"guesses beyond a threshold": {guessingOver(3), Aggregate{Decoding: 4, Rows: noBlocks{}}, false},
		"a prompt beyond the budget": {&Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 4}, Aggregate{Decoding: 4, Prefilling: prompted(7, 0)}, true},
		"decodes again beyond it":    {&Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 4}, Aggregate{Decoding: 4, Prefilling: prompted(9, 2)}, false},
		"no block beyond the demand": {&Alternating{MaxNumSeqs: 9, MaxNumBatchedTokens: 9}, Aggregate{Decoding: 4, Demand: 10, Paged: 4}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.view.View = *view(10, nil, nil)
			d := &Decision{}
			d.Reset()
			if got := c.policy.PlanAggregate(&c.view, d); got != c.want {
				t.Errorf("decides %t, want %t", got, c.want)
			}
		})
	}
}

// noBlocks are sequences that need none.
type noBlocks struct{}

func (noBlocks) Demand(Share) (int, bool) { return 0, true }

// guessingOver is a batch whose sequences decode four tokens each in a step, and may so many.
func guessingOver(threshold int) *Continuous {
	return &Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 99, LongPrefillTokenThreshold: threshold,
		Guesses: &Guesses{Proposals: &FixedProposals{Tokens: 3}}}
}

// prompted is a sequence with a prompt of eight tokens, and memory for all that it computes.
func prompted(computed, generated int) *Sequence {
	return &Sequence{ID: 9, Prompt: 8, Computed: computed, Generated: generated, Blocks: 4}
}

// TestChunksThatGoOn: a chunk stays as it is where it takes all that is left of the budget. Where it does not, others may
// join beside it.
func TestChunksThatGoOn(t *testing.T) {
	for name, c := range map[string]struct {
		policy  Aggregating
		pending int
		want    bool
	}{
		"of what is left":          {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 8}, 20, true},
		"at most as a threshold":   {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 8, LongPrefillTokenThreshold: 2}, 20, false},
		"to the end of the prompt": {&Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 8}, 3, false},
		"of what decodes leave":    {&Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 8}, 20, true},
		"to the end, no decodes":   {&Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 8}, 3, false},
	} {
		d := &Decision{}
		d.Reset()
		prefilling := &Sequence{ID: 1, Prompt: 100, Computed: 100 - c.pending, Blocks: 100}
		if !c.policy.PlanAggregate(&Aggregate{View: *view(10, nil, nil), Decoding: 4, Prefilling: prefilling}, d) || d.Chunked != c.want {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestProposalsOfBatches: up to DisableAboveBatch sequences guess, with one more nobody does;
// 0 is no limit. As many tokens are guessed as make the most of a second.
func TestProposalsOfBatches(t *testing.T) {
	expected := func(guesses int) float64 { return 1 + 0.8*float64(guesses) }
	flat := func(int, int64, int) units.Seconds { return 1 }
	steep := func(_ int, _ int64, guesses int) units.Seconds { return units.Seconds(1 + guesses) }
	for _, c := range []struct {
		proposals       Proposals
		sequences, want int
	}{
		{&AdaptiveProposals{Tokens: 3, Expected: expected, StepTime: flat}, 1000, 3},
		{&AdaptiveProposals{Tokens: 3, Expected: expected, StepTime: steep}, 1000, 0},
		{&AdaptiveProposals{Tokens: 3, Expected: expected, StepTime: flat, DisableAboveBatch: 8}, 8, 3},
		{&AdaptiveProposals{Tokens: 3, Expected: expected, StepTime: flat, DisableAboveBatch: 8}, 9, 0},
		{&FixedProposals{Tokens: 3}, 1000, 3},
		{&FixedProposals{Tokens: 3, DisableAboveBatch: 8}, 8, 3},
		{&FixedProposals{Tokens: 3, DisableAboveBatch: 8}, 9, 0},
	} {
		if got := c.proposals.Length(c.sequences, 100); got != c.want {
			t.Errorf("%+v: %d guesses for %d sequences, want %d", c.proposals, got, c.sequences, c.want)
		}
	}
}

// TestPromptsShareTheBudget: prompts that go on in a step of their own share its tokens.
func TestPromptsShareTheBudget(t *testing.T) {
	running := func() []*Sequence {
		return []*Sequence{{ID: 0, Prompt: 12, Computed: 4, Blocks: 3}, {ID: 1, Prompt: 12, Computed: 4, Blocks: 3}, {ID: 2, Prompt: 12, Computed: 4, Blocks: 3}}
	}
	if got := plan(&Alternating{MaxNumSeqs: 9, MaxNumBatchedTokens: 10}, view(100, running(), nil)); got != "0:8/3 1:2/3" {
		t.Errorf("%s", got)
	}
	if got := plan(&Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 10}, view(100, running(), nil)); got != "0:8/3 1:2/3" {
		t.Errorf("%s", got)
	}
}
