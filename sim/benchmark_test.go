package sim

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// chat is the requests of most benchmarks.
var (
	chatInput  = workloads.LengthSpec{Type: "normal", Mean: 512, Std: 128, Min: 64, Max: 1024}
	chatOutput = workloads.LengthSpec{Type: "normal", Mean: 256, Std: 64, Min: 16, Max: 512}
)

// BenchmarkStretch simulates llama-3.1-8b on H100s under vLLM with the stretch
// engine, and with the reference engine for comparison, in turns. It reports
// simulated requests per second of CPU time and how many times as many that is
// as with the reference engine; both include the metrics.
func BenchmarkStretch(b *testing.B) {
	for _, s := range []struct {
		name          string
		rate          float64
		requests      int
		replicas      int
		input, output workloads.LengthSpec
	}{
		{"A/steady", 10, 10000, 1, chatInput, chatOutput},
		{"B/overload", 94, 10000, 1, chatInput, chatOutput},
		{"C/long", 1, 2000, 1, fixed(1024), fixed(4096)},
		{"D/fleet", 160, 20000, 16, chatInput, chatOutput},
	} {
		b.Run(s.name, func(b *testing.B) {
			cost := benchmarkModel(b)
			setup := setup{workload: poisson(s.rate, s.requests, s.input, s.output), cost: cost,
				batching: continuous(256, 8192), replicas: s.replicas, blocks: cost.Capacity().KVTokens / 16}
			var stretch, reference time.Duration
			for replication := 0; b.Loop(); replication++ {
				config := setup.config(b, 1, replication)
				config.Pools[0].FrontEnd = cost.RequestTime
				stretch += simulated(b, config)
				config = setup.config(b, 1, replication)
				config.Pools[0].FrontEnd = cost.RequestTime
				config.Reference = true
				reference += simulated(b, config)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(s.requests)*float64(b.N)/stretch.Seconds(), "requests/CPU-s")
			b.ReportMetric(reference.Seconds()/stretch.Seconds(), "x-reference")
		})
	}
}

// BenchmarkGrowth shows how the cost of a request grows with the length of a run.
func BenchmarkGrowth(b *testing.B) {
	for _, requests := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("requests=%d", requests), func(b *testing.B) {
			cost := benchmarkModel(b)
			s := setup{workload: poisson(10, requests, chatInput, chatOutput), cost: cost,
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

// BenchmarkClosedLoop simulates 20 clients for each replica, who send their next
// request when they have an answer. It reports how many times the CPU time of as
// many requests on one replica that takes.
func BenchmarkClosedLoop(b *testing.B) {
	const requests = 50_000
	for _, replicas := range []int{4, 16, 64} {
		b.Run(fmt.Sprintf("replicas=%d", replicas), func(b *testing.B) {
			cost := benchmarkModel(b)
			spent := func(replicas, replication int) time.Duration {
				s := setup{cost: cost, batching: continuous(256, 8192), replicas: replicas, blocks: cost.Capacity().KVTokens / 16,
					workload: workloads.Spec{NumRequests: requests, Input: &chatInput, Output: &chatOutput,
						Arrival: &workloads.ArrivalSpec{Process: "closed", Concurrency: 20 * replicas, ThinkTime: workloads.Thinking(1), Start: "at_once"}}}
				return simulated(b, s.config(b, 1, replication))
			}
			var one, many time.Duration
			for replication := 0; b.Loop(); replication++ {
				one += spent(1, replication)
				many += spent(replicas, replication)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(requests*float64(b.N)/many.Seconds(), "requests/CPU-s")
			b.ReportMetric(many.Seconds()/one.Seconds(), "x-one-replica")
		})
	}
}

// simulated runs config, with its metrics, and returns the CPU time that took.
func simulated(b *testing.B, config Config) time.Duration {
	before := processTime(b)
	rec, err := Run(context.Background(), config)
	if err != nil {
		b.Fatal(err)
	}
	metrics.Summarize(rec, metrics.Objective{TTFT: 1, TPOT: 0.05}, []metrics.Deployment{{}})
	return processTime(b) - before
}

// processTime is the CPU time that the process has used, collector included.
func processTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func benchmarkModel(b *testing.B) *roofline.Model {
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
