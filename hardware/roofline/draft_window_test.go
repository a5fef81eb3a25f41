package roofline

import (
	"errors"
	"math"
	"testing"

	"kneepoint/hardware/model"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// windowed is speculation by a draft model with a window; 0: none.
func windowed(t *testing.T, draft string, window int) Speculation {
	t.Helper()
	a, err := model.Lookup(draft)
	if err != nil {
		t.Fatal(err)
	}
	return Speculation{Method: DraftModel, Tokens: 3, Draft: a, Window: window}
}

// Sadhukhan et al. 2024, MagicDec (arXiv 2408.11049): with long contexts the keys and
// values of a large batch are what a step reads, for the draft too; one that reads 512
// tokens of each sequence gains at batches where a draft that reads all does not, and
// more the larger the batch and the longer the context: up to 1.84 times for
// Llama-3.1-8B that drafts for itself, in batches of 32 to 256 on eight A100 (abstract of
// the third version; which batch and context is not said there). How many guesses
// are accepted is assumed, the same for both (0.8), so that the cost alone differs.
func TestDraftWindowAgainstBatch(t *testing.T) {
	d := deployment(t, "a100-sxm-80", "sglang", "llama-3.1-8b", 8)
	const tokens = 1 + 0.8 + 0.64 + 0.512
	gain := func(window, batch, context int) float64 {
		return speedup(t, d, windowed(t, "llama-3.1-8b", window), batch, context, tokens)
	}
	most := 0.0
	for _, context := range []int{8_000, 16_000, 32_000} {
		last := 0.0
		for batch := 64; batch <= 256 && batch*context <= 256*16_000; batch *= 2 { // which the memory holds
			all, few := gain(0, batch, context), gain(512, batch, context)
			t.Logf("%6d tokens, batch %3d: %.2f times with a window of 512, %.2f without", context, batch, few, all)
			if few < 1.1*all || few <= last {
				t.Errorf("%d tokens, batch %d: %.3f times with a window, %.3f in a smaller batch, %.3f without a window", context, batch, few, last, all)
			}
			if all > 1 {
				t.Errorf("%d tokens, batch %d: %.3f times without a window: the model itself is no cheaper draft", context, batch, all)
			}
			last = few
		}
		most = max(most, last)
	}
	near(t, "the largest gain", most, 1.84, 0.1)
	if short, long := gain(512, 128, 8_000), gain(512, 128, 32_000); short >= long {
		t.Errorf("%.3f times at 8,000 tokens, %.3f at 32,000", short, long)
	}
	if without, with := gain(0, 64, 400), gain(512, 64, 400); math.Abs(with/without-1) > 0.01 {
		t.Errorf("%.3f times with a window that holds all, %.3f without", with, without)
	}
}

// TestDraftWindowMemory: the draft keeps a window for each of max_num_seqs
// sequences, or what it would keep without where that is less.
func TestDraftWindowMemory(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.MaxNumSeqs = 64
	budget := func(window int) Budget {
		s := windowed(t, "llama-3.2-1b", window)
		d.Speculation = &s
		return build(t, d).Memory()
	}
	all, few, wide := budget(0), budget(512), budget(100_000)
	const draft = 2 * 16 * 8 * 64 * 2 // bytes a token: keys and values of 16 layers with 8 heads of 64
	target := all.KVPerToken - draft
	if few.KVPerToken != target || math.Abs(float64(all.KV-few.KV-64*512*draft)) > 1 {
		t.Errorf("%v a token and %v in all with a window, want %v and %v", few.KVPerToken, few.KV, target, all.KV-64*512*draft)
	}
	if want := int(few.KV/(target*16)) * 16; few.KVTokens != want || few.KVTokens <= all.KVTokens {
		t.Errorf("%d tokens with a window, want %d, above %d", few.KVTokens, want, all.KVTokens)
	}
	if wide != all {
		t.Errorf("a window that no memory is saved by: %+v, want %+v", wide, all)
	}
	if sum := few.Weights + few.Activations + few.Reserve + few.KV; math.Abs(float64(sum/few.Available-1)) > 1e-9 {
		t.Errorf("the parts are %v, of %v", sum, units.Bytes(few.Available))
	}
}

// TestDraftWindowIsRefused where layers of the draft see less already.
func TestDraftWindowIsRefused(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "gemma-3-27b", 1)
	s := windowed(t, "gemma-3-27b", 100_000)
	d.Speculation = &s
	var bad *badinput.Error
	if _, err := New(d); !errors.As(err, &bad) || bad.Key != "strategy.speculation.draft_window" {
		t.Errorf("got %v", err)
	}
}
