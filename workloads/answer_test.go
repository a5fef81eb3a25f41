package workloads

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAnswersAreAccepted: what an Answer keeps is what is drawn, in whatever order it is asked for.
func TestAnswersAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.SampledFrom([]float64{0, 0.5, 1}), rapid.Float64Range(0, 1))
		a := NewAcceptance(rapid.SliceOfN(p, 1, 10).Draw(t, "probabilities"), rapid.Uint64().Draw(t, "seed"), 0)
		answer := NewAnswer()
		for range rapid.IntRange(1, 50).Draw(t, "questions") {
			request, index := rapid.IntRange(0, 1).Draw(t, "request"), rapid.IntRange(0, 200).Draw(t, "index")
			for range rapid.IntRange(1, 30).Draw(t, "in a row") {
				guesses := rapid.IntRange(0, 12).Draw(t, "guesses")
				want := a.Accepted(request, index, guesses)
				if got := a.AcceptedOf(answer, request, index, guesses); got != want {
					t.Fatalf("%d of %d guesses are right behind token %d, want %d", got, guesses, index, want)
				}
				index += want + 1
			}
		}
	})
}

func BenchmarkAccepted(b *testing.B) {
	a := NewAcceptance([]float64{0.6}, 1, 0)
	b.Run("plain", func(b *testing.B) {
		for i := 0; b.Loop(); {
			i += a.Accepted(1, i, 4) + 1
		}
	})
	b.Run("answer", func(b *testing.B) {
		answer := NewAnswer()
		for i := 0; b.Loop(); {
			i += a.AcceptedOf(answer, 1, i, 4) + 1
		}
	})
	b.Run("list", func(b *testing.B) {
		answer := NewAnswer()
		a := NewAcceptance([]float64{0.8, 0.7, 0.6, 0.5}, 1, 0)
		for i := 0; b.Loop(); {
			i += a.AcceptedOf(answer, 1, i, 4) + 1
		}
	})
}
