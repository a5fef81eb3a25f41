package paging

import (
	"testing"

	"pgregory.net/rapid"
)

func drawWindows(t *rapid.T) (w Windows, size int) {
	return Windows{Tokens: rapid.IntRange(1, 50).Draw(t, "window"), Groups: rapid.IntRange(0, 4).Draw(t, "groups"),
		Full: rapid.IntRange(0, 3).Draw(t, "full")}, rapid.IntRange(1, 20).Draw(t, "block size")
}

// exact counts the blocks that hold a token which the tokens computed next, or a later
// one, attend to, one by one.
func (w Windows) exact(computed, tokens, size int) int {
	full, windowed := map[int]bool{}, map[int]bool{}
	for i := range computed + tokens {
		full[i/size] = true
		if i > computed-w.Tokens {
			windowed[i/size] = true
		}
	}
	if w.Groups == 0 {
		return len(full)
	}
	return w.Full*len(full) + w.Groups*len(windowed)
}

// TestBlocksAreThoseWithinReach: a chunk has exactly the blocks that it attends to, and
// a sequence that decodes never fewer, and at most one more for each group.
func TestBlocksAreThoseWithinReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, size := drawWindows(t)
		computed, tokens := rapid.IntRange(0, 200).Draw(t, "computed"), rapid.IntRange(1, 100).Draw(t, "tokens")
		most := func(tokens int) int { return max(w.exact(computed, tokens, size), w.BlocksFor(computed+tokens, size)) }
		if got, want := w.ToCompute(computed, tokens, size), most(tokens); got != want {
			t.Errorf("%d blocks for %d tokens behind %d, want %d", got, tokens, computed, want)
		}
		held, exact := w.BlocksFor(computed+1, size), w.exact(computed, 1, size)
		if held < exact || held > exact+w.Groups {
			t.Errorf("%d blocks are held for the token behind %d, which attends to %d", held, computed, exact)
		}
		if w.BlocksFor(computed+1, size) < w.BlocksFor(computed, size) {
			t.Errorf("a sequence of %d tokens gives a block back for the next", computed)
		}
	})
}

// TestLongestIsServed computes the longest sequence in chunks, and decodes it.
func TestLongestIsServed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, size := drawWindows(t)
		if w.Groups == 0 {
			w.Full = 1
		}
		blocks, chunk := rapid.IntRange(0, 200).Draw(t, "blocks"), rapid.IntRange(0, 60).Draw(t, "chunk")
		longest := min(w.Longest(blocks, size, chunk), 2000)
		step := chunk
		if chunk == 0 {
			step = longest
		}
		for computed := 0; computed < longest; computed += step {
			tokens := min(step, longest-computed)
			if need := w.ToCompute(computed, tokens, size); need > blocks {
				t.Fatalf("%d tokens behind %d of %d need %d blocks of %d", tokens, computed, longest, need, blocks)
			}
		}
	})
}

// TestReachOfPublishedWindows: 4,096 tokens lie in 256 blocks of 16 or, for 15 of 16
// tokens, in 257; 128 in 9.
func TestReachOfPublishedWindows(t *testing.T) {
	for _, c := range []struct{ window, tokens, want int }{{4096, 4096, 256}, {4096, 100_000, 257}, {128, 100_000, 9}, {4096, 17, 2}} {
		w := Windows{Tokens: c.window, Groups: 1}
		if got := w.BlocksFor(c.tokens, 16); got != c.want {
			t.Errorf("%d tokens with a window of %d hold %d blocks, want %d", c.tokens, c.window, got, c.want)
		}
	}
}
