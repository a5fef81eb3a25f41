package sim

import (
	"fmt"
	"testing"
	"time"

	"kneepoint/policies"
	"kneepoint/workloads"
)

// BenchmarkSpeculation simulates llama-3.1-8b with a drafter on an H100 under vLLM at a batch of about
// thirty, of which four guesses in a row are right with probability 0.6 each.
func BenchmarkSpeculation(b *testing.B) {
	cost := withDrafter(b)
	guesses := &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: 4}, Lookahead: 4}
	for _, tokens := range []float64{256, 1024, 4096} {
		b.Run(fmt.Sprintf("output=%.0f", tokens), func(b *testing.B) {
			requests := int(2_560_000 / tokens)
			output := workloads.LengthSpec{Type: "normal", Mean: tokens, Std: tokens / 4, Min: 16, Max: int(2 * tokens)}
			s := setup{workload: poisson(2560/tokens, requests, chatInput, output), cost: cost, blocks: cost.Capacity().KVTokens / 16,
				prefixCaching: true, batching: func() policies.Batching {
					return &policies.Continuous{MaxNumSeqs: 256, MaxNumBatchedTokens: 8192, Guesses: guesses}
				}}
			var spent time.Duration
			for replication := 0; b.Loop(); replication++ {
				c := s.config(b, 1, replication)
				c.Pools[0].Acceptance, c.Pools[0].AsyncScheduling = workloads.NewAcceptance([]float64{0.6}, 1, replication), true
				spent += simulated(b, c)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(requests)*float64(b.N)/spent.Seconds(), "requests/CPU-s")
		})
	}
}
