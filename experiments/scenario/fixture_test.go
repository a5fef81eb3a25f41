package scenario_test

import (
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/workloads"
)

// replicas is a pool of replicas with steps of a fixed time.
func replicas(name string, n int, step units.Seconds) scenario.Pool {
	return scenario.Pool{
		Name:     name,
		Replicas: n,
		Deployment: scenario.Deployment{
			Synthetic: &hardware.Synthetic{StepFixed: step},
			Bare:      &scenario.Bare{KVTokens: 1000, Stages: 1, Accelerators: 1},
		},
		Strategy: scenario.Strategy{Scheduler: "vllm-v1", MaxNumSeqs: 4, MaxNumBatchedTokens: 100, Preemption: "recompute",
			Reserve: "paged", BlockSize: 10, Offload: "none", Frontend: scenario.Frontend{Pipelined: true, Stream: true}},
	}
}

// of is the scenario of pools with 50 requests of 10 tokens each way, two a second.
func of(pools ...scenario.Pool) scenario.Scenario {
	return scenario.Scenario{
		Pools: pools,
		Order: "fcfs",
		Traffic: workloads.Spec{
			NumRequests: 50,
			Arrival:     &workloads.ArrivalSpec{Process: "poisson", Rate: 2},
			Input:       &workloads.LengthSpec{Type: "fixed", Mean: 10},
			Output:      &workloads.LengthSpec{Type: "fixed", Mean: 10},
		},
		Measure: scenario.Measure{Drain: true},
		Seed:    1,
	}
}
