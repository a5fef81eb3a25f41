package planner

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// The answers, and their order, are the same in whichever order the candidates are asked for.
func TestOrderOfCandidatesTellsNothing(t *testing.T) {
	type answer struct {
		name  string
		units int
	}
	for seed := range 300 {
		var before []answer
		for _, reversed := range []bool{false, true} {
			p, candidates, _ := curves(rand.New(rand.NewPCG(uint64(seed), 5)))
			if reversed {
				slices.Reverse(candidates)
				slices.Reverse(p.pilots)
			}
			if err := p.size(context.Background(), candidates); err != nil {
				t.Fatal(err)
			}
			p.rank()
			var answers []answer
			for i := range p.found {
				answers = append(answers, answer{p.found[i].Option.Name, p.found[i].option.Units})
			}
			if reversed && !slices.Equal(answers, before) {
				t.Errorf("grid %d: %v, in reverse order %v", seed, before, answers)
			}
			before = answers
		}
	}
}
