package hardware

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

func TestSyntheticAddsItsTerms(t *testing.T) {
	s := Synthetic{StepFixed: 1, PerDecodeRow: 10, PerContextToken: 100, PerPrefillChunk: 1000, PerPrefillToken: 10000}
	w := Work{DecodeRows: 2, PaddingRows: 1, DecodeContext: 5, Prefill: []Chunk{{Tokens: 3, Padding: 1}, {Context: 9, Tokens: 1}}}
	if got, want := s.Step(&w), (Cost{Time: 1 + 3*10 + 5*100 + 2*1000 + 4*10000}); got != want {
		t.Errorf("step %+v, want %+v", got, want)
	}
}

// The batch service queue: a step that takes a batch of b takes alpha*b + tau0.
func TestSyntheticBatchIsAffine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha, tau := rapid.Float64Range(0, 1).Draw(t, "alpha"), rapid.Float64Range(0, 1).Draw(t, "tau0")
		b := rapid.IntRange(1, 100).Draw(t, "b")
		s := Synthetic{StepFixed: units.Seconds(tau), PerPrefillChunk: units.Seconds(alpha)}
		w := Work{Prefill: make([]Chunk, b)}
		if got, want := float64(s.Step(&w).Time), alpha*float64(b)+tau; math.Abs(got-want) > 1e-12*want {
			t.Fatalf("batch of %d takes %v, want %v", b, got, want)
		}
	})
}

func TestPrecisionSizes(t *testing.T) {
	for p, want := range map[Precision][2]float64{
		FP32: {4, 4}, BF16: {2, 2}, FP16: {2, 2}, FP8: {1, 1}, INT8: {1, 1}, INT4: {0.5, 0.53125}, FP4: {0.5, 0.5625},
	} {
		t.Run(string(p), func(t *testing.T) {
			if got := [2]float64{p.Bytes(), p.WeightBytes()}; got != want {
				t.Errorf("%s: %v bytes, want %v", p, got, want)
			}
		})
	}
	if p, err := ParsePrecision("BF16"); p != BF16 || err != nil {
		t.Errorf("BF16 is %q, %v", p, err)
	}
	_, err := ParsePrecision("bf15")
	if want := `unknown precision; allowed: one of fp32, bf16, fp16, fp8, int8, int4, fp4; did you mean "bf16"?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
