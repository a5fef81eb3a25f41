package sim

import (
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/workloads"
)

// TestCertainTokensAgree: a sequence that is preempted behind steps that were computed ahead finds again what it had in
// memory and knew when the last of them was planned, and no token more.
func TestCertainTokensAgree(t *testing.T) {
	effort.Check(t, 1, func(t *rapid.T) { compareEngines(t, drawShortOfBlocks(t)) })
}

// drawShortOfBlocks is a few long answers with guesses in blocks of a token or two, more than there is memory for.
func drawShortOfBlocks(t *rapid.T) func() Config {
	block, guesses := rapid.IntRange(1, 2).Draw(t, "block"), rapid.IntRange(1, 3).Draw(t, "guesses")
	probability := rapid.SampledFrom([]float64{0, 0.5, 0.9}).Draw(t, "acceptance")
	requests, longest := rapid.IntRange(2, 5).Draw(t, "requests"), rapid.IntRange(10, 40).Draw(t, "longest")
	async := rapid.Bool().Draw(t, "async")
	return func() Config {
		traffic := &scripted{}
		for i := range requests {
			traffic.add(0, 2+i, longest)
		}
		c := written(traffic, (3*longest/2+10)/block, &policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 200,
			Guesses: &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: guesses}}})
		p := &c.Pools[0]
		p.BlockSize, p.Eviction, p.AsyncScheduling = block, policies.LRU{}, async
		p.Cost = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 0.125}
		p.Acceptance = workloads.NewAcceptance([]float64{probability}, 1, 0)
		return c
	}
}
