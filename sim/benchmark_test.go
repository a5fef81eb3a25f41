package sim

import (
	"context"
	"fmt"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/policies"
	"kneepoint/workloads"
)

// BenchmarkReference simulates llama-3.1-8b on one h100-sxm under vLLM, at a
// rate that it keeps up with and at one that overloads it. It reports simulated
// requests and steps per second of computing.
func BenchmarkReference(b *testing.B) {
	for _, rate := range []float64{10, 94} {
		b.Run(fmt.Sprintf("rate=%v", rate), func(b *testing.B) {
			const requests = 2000
			cost := referenceModel(b)
			workload := poisson(rate, requests,
				workloads.LengthSpec{Type: "normal", Mean: 512, Std: 128, Min: 64, Max: 1024},
				workloads.LengthSpec{Type: "normal", Mean: 256, Std: 64, Min: 16, Max: 512})
			var steps int64
			b.ReportAllocs()
			for replication := 0; b.Loop(); replication++ {
				config := setup{workload: workload, cost: cost, batching: continuous(256, 8192)}.config(b, 1, replication)
				config.Blocks = cost.Capacity().KVTokens / config.BlockSize
				config.FrontEnd = cost.RequestTime
				config.Reserve = policies.ReservePaged
				rec, err := Run(context.Background(), config)
				if err != nil {
					b.Fatal(err)
				}
				steps += rec.Totals.Steps
			}
			seconds := b.Elapsed().Seconds()
			b.ReportMetric(requests*float64(b.N)/seconds, "requests/s")
			b.ReportMetric(float64(steps)/seconds, "steps/s")
		})
	}
}

func referenceModel(b *testing.B) *roofline.Model {
	accelerator, err := hardware.LookupAccelerator("h100-sxm")
	if err != nil {
		b.Fatal(err)
	}
	engine, err := hardware.LookupEngine("vllm-v1")
	if err != nil {
		b.Fatal(err)
	}
	architecture, err := model.Lookup("llama-3.1-8b")
	if err != nil {
		b.Fatal(err)
	}
	cost, err := roofline.New(roofline.Deployment{Accelerator: accelerator, Engine: engine, Architecture: architecture})
	if err != nil {
		b.Fatal(err)
	}
	return cost
}
