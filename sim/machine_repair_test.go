package sim

import (
	"fmt"
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// machineRepair is the closed queue M/M/1//N: n clients with exponential think times of
// mean z, one server with exponential services of mean 1. It returns throughput and
// mean response, from the birth-death chain of the number at the server, and by Little's law
// over the whole cycle R = N/X - Z.
func machineRepair(n int, z float64) (throughput, response float64) {
	weight, total := 1.0, 1.0
	for k := 1; k <= n; k++ {
		weight *= float64(n-k+1) / z
		total += weight
	}
	throughput = 1 - 1/total
	return throughput, float64(n)/throughput - z
}

// TestMachineRepair holds closed loops against M/M/1//N, with few clients and many, idle and
// busy servers, for both ways to start. Another law of think times of the same mean leaves
// throughput and response as they are with processor sharing, and here nearly so.
func TestMachineRepair(t *testing.T) {
	effort.Whole(t)
	for _, c := range []struct {
		clients int
		think   float64
	}{{1, 3}, {2, 1}, {5, 10}, {10, 10}, {20, 15}, {40, 100}} {
		for _, start := range []string{"", "at_once"} {
			t.Run(fmt.Sprintf("%d clients, %v s, %s", c.clients, c.think, start), func(t *testing.T) {
				throughput, response := machineRepair(c.clients, c.think)
				s := singleServer(1, 20000, exponential(100000), 100000)
				s.workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: c.clients, Start: start,
					ThinkTime: workloads.ThinkTime{Type: "exponential", Mean: c.think}}
				estimates := s.replicateAll(t, sojourn, func(rec *metrics.Record) float64 {
					last := rec.Requests[len(rec.Requests)-1].Arrival
					first := rec.Requests[s.warmup].Arrival
					return float64(len(rec.Requests)-1-s.warmup) / float64(last-first)
				})
				estimates[0].check(t, "E[T]", response)
				estimates[1].check(t, "throughput", throughput)
			})
		}
	}
}

// TestClosedLoopsDoNotMarch: where all that wait are served together, each for half a
// second more, clients who start at once and think equally long meet for ever: forty of
// them take 20 s every time. Those who join one by one are hardly two at a time.
func TestClosedLoopsDoNotMarch(t *testing.T) {
	const clients, think = 40, 50.0
	times := map[string]float64{}
	for _, start := range []string{"staggered", "at_once"} {
		s := setup{workload: poisson(1, 4000, fixed(1), fixed(1)), cost: &hardware.Synthetic{PerPrefillChunk: 0.5}, batching: continuous(clients, math.MaxInt), warmup: 2000}
		s.workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: clients, ThinkTime: workloads.Thinking(think), Start: start}
		times[start] = sojourn(s.run(t, 1, 0))
	}
	if times["staggered"] > 1.5 || math.Abs(times["at_once"]-20) > 1e-9 {
		t.Errorf("mean times in the system %v, want 20 s where all start at once, and little more than 0.5 s where not", times)
	}
}
