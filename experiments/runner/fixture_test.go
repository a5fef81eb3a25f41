package runner

import (
	"iter"
	"slices"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/workloads"
)

// small is a simulation of few requests on a replica with steps of 10 ms.
func small(replication int) scenario.Scenario {
	return scenario.Scenario{
		Order: "fcfs",
		Pools: []scenario.Pool{{
			Replicas: 1,
			Deployment: scenario.Deployment{Synthetic: &hardware.Synthetic{StepFixed: 0.01},
				Bare: &scenario.Bare{KVTokens: 10000, Stages: 1, Accelerators: 1}},
			Strategy: scenario.Strategy{Scheduler: "vllm-v1", MaxNumSeqs: 8, MaxNumBatchedTokens: 512, Preemption: "recompute",
				Reserve: "paged", BlockSize: 16, Offload: "none", Frontend: scenario.Frontend{Pipelined: true, Stream: true}},
		}},
		Traffic: workloads.Spec{NumRequests: 20, Arrival: &workloads.ArrivalSpec{Process: "poisson", Rate: 5},
			Input: &workloads.LengthSpec{Type: "fixed", Mean: 10}, Output: &workloads.LengthSpec{Type: "fixed", Mean: 5}},
		Measure:     scenario.Measure{Drain: true},
		Seed:        1,
		Replication: replication,
	}
}

// crashing is a simulation that panics: its guesses have no probabilities.
func crashing() scenario.Scenario {
	s := small(0)
	s.Pools[0].Strategy.Speculation = &scenario.Speculation{Tokens: 2}
	return s
}

func sequence(scenarios ...scenario.Scenario) iter.Seq[scenario.Scenario] {
	return slices.Values(scenarios)
}
