package sim

import (
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/workloads"
)

// cycling is a workload of n prompts that come again and again.
func cycling(n, requests, prompt int) setup {
	workload := poisson(1, requests, fixed(float64(prompt)), fixed(8))
	workload.Prefix = &workloads.PrefixSpec{Distinct: n}
	return setup{
		workload:      workload,
		cost:          &hardware.Synthetic{StepFixed: 1e-3, PerPrefillToken: 1e-6},
		batching:      continuous(64, math.MaxInt),
		prefixCaching: true,
	}
}

// TestWholePromptsHit: after the first cycle every prompt is in memory but for
// its last block, in which the last token must be computed.
func TestWholePromptsHit(t *testing.T) {
	for _, tt := range []struct{ prompt, cached int }{{547, 544}, {544, 528}, {15, 0}, {17, 16}} {
		const n, requests = 10, 200
		rec := cycling(n, requests, tt.prompt).run(t, 1, 0)
		if got, want := rec.Totals.CachedTokens, int64((requests-n)*tt.cached); got != want {
			t.Errorf("prompts of %d tokens: %d tokens were cached, want %d", tt.prompt, got, want)
		}
		if got, want := rec.Totals.AdmittedTokens, int64(requests*tt.prompt); got != want {
			t.Errorf("prompts of %d tokens: %d tokens were admitted, want %d", tt.prompt, got, want)
		}
	}
}

// TestLRUForgetsACycle: least recently used eviction is worst for a cycle that
// is longer than the memory: nothing ever hits.
func TestLRUForgetsACycle(t *testing.T) {
	s := cycling(10, 200, 160)
	s.batching = continuous(1, math.MaxInt)
	s.blocks = 10*9 + 1 // a request holds 11 blocks, and nine prompts of 10 fit beside
	if got := s.run(t, 1, 0).Totals.CachedTokens; got != 0 {
		t.Errorf("%d tokens were cached in a memory that is one prompt short of the cycle", got)
	}
	s.blocks = 10*11 + 1
	if got := s.run(t, 1, 0).Totals.CachedTokens; got != 190*144 {
		t.Errorf("%d tokens were cached in a memory that holds the cycle, want %d", got, 190*144)
	}
}

// TestLengthAwareKeepsBeginnings: in a cycle that is longer than the memory, where
// LRU keeps nothing of use, evicting the deepest blocks keeps the beginning of
// every prompt: of 80 blocks beside the request that runs, 8 of each.
func TestLengthAwareKeepsBeginnings(t *testing.T) {
	s := cycling(10, 200, 160)
	s.batching = continuous(1, math.MaxInt)
	s.blocks = 80 + 11
	c := s.config(t, 1, 0)
	c.Pools[0].Eviction = policies.LengthAware{}
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got := float64(rec.Totals.CachedTokens) / (190 * 8 * 16); got < 0.95 || got > 1.1 {
		t.Errorf("%.2f of the tokens were cached that should be", got)
	}
}

// TestTurnsFindWhatWasSaid: with room for everything, a turn computes only what is
// new, what did not fill a block, and the last token of the answer before it.
func TestTurnsFindWhatWasSaid(t *testing.T) {
	const turns, first, input, output, conversations = 5, 100, 50, 30, 40
	workload := poisson(1, turns*conversations, fixed(input), fixed(output))
	long := fixed(first)
	workload.Session = &workloads.SessionSpec{Turns: workloads.Turns(fixed(turns)), FirstInput: &long, ThinkTime: workloads.Thinking(3), Start: "at_once"}
	workload.Arrival = nil
	workload.Session.Users = 8
	s := setup{
		workload:      workload,
		cost:          &hardware.Synthetic{StepFixed: 1e-3, PerPrefillToken: 1e-6},
		batching:      continuous(64, math.MaxInt),
		prefixCaching: true,
	}
	cached, said := 0, first+output
	for range turns - 1 {
		cached += (said - 1) / 16 * 16
		said += input + output
	}
	rec := s.run(t, 1, 0)
	if got, want := rec.Totals.CachedTokens, int64(conversations*cached); got != want {
		t.Errorf("%d tokens were cached, want %d", got, want)
	}
	s.workload.Prefix = &workloads.PrefixSpec{Count: 1, Tokens: 160}
	// The prefix fills blocks of its own; it is computed once, though the first eight
	// conversations begin at once.
	if got, want := s.run(t, 1, 0).Totals.CachedTokens, int64(conversations*(cached+turns*160)-160); got != want {
		t.Errorf("behind a shared prefix %d tokens were cached, want %d", got, want)
	}
}

// TestSharedBlocksAreHeldOnce: requests that run together share the blocks of
// their common prefix, which leaves room for more of them.
func TestSharedBlocksAreHeldOnce(t *testing.T) {
	s := cycling(1, 40, 1600)
	s.workload.Arrival.Rate = 1e3
	s.blocks = 102 + 12*2 // one whole request, and two blocks for each further one
	with := s.run(t, 1, 0)
	s.prefixCaching = false
	without := s.run(t, 1, 0)
	if a, b := with.Ended, without.Ended; !(a < b/3) {
		t.Errorf("with shared blocks the run takes %v, without %v: want less than a third", a, b)
	}
}

// TestCacheWithoutSharing: caching changes nothing where no prompt is like another,
// and nobody is preempted who could find his own blocks again.
func TestCacheWithoutSharing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := setup{
			workload: poisson(rapid.Float64Range(1, 1000).Draw(t, "rate"), 40, exponential(60), exponential(30)),
			cost:     &hardware.Synthetic{StepFixed: 1e-3, PerDecodeRow: 1e-4},
			batching: continuous(rapid.IntRange(1, 20).Draw(t, "seqs"), rapid.IntRange(16, 200).Draw(t, "tokens")),
			blocks:   rapid.IntRange(8, 60).Draw(t, "blocks"),
			reserve:  policies.ReserveDeclared,
		}
		config := s.config(t, 1, 0)
		off, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		s.prefixCaching = true
		on, err := Run(t.Context(), s.config(t, 1, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range on.Pools[0].Replicas {
			r.Totals.AdmittedTokens, r.Totals.AdmittedBlocks, r.Totals.ReuseAsked = 0, 0, 0
		}
		on.AddUp()
		if diff := cmp.Diff(off, on, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Fatal(diff)
		}
	})
}
