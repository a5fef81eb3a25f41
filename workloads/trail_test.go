package workloads

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTrailsAreAccepted: what a Trail keeps is what is drawn, wherever it is asked for.
func TestTrailsAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.SampledFrom([]float64{0, 0.5, 1}), rapid.Float64Range(0, 1))
		a := NewAcceptance(rapid.SliceOfN(p, 1, 10).Draw(t, "probabilities"), rapid.Uint64().Draw(t, "seed"), 0)
		trail, index := NewTrail(), 0
		for range rapid.IntRange(1, 30).Draw(t, "questions") {
			request, guesses := rapid.IntRange(0, 1).Draw(t, "request"), rapid.IntRange(1, 12).Draw(t, "guesses")
			if rapid.IntRange(0, 3).Draw(t, "elsewhere") == 0 {
				index = rapid.IntRange(0, 300).Draw(t, "index")
			}
			for range rapid.IntRange(1, 5).Draw(t, "in a row") {
				steps := rapid.IntRange(0, 70).Draw(t, "steps")
				goOn := rapid.IntRange(0, steps).Draw(t, "of which are taken")
				at, from := index, index
				for step, right := range a.Along(trail, request, index, guesses, steps) {
					if want := a.Accepted(request, at, guesses); int(right) != want {
						t.Fatalf("%d of %d guesses are right behind token %d, want %d", right, guesses, at, want)
					}
					at += int(right) + 1
					if step < goOn {
						index = at
					}
				}
				if passed := trail.Pass(goOn); passed != index-from {
					t.Fatalf("%d steps have %d tokens, want %d", goOn, passed, index-from)
				}
			}
		}
	})
}

// BenchmarkTrail goes along an answer.
func BenchmarkTrail(b *testing.B) {
	for name, p := range map[string][]float64{"one": {0.6}, "list": {0.8, 0.7, 0.6, 0.5}} {
		b.Run(name, func(b *testing.B) {
			a, trail := NewAcceptance(p, 1, 0), NewTrail()
			for index := 0; b.Loop(); {
				for _, right := range a.Along(trail, 1, index, 4, 64) {
					index += int(right) + 1
				}
			}
		})
	}
}

// TestUntil: the steps until some tokens are generated are those that Along finds, and no more, also where some are known and passed.
func TestUntil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := NewAcceptance([]float64{rapid.Float64Range(0, 1).Draw(t, "acceptance")}, rapid.Uint64().Draw(t, "seed"), 0)
		guesses, index := rapid.IntRange(1, 12).Draw(t, "guesses"), rapid.IntRange(0, 20).Draw(t, "index")
		trail := NewTrail()
		a.Along(trail, 1, index, guesses, 5)
		index += trail.Pass(rapid.IntRange(0, 5).Draw(t, "passed"))
		tokens := rapid.IntRange(1, 300).Draw(t, "tokens")
		right := slices.Clone(a.Until(trail, 1, index, guesses, tokens))
		if n := len(right); TokensOf(right) < tokens || TokensOf(right[:n-1]) >= tokens {
			t.Fatalf("%d steps generate %d tokens, one fewer %d; want %d", n, TokensOf(right), TokensOf(right[:n-1]), tokens)
		}
		if want := a.Along(NewTrail(), 1, index, guesses, len(right)); !slices.Equal(right, want) {
			t.Errorf("%v guesses are right, want %v", right, want)
		}
	})
}
