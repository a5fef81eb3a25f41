package sim

import (
	"fmt"
	"testing"
	"time"

	"kneepoint/hardware"
	"kneepoint/workloads"
)

// BenchmarkPipeline simulates llama-3.1-8b on two and four H100s that share its layers, at a batch of some twenty.
func BenchmarkPipeline(b *testing.B) {
	cost := benchmarkModel(b)
	for _, stages := range []int{2, 4} {
		for _, tokens := range []float64{256, 4096} {
			b.Run(fmt.Sprintf("stages=%d/output=%.0f", stages, tokens), func(b *testing.B) {
				requests := int(2_560_000 / tokens)
				output := workloads.LengthSpec{Type: "normal", Mean: tokens, Std: tokens / 4, Min: 16, Max: int(2 * tokens)}
				s := setup{workload: poisson(2560/tokens, requests, chatInput, output), cost: hardware.EvenStages{CostModel: cost, N: stages},
					batching: continuous(256, 8192), blocks: cost.Capacity().KVTokens / 16}
				var spent time.Duration
				for replication := 0; b.Loop(); replication++ {
					spent += simulated(b, s.config(b, 1, replication))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(requests)*float64(b.N)/spent.Seconds(), "requests/CPU-s")
			})
		}
	}
}
