package policytest

import (
	"pgregory.net/rapid"

	"kneepoint/internal/units"
	"kneepoint/policies"
)

// Check fails t if a policy that fresh makes breaks the contract. Requests set
// memory aside as reserve says. The contract, for the decision at any time:
//
//   - the view is left as it was;
//   - Preempt holds sequences of the batch, each once;
//   - Admit is at most the number waiting, and each admitted one has a task;
//   - no sequence has two tasks, and none that waits or was preempted has one;
//   - a task has between 1 and Pending tokens, and blocks for all tokens that
//     are computed after it, never fewer than before;
//   - all blocks together fit the replica;
//   - a decision without tasks preempts and admits nobody and, while any
//     sequence is there, waits for a finite time in the future;
//   - every request ends.
func Check(t rapid.TB, reserve policies.Reservation, fresh func() policies.Batching) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		if err := drawScenario(t).run(reserve, fresh()); err != nil {
			t.Fatal(err)
		}
	})
}

// scenario is a replica and its requests, in order of arrival. Each of them
// fits the replica when it is empty.
type scenario struct {
	blockSize int
	blocks    int
	requests  []request
}

type request struct {
	arrival        units.Seconds
	prompt, output int
}

func drawScenario(t *rapid.T) scenario {
	s := scenario{
		blockSize: rapid.IntRange(1, 8).Draw(t, "block size"),
		blocks:    rapid.IntRange(2, 12).Draw(t, "blocks"),
	}
	// A whole batch of short requests fits, or hardly two of the longest.
	longest := rapid.IntRange(2, s.blocks*s.blockSize).Draw(t, "longest")
	at := units.Seconds(0)
	for range rapid.IntRange(1, 12).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.5, 1, 10}).Draw(t, "gap"))
		prompt := rapid.IntRange(1, longest-1).Draw(t, "prompt")
		output := rapid.IntRange(1, longest-prompt).Draw(t, "output")
		s.requests = append(s.requests, request{at, prompt, output})
	}
	return s
}

// tokens is how many tokens all requests come to.
func (s *scenario) tokens() int {
	n := 0
	for _, r := range s.requests {
		n += r.prompt + r.output
	}
	return n
}
