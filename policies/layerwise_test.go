package policies

import "testing"

// layerwise wraps a policy for a model of four layers, with a first tier.
func layerwise(inner Batching, size, budget int) *LayerWise {
	return &LayerWise{Layers: 4, Swapping: Swapping{Batching: inner, MaxNumSeqs: size, MaxNumBatchedTokens: budget}}
}

// spacious is a view of a replica of blocks KV blocks, and as many in the first tier.
func spacious(blocks int, running, waiting, parked []*Sequence) *View {
	v := view(blocks, running, waiting)
	v.FreeTierBlocks, v.Parked = blocks, list(parked)
	return v
}

// A prompt leaves because there is no memory for it, and for no other reason.
func TestLayerWiseIsForLackOfMemory(t *testing.T) {
	for _, c := range []struct {
		blocks  int
		offload bool
	}{{2, true}, {100, false}} {
		d := &Decision{}
		d.Reset()
		p := layerwise(&PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: 10}, 8, 10)
		p.Plan(spacious(c.blocks, nil, []*Sequence{fresh(0, 4), fresh(1, 8)}, nil), d)
		offloads := false
		for _, task := range d.Tasks {
			offloads = offloads || task.Offload
		}
		if offloads != c.offload {
			t.Errorf("with %d blocks a prompt leaves: %v, want %v", c.blocks, offloads, c.offload)
		}
	}
}

// Parked sequences come back while the batch has places, also when some of them
// are taken by prompts that leave.
func TestRestoringKeepsToTheBatchSize(t *testing.T) {
	leaving := &Sequence{ID: 1, Prompt: 20, Computed: 4, Blocks: 1, Offloaded: true}
	d := &Decision{}
	d.Reset()
	p := layerwise(&Continuous{MaxNumSeqs: 2, MaxNumBatchedTokens: 100}, 2, 100)
	p.Plan(spacious(100, []*Sequence{decoding(0, 8, 1), leaving}, nil, []*Sequence{decoding(2, 8, 1)}), d)
	if d.Restore != 0 {
		t.Errorf("%d sequences come back to a batch of 2 that is full", d.Restore)
	}
}

// No prompt joins to leave again where the batch is full, of which those that leave are.
func TestLeavingPromptsKeepToTheBatchSize(t *testing.T) {
	for size, want := range map[int]int{2: 0, 3: 1} {
		leaving := &Sequence{ID: 1, Prompt: 20, Computed: 4, Blocks: 1, Offloaded: true}
		d := &Decision{}
		d.Reset()
		p := layerwise(&Continuous{MaxNumSeqs: size, MaxNumBatchedTokens: 100}, size, 100)
		p.Plan(spacious(100, []*Sequence{decoding(0, 8, 1), leaving}, []*Sequence{fresh(2, 4)}, nil), d)
		if d.Admit != want {
			t.Errorf("%d join a batch of %d that has two, want %d", d.Admit, size, want)
		}
	}
}

// A step whose budget is used up, or exceeded by a prompt that is longer, has
// nothing for prompts that leave.
func TestLeavingPromptsKeepToTheBudget(t *testing.T) {
	leaving := &Sequence{ID: 9, Prompt: 20, Computed: 4, Blocks: 1, Offloaded: true}
	for _, budget := range []int{1, 2, 3} {
		d := &Decision{}
		d.Reset()
		p := layerwise(&PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: budget}, 8, budget)
		p.Plan(spacious(100, []*Sequence{decoding(0, 8, 1), decoding(1, 8, 1), leaving}, nil, nil), d)
		if got, want := len(d.Tasks), 2+max(0, budget-2); got != want {
			t.Errorf("a budget of %d with two decodes: %d tasks, want %d", budget, got, want)
		}
		for _, task := range d.Tasks {
			if task.Tokens < 1 {
				t.Errorf("a budget of %d: a task of %d tokens", budget, task.Tokens)
			}
		}
	}
}

// A sequence that leaves has blocks for a working set alone, and guesses nothing, even
// where one token is all that is pending after a preemption.
func TestLeavingSequencesGuessNothing(t *testing.T) {
	leaving := &Sequence{ID: 9, Prompt: 20, Generated: 3, Computed: 22, Blocks: 1, Offloaded: true}
	d := &Decision{}
	d.Reset()
	p := &Speculative{Batching: layerwise(&Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, 8, 100), Proposals: &FixedProposals{Tokens: 3}}
	p.Plan(spacious(1, []*Sequence{leaving}, nil, nil), d)
	if len(d.Tasks) != 1 || d.Tasks[0].Draft != 0 {
		t.Errorf("decides %+v, want one task without guesses", d.Tasks)
	}
}
