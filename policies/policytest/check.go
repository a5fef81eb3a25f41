package policytest

import (
	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/units"
)

// Check fails t if a policy that fresh makes breaks the contract. Requests set
// memory aside as reserve says. The contract, for the decision at any time:
//
//   - the view is left as it was;
//   - Preempt holds sequences of the batch, each once, and nobody goes on who is less urgent,
//     where the least urgent goes first, but for prompts that leave;
//   - Swap counts some of Preempt, Restore some of the parked sequences, each of
//     which has a task, and what is parked fits the first tier;
//   - only a prompt that joins leaves again layer by layer;
//   - Admit is at most the number waiting, and each admitted one has a task; none
//     is admitted beside a preemption by recompute, which goes before it;
//   - no sequence has two tasks, and none that waits or was preempted has one;
//   - what a task has from the prefix cache is what the view showed as the
//     hit of a request that joins, and nothing else;
//   - a task has between 1 and Pending tokens, those cached apart, and blocks for
//     all tokens that are in memory after it, guesses too, never fewer than before;
//     of a prompt that leaves, for some of them;
//   - only sequences that decode guess;
//   - all blocks together fit the replica;
//   - a decision without tasks admits nobody and, unless sequences that have ended
//     are to leave, preempts nobody and waits for a finite time in the future while
//     any sequence is there;
//   - a policy that plans from totals decides what it decides from the sequences;
//   - every request ends.
//
// In half of the scenarios sequences that have ended stay in the batch for one more
// plan, as under asynchronous scheduling.
func Check(t rapid.TB, reserve policies.Reservation, fresh func() policies.Batching) {
	t.Helper()
	for range 10 { // one scenario in a hundred preempts a sequence that shares blocks
		rapid.Check(t, func(t *rapid.T) {
			if err := drawScenario(t).run(reserve, fresh(), fresh()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// scenario is a replica and its requests, in order of arrival. Each of them
// fits the replica when it is empty.
type scenario struct {
	blockSize int
	blocks    int
	tier      int  // blocks of the first tier
	caching   bool // of prefixes
	async     bool // the plan behind a step is made before its ends are known

	leastUrgentFirst bool // is preempted
	requests         []request
}

type request struct {
	arrival              units.Seconds
	prompt, output       int
	prefix, prefixTokens int // shared with requests of the same prefix; 0: none
	rank                 float64
}

func drawScenario(t *rapid.T) scenario {
	s := scenario{
		blockSize: rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "block size"),
		blocks:    rapid.SampledFrom([]int{5, 10, 16}).Draw(t, "blocks"),
		tier:      rapid.SampledFrom([]int{0, 4, 12, 100}).Draw(t, "tier"),
		caching:   rapid.Bool().Draw(t, "caching"),
		async:     rapid.Bool().Draw(t, "async"),

		leastUrgentFirst: rapid.Bool().Draw(t, "least urgent first"),
	}
	// A whole batch of short requests fits, or hardly two of the longest.
	longest := max(2, s.blocks*s.blockSize/rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "longest"))
	at := units.Seconds(0)
	for range rapid.SampledFrom([]int{3, 8, 16}).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 1, 1, 1, 10}).Draw(t, "gap"))
		r := request{arrival: at, rank: float64(rapid.IntRange(0, 2).Draw(t, "rank"))}
		r.prompt = drawLength(t, "prompt", longest-1)
		r.output = drawLength(t, "output", longest-r.prompt)
		if r.prefix = rapid.SampledFrom([]int{0, 1, 1, 1, 2}).Draw(t, "prefix"); r.prefix > 0 {
			r.prefixTokens = rapid.SampledFrom([]int{r.prompt, (r.prompt + 1) / 2}).Draw(t, "prefix tokens")
		}
		s.requests = append(s.requests, r)
	}
	return s
}

// drawLength draws a length from 1 to longest, the long ones as often as the
// short ones.
func drawLength(t *rapid.T, name string, longest int) int {
	return 1 + (longest-1)*rapid.SampledFrom([]int{0, 1, 2, 3, 4}).Draw(t, name)/4
}

// tokens is how many tokens all requests come to.
func (s *scenario) tokens() int {
	n := 0
	for _, r := range s.requests {
		n += r.prompt + r.output
	}
	return n
}
