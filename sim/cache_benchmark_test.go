package sim

import (
	"testing"
	"time"

	"kneepoint/policies"
	"kneepoint/workloads"
)

// BenchmarkStretchCache simulates scenario A of BenchmarkStretch with prefix caching and
// without it, in turns: where requests share nothing, begin with one of 50 prefixes, or
// are turns of conversations, all of whose tokens have names. It reports how many
// times the CPU time of the same requests without a cache that takes.
func BenchmarkStretchCache(b *testing.B) {
	const requests = 20_000
	plain := poisson(10, requests, chatInput, chatOutput)
	prefixes, turns := plain, plain
	prefixes.Prefix = &workloads.PrefixSpec{Count: 50, Tokens: 512}
	turns.Arrival = &workloads.ArrivalSpec{Process: "poisson", Rate: 10.0 / 4}
	turns.Session = &workloads.SessionSpec{Turns: workloads.Turns(fixed(4)), ThinkTime: workloads.Thinking(10)}
	for _, s := range []struct {
		name     string
		workload workloads.Spec
	}{{"nothing-shared", plain}, {"prefixes", prefixes}, {"conversations", turns}} {
		b.Run(s.name, func(b *testing.B) {
			cost := benchmarkModel(b)
			spent := func(caching bool, replication int) time.Duration {
				s := setup{workload: s.workload, cost: cost, batching: continuous(256, 8192),
					blocks: cost.Capacity().KVTokens / 16, prefixCaching: caching}
				return simulated(b, s.config(b, 1, replication))
			}
			var with, without time.Duration
			for replication := 0; b.Loop(); replication++ {
				without += spent(false, replication)
				with += spent(true, replication)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(requests*float64(b.N)/with.Seconds(), "requests/CPU-s")
			b.ReportMetric(with.Seconds()/without.Seconds(), "x-without")
		})
	}
}

// BenchmarkConversations simulates turns of conversations by users who think for 30 s, on several replicas, in longer
// conversations, and under every order of eviction. It reports requests per second of CPU time, metrics and collector included.
func BenchmarkConversations(b *testing.B) {
	const requests = 20_000
	for _, c := range []struct {
		name                   string
		users, turns, replicas int
		eviction               policies.Eviction
	}{
		{"users=50", 50, 6, 1, policies.LRU{}},
		{"users=200", 200, 6, 1, policies.LRU{}},
		{"turns=24", 200, 24, 1, policies.LRU{}},
		{"replicas=4", 800, 6, 4, policies.LRU{}},
		{"lfu", 200, 6, 1, policies.LFU{}},
		{"length-aware", 200, 6, 1, policies.LengthAware{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			workload := poisson(1, requests, chatInput, chatOutput)
			workload.Arrival = nil
			workload.Session = &workloads.SessionSpec{Users: c.users, Turns: workloads.Turns(fixed(float64(c.turns))), ThinkTime: workloads.Thinking(30)}
			cost := benchmarkModel(b)
			spent := time.Duration(0)
			for replication := 0; b.Loop(); replication++ {
				s := setup{workload: workload, cost: cost, batching: continuous(256, 8192), replicas: c.replicas,
					blocks: cost.Capacity().KVTokens / 16, prefixCaching: true}
				config := s.config(b, 1, replication)
				config.Pools[0].Eviction = c.eviction
				spent += simulated(b, config)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(requests*float64(b.N)/spent.Seconds(), "requests/CPU-s")
		})
	}
}
