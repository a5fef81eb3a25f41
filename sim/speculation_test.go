package sim

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// guessing is a policy with proposals on top of it.
func guessing(batching func() policies.Batching, tokens int) func() policies.Batching {
	return func() policies.Batching {
		return &policies.Speculative{Batching: batching(), Proposals: &policies.FixedProposals{Tokens: tokens}}
	}
}

// answerAlone generates an answer of a number of tokens for a single request, with a
// number of guesses at a time. Each of them is accepted with probability a, and making
// it lasts c steps.
func answerAlone(t *testing.T, tokens, guesses int, a, c float64) *metrics.Record {
	t.Helper()
	s := setup{
		workload: workloads.Spec{NumRequests: 1, Arrival: &workloads.ArrivalSpec{Process: "at_once"},
			Input: &workloads.LengthSpec{Type: "fixed", Mean: 1, Min: 1}, Output: &workloads.LengthSpec{Type: "fixed", Mean: float64(tokens), Min: 1}},
		cost:     &hardware.Synthetic{StepFixed: 1, PerDraftPass: units.Seconds(c)},
		batching: guessing(continuous(1, 1000), guesses),
	}
	config := s.config(t, 1, 0)
	config.Pools[0].Acceptance = workloads.NewAcceptance([]float64{a}, 1, 0)
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	return rec
}

// Leviathan, Kalman and Matias 2023, "Fast Inference from Transformers via
// Speculative Decoding", Theorem 3.8: with acceptance a, g guesses and a draft
// that takes c steps a guess, an answer is generated faster by
//
//	(1 - a^(g+1)) / ((1-a) (g c + 1))
//
// The simulated factor meets the formula within 2 % over 1e5 tokens, and what the
// paper prints (table 1, and the column Exp of table 4) within 0.08.
func TestLeviathan(t *testing.T) {
	for _, c := range []struct {
		acceptance, cost float64
		guesses          int
		printed          float64
	}{
		{.6, 0, 2, 1.96}, {.7, 0, 3, 2.53}, {.8, 0, 2, 2.44}, {.8, 0, 5, 3.69}, {.9, 0, 2, 2.71}, {.9, 0, 10, 6.86},
		{.75, .02, 7, 3.2}, {.80, .04, 7, 3.3}, {.82, .11, 7, 2.5}, {.62, .02, 7, 2.3}, {.68, .04, 5, 2.4}, {.71, .11, 3, 2.0},
		{.65, .02, 5, 2.4}, {.73, .04, 5, 2.6}, {.74, .11, 3, 2.0}, {.53, .02, 5, 1.9}, {.55, .04, 3, 1.8}, {.56, .11, 3, 1.6},
	} {
		const tokens = 100_000
		tpot, _ := answerAlone(t, tokens, c.guesses, c.acceptance, c.cost).Requests[0].TPOT()
		g := float64(c.guesses)
		want := (1 - math.Pow(c.acceptance, g+1)) / ((1 - c.acceptance) * (g*c.cost + 1))
		if got := 1 / float64(tpot); math.Abs(got-want) > 0.02*want || math.Abs(got-c.printed) > 0.08 {
			t.Errorf("a %v, c %v, %d guesses: %.3f times as fast, by the formula %.3f, printed %v", c.acceptance, c.cost, c.guesses, got, want, c.printed)
		}
	}
}

// TestGuessesAreCounted: a proposal of two is all right with probability a², half
// right with a(1-a).
func TestGuessesAreCounted(t *testing.T) {
	rec := answerAlone(t, 50_000, 2, 0.6, 0.25)
	v := metrics.Summarize(rec, metrics.Objective{}, []metrics.Deployment{{}})
	for key, want := range map[string]float64{"acceptance_rate": (0.6 + 0.36) / 2, "mean_acceptance_length": 1.96} {
		if math.Abs(v[key]-want) > 0.01*want {
			t.Errorf("%s is %v, want %v", key, v[key], want)
		}
	}
	// A gap for every chunk of tokens, however many are in it.
	if gap := rec.ITL.Mean(); math.Abs(gap-1.5) > 1e-9 || rec.ITL.Count() != rec.Totals.Verifications {
		t.Errorf("%d gaps of %v in %d steps", rec.ITL.Count(), gap, rec.Totals.Verifications)
	}
}

// TestNoGuessesIsNoSpeculation: proposals of length 0 change nothing at all, and
// nor do those that are switched off above a batch that is never smaller.
func TestNoGuessesIsNoSpeculation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scene := drawScene(t)
		plain, err := Run(context.Background(), scene.reference())
		if err != nil {
			t.Fatal(err)
		}
		policy := scene.policy
		scene.policy = guessing(policy, 0)
		with, err := Run(context.Background(), scene.reference())
		if err != nil || !reflect.DeepEqual(plain, with) {
			t.Fatalf("no guesses make a difference (%v)", err)
		}
	})
}

// reference is the run step by step.
func (s *scene) reference() Config {
	c := s.fresh()
	c.Reference = true
	return c
}

// TestAdaptiveProposals: the number of guesses falls with the batch when rows
// cost something, is never worse than any fixed number, and is 0 where a guess
// costs more than it brings.
func TestAdaptiveProposals(t *testing.T) {
	acceptance := workloads.NewAcceptance([]float64{0.8, 0.7, 0.6, 0.5}, 1, 0)
	at := func(cost *hardware.Synthetic) *policies.AdaptiveProposals {
		return &policies.AdaptiveProposals{Tokens: 4, Expected: acceptance.Expected,
			StepTime: func(sequences int, context int64, guesses int) units.Seconds {
				w := hardware.Work{DecodeRows: sequences, DecodeContext: context, DraftRows: sequences * guesses, DraftPasses: guesses}
				return cost.Step(&w).Time
			}}
	}
	policy := at(&hardware.Synthetic{StepFixed: 1, PerDraftPass: 0.05, PerDraftRow: 0.02})
	last := 5
	for _, batch := range []int{1, 4, 16, 64, 256} {
		k := policy.Length(batch, 0)
		if k > last {
			t.Errorf("%d guesses for a batch of %d, %d for a smaller one", k, batch, last)
		}
		last = k
	}
	if last != 0 || policy.Length(1, 0) != 4 {
		t.Errorf("%d guesses for a single sequence, %d for 256", policy.Length(1, 0), last)
	}
	policy.DisableAboveBatch = 3
	if n := policy.Length(4, 0); n != 0 {
		t.Errorf("%d guesses above the largest batch", n)
	}
}

func TestGuessesWithoutMemory(t *testing.T) {
	// Blocks of two tokens, three in all: the prompt of 2 and 4 more tokens. The
	// sequence never holds more than it needs, and always guesses what fits.
	traffic := &scripted{}
	traffic.add(0, 2, 4)
	c := written(traffic, 3, guessing(continuous(1, 100), 5)())
	c.Pools[0].Acceptance = accepting(1)
	rec, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	if got := fmt.Sprint(rec.Totals.Steps, rec.Totals.ProposedTokens, rec.Totals.Preemptions); got != "2 3 0" {
		t.Errorf("steps, guesses and preemptions: %s", got)
	}
}
