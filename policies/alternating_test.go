package policies

import "testing"

// Chunks and decodes take turns, prompts that were begun before others.
func TestAlternating(t *testing.T) {
	begun := &Sequence{ID: 1, Prompt: 12, Computed: 4, Blocks: 3}
	p := &Alternating{MaxNumSeqs: 8, MaxNumBatchedTokens: 6}
	running := []*Sequence{decoding(0, 8, 1), begun}
	for i, want := range []string{"1:6/3", "0:1/3", "1:6/3", "0:1/3"} {
		if got := plan(p, view(20, running, []*Sequence{fresh(2, 8)})); got != want {
			t.Errorf("step %d: %s, want %s", i, got, want)
		}
	}
	running[1] = decoding(1, 12, 1)
	for i, want := range []string{"2:6/2 admit 1", "0:1/3 1:1/4"} {
		if got := plan(p, view(20, running, []*Sequence{fresh(2, 8)})); got != want {
			t.Errorf("with nobody else's prompt, step %d: %s, want %s", i, got, want)
		}
	}
	for i := range 2 {
		if got, want := plan(p, view(20, running, nil)), "0:1/3 1:1/4"; got != want {
			t.Errorf("decodes alone, step %d: %s, want %s", i, got, want)
		}
	}
}
