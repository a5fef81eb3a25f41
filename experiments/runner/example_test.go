package runner_test

import (
	"context"
	"fmt"
	"slices"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/workloads"
)

// Two queues are simulated, the second time for nothing: the store has the outcome.
// A store of one's own would keep outcomes in files, or for a cluster.
func ExampleRun() {
	queue := scenario.Scenario{
		Order: "fcfs",
		Pools: []scenario.Pool{{
			Replicas: 1,
			Deployment: scenario.Deployment{
				Synthetic: &hardware.Synthetic{StepFixed: 0.1}, // seconds
				Bare:      &scenario.Bare{KVTokens: 1000, Stages: 1, Accelerators: 1},
			},
			Strategy: scenario.Strategy{Scheduler: "vllm-v1", MaxNumSeqs: 1, MaxNumBatchedTokens: 100, Preemption: "recompute",
				Reserve: "paged", BlockSize: 10, Offload: "none", Frontend: scenario.Frontend{Pipelined: true, Stream: true}},
		}},
		Traffic: workloads.Spec{
			NumRequests: 100,
			Arrival:     &workloads.ArrivalSpec{Process: "constant", Rate: 5},
			Input:       &workloads.LengthSpec{Type: "fixed", Mean: 10},
			Output:      &workloads.LengthSpec{Type: "fixed", Mean: 1},
		},
		Measure: scenario.Measure{Drain: true},
		Seed:    1,
	}
	store := &runner.Memory{}
	for range 2 {
		err := runner.Run(context.Background(), slices.Values([]scenario.Scenario{queue}), runner.Options{
			Store: store,
			Done: func(r runner.Result) {
				fmt.Printf("%.0f requests, mean TTFT %.0f ms\n", r.Outcome.Metrics["completed"], r.Outcome.Metrics["mean_ttft_ms"])
			},
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 100 requests, mean TTFT 100 ms
	// 100 requests, mean TTFT 100 ms
}
