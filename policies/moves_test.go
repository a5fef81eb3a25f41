package policies

import "testing"

// shared is a prefix cache that has the same for every request.
type shared struct{ hit Hit }

func (c shared) Lookup(*Sequence, *Decision) Hit { return c.hit }
func (c shared) Freed(victims []*Sequence) (n int) {
	for _, s := range victims {
		n += s.Blocks
	}
	return n
}

// slow is links over which moving never pays.
type slow struct{}

func (slow) SwapPays(*Sequence, int) bool { return false }

// TestBlocksToFetch: a sequence comes back with blocks for all its pending tokens, or all that
// it has reserved.
func TestBlocksToFetch(t *testing.T) {
	v := view(100, nil, nil)
	for _, c := range []struct{ prompt, generated, computed, reserved, want int }{
		{7, 1, 7, 0, 2}, {8, 1, 8, 0, 3}, {8, 2, 9, 0, 3}, {7, 1, 7, 20, 5}, {21, 0, 7, 0, 6},
	} {
		s := &Sequence{Prompt: c.prompt, Generated: c.generated, Computed: c.computed, Reserved: c.reserved}
		if got := v.BlocksToFetch(s); got != c.want {
			t.Errorf("%+v: %d blocks, want %d", c, got, c.want)
		}
	}
}

// TestFreeForDecision: sequences that are preempted leave their blocks at once, those that
// move out beside the steps later; those that begin to come back, or to be loaded, take theirs.
func TestFreeForDecision(t *testing.T) {
	victims := []*Sequence{{ID: 0, Blocks: 2}, {ID: 1, Blocks: 3}}
	for name, c := range map[string]struct {
		aside    bool
		decision Decision
		want     int
	}{
		"nothing":          {false, Decision{}, 10},
		"preempted":        {false, Decision{Preempt: victims}, 15},
		"swapped serially": {false, Decision{Preempt: victims, Swap: 1}, 15},
		"swapped aside":    {true, Decision{Preempt: victims, Swap: 1}, 13},
		"fetched":          {true, Decision{Fetch: 2}, 10 - 2 - 3},
		"loaded":           {true, Decision{Load: []Task{{Blocks: 6, Held: 2}, {Blocks: 1}}}, 10 - 4 - 1},
	} {
		t.Run(name, func(t *testing.T) {
			v := view(10, nil, nil)
			v.MovesAside, v.Parked = c.aside, list{{Prompt: 8, Computed: 7}, {Prompt: 9, Computed: 8}}
			if got := v.freeFor(&c.decision); got != c.want {
				t.Errorf("%d blocks are free, want %d", got, c.want)
			}
		})
	}
}

// TestLoadTakesWhatOthersDoNotHold: blocks that others hold are not taken twice.
func TestLoadTakesWhatOthersDoNotHold(t *testing.T) {
	d := &Decision{}
	if taken, ok := d.load(fresh(0, 20), Hit{Tokens: 8, Held: 2, Load: true}, 5); !ok || taken != 3 || d.Admit != 1 || d.Load[0].Held != 2 {
		t.Errorf("takes %d (%t), %+v", taken, ok, d)
	}
	if taken, ok := d.load(fresh(1, 20), Hit{Follows: true}, 5); !ok || taken != 0 || d.Admit != 2 || d.Load[1].Blocks != 0 {
		t.Errorf("who follows others takes %d (%t), %+v", taken, ok, d)
	}
	if taken, ok := d.load(fresh(2, 20), Hit{Tokens: 8}, 5); ok || taken != 0 || d.Admit != 2 {
		t.Errorf("who needs no load takes %d (%t), %+v", taken, ok, d)
	}
}

// TestPlacesOfTheLoaded: loaded requests join before parked ones come back, into the places
// that neither the batch nor those on their way back have.
func TestPlacesOfTheLoaded(t *testing.T) {
	loaded := func(id int) *Sequence { return &Sequence{ID: id, Prompt: 8, Computed: 4, Blocks: 2} }
	for _, c := range []struct{ seqs, returning, want int }{{5, 0, 3}, {3, 0, 2}, {3, 1, 1}, {3, 2, 0}, {2, 2, 0}} {
		v := view(100, []*Sequence{decoding(9, 4, 1)}, []*Sequence{loaded(0), loaded(1), loaded(2), fresh(3, 4)})
		v.Returning = c.returning
		p := &Swapping{MaxNumSeqs: c.seqs}
		if got := p.loaded(v).Len(); got != c.want {
			t.Errorf("%d places, %d on their way back: %d join, want %d", c.seqs, c.returning, got, c.want)
		}
	}
}

// TestSwapsThatDoNotPay: the sequence is computed again.
func TestSwapsThatDoNotPay(t *testing.T) {
	for _, links := range []Links{nil, slow{}} {
		v := spacious(3, []*Sequence{decoding(0, 4, 1), decoding(1, 8, 1)}, nil, nil)
		v.Links = links
		d := &Decision{}
		d.Reset()
		(&Swapping{Batching: &Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, MaxNumSeqs: 8}).Plan(v, d)
		want := 1
		if links != nil {
			want = 0
		}
		if len(d.Preempt) != 1 || d.Swap != want {
			t.Errorf("links %v: %d preempted, %d of them swapped, want %d", links, len(d.Preempt), d.Swap, want)
		}
	}
}

// TestOneBlockInAHundredStaysFree: a parked sequence comes back into the last blocks only where nobody else is in the batch.
func TestOneBlockInAHundredStaysFree(t *testing.T) {
	parked := &Sequence{ID: 1, Prompt: 7, Generated: 1, Computed: 7}
	for _, c := range []struct{ running, free, want int }{{0, 2, 1}, {1, 2, 0}, {1, 3, 1}} {
		var running []*Sequence
		if c.running > 0 {
			running = []*Sequence{decoding(0, 4, 2)}
		}
		v := spacious(100, running, nil, []*Sequence{parked})
		v.FreeBlocks = c.free
		d := &Decision{}
		d.Reset()
		(&Swapping{Batching: &Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, MaxNumSeqs: 8, MaxNumBatchedTokens: 100}).Plan(v, d)
		if d.Restore != c.want {
			t.Errorf("%d in the batch, %d blocks free, of which it needs 2: %d come back, want %d", c.running, c.free, d.Restore, c.want)
		}
	}
}

// TestParkedSequencesTakeTheLastToken: one comes back for what those in the batch leave of the budget.
func TestParkedSequencesTakeTheLastToken(t *testing.T) {
	for budget, want := range map[int]int{1: 0, 2: 1, 3: 2, 9: 2} {
		v := spacious(100, []*Sequence{decoding(0, 4, 2)}, nil, []*Sequence{decoding(1, 8, 1), decoding(2, 8, 1)})
		d := &Decision{}
		d.Reset()
		(&Swapping{Batching: &Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: budget}, MaxNumSeqs: 8, MaxNumBatchedTokens: budget}).Plan(v, d)
		if d.Restore != want {
			t.Errorf("a budget of %d: %d come back, want %d", budget, d.Restore, want)
		}
	}
}

// TestLeavingPromptsHoldSharedBlocks: of the working set of a prompt that leaves, what
// others hold takes no memory; one that others load, or that is loaded itself, does not leave.
func TestLeavingPromptsHoldSharedBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		hit  Hit
		want int // prompts that leave, each of 6 blocks, of which 2 are cached
	}{
		"held by others": {Hit{Tokens: 8, Held: 2}, 2},
		"not held":       {Hit{Tokens: 8}, 1},
		"to be loaded":   {Hit{Tokens: 8, Load: true}, 0},
		"followers":      {Hit{Follows: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			v := spacious(4, nil, []*Sequence{fresh(0, 24), fresh(1, 24)}, nil)
			v.FreeTierBlocks, v.Cache = 12, shared{c.hit}
			d, rest := &Decision{}, &allowance{tokens: 100, blocks: 4}
			d.Reset()
			layerwise(&Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, 8, 100).admit(v, d, 0, rest)
			if d.Admit != c.want {
				t.Errorf("%d prompts leave, want %d: %+v", d.Admit, c.want, d.Tasks)
			}
		})
	}
}
