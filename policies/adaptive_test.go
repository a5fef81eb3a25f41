package policies

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestAdaptiveProposalsAreTheBest: what is kept of some contexts does not change which number of guesses is the
// best for another one.
func TestAdaptiveProposalsAreTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		acceptance := rapid.Float64Range(0, 1).Draw(t, "acceptance")
		fixed, row := rapid.Float64Range(0.1, 1).Draw(t, "fixed"), rapid.Float64Range(0, 0.1).Draw(t, "row")
		token, power := rapid.Float64Range(0, 1e-4).Draw(t, "token"), rapid.SampledFrom([]float64{0.5, 1, 1.3}).Draw(t, "power")
		a := &AdaptiveProposals{
			Tokens:            rapid.IntRange(0, 6).Draw(t, "tokens"),
			DisableAboveBatch: rapid.SampledFrom([]int{0, 3}).Draw(t, "disable above"),
			Expected:          func(k int) float64 { return (1 - math.Pow(acceptance, float64(k+1))) / (1 - acceptance) },
			StepTime: func(sequences int, context int64, k int) units.Seconds {
				return units.Seconds(fixed + row*float64(sequences*k) + math.Pow(token*float64(context*int64(k+1)), power))
			},
		}
		context := int64(rapid.IntRange(1, 1<<20).Draw(t, "context"))
		for range 100 {
			sequences := rapid.IntRange(1, 4).Draw(t, "sequences")
			want := a.bestAt(sequences, context)
			if a.DisableAboveBatch > 0 && sequences > a.DisableAboveBatch {
				want = 0
			}
			if got := a.Length(sequences, context); got != want {
				t.Fatalf("%d guesses for %d sequences of %d tokens, want %d", got, sequences, context, want)
			}
			context += int64(rapid.IntRange(0, 1+int(context)/50).Draw(t, "more"))
		}
	})
}

// TestAdaptiveTieAtTheEnd: where fewer guesses are as good at the end of a range of contexts they are the better ones there, so that
// none is the best of the whole range.
func TestAdaptiveTieAtTheEnd(t *testing.T) {
	r := rangeOfContext{sequences: 1, begins: 1, digits: 4} // contexts of 16 to 31
	a := &AdaptiveProposals{Tokens: 1, Expected: func(k int) float64 { return float64(k + 1) },
		StepTime: func(_ int, context int64, k int) units.Seconds {
			if k == 0 {
				return 1
			}
			return 2 - units.Seconds(31-context)/64 // 1 token a second at the end
		}}
	if begin, end := a.bestAt(1, 16), a.bestAt(1, 31); begin != 1 || end != 0 {
		t.Fatalf("%d and %d guesses are best", begin, end)
	}
	if got := a.bestIn(r); got != undecided {
		t.Errorf("%d guesses are the best of all", got)
	}
}
