package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// counting sends requests where the lists of the fleet say that the fewest are, and
// complains where a look at every replica finds fewer.
type counting struct {
	t      reporter
	random *rand.Rand
}

func newCounting(t reporter) func() routing.Router {
	return func() routing.Router { return counting{t, rand.New(rand.NewPCG(1, 2))} }
}

// Route implements routing.Router.
func (c counting) Route(r *routing.Request, replicas routing.Replicas) int {
	to := replicas.FewestRequests(c.random)
	for i := range replicas.Len() {
		if replicas.At(i).Requests() < replicas.At(to).Requests() {
			c.t.Errorf("request %d goes to a replica with %d requests; replica %d of %d has %d", r.ID, replicas.At(to).Requests(),
				replicas.Number(i), replicas.Len(), replicas.At(i).Requests())
		}
	}
	return to
}

// A fleet that follows its replicas counts their requests as a look at each does, in both
// engines.
func TestFewestRequestsAreFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		for _, reference := range []bool{false, true} {
			config := s.fresh()
			config.Router, config.Reference = newCounting(t), reference
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// countless is counting without the look at every replica.
type countless struct{ random *rand.Rand }

// Route implements routing.Router.
func (c countless) Route(_ *routing.Request, replicas routing.Replicas) int {
	return replicas.FewestRequests(c.random)
}

// TestOneReplicaWithAnyRouter: a router has no choice with one replica, and whatever it looks
// at changes nothing.
func TestOneReplicaWithAnyRouter(t *testing.T) {
	for _, entry := range routing.Routers {
		t.Run(entry.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawScene(t)
				s.count, s.config.Router, s.config.Queue, s.config.Pools[0].Scaling = 1, nil, nil, nil
				plain := recordOf(t, s.fresh())
				s.config.Router = func() routing.Router { return entry.New(entry.Defaults, rand.New(rand.NewPCG(1, 2))) }
				routed := recordOf(t, s.fresh())
				sameRequests(t, plain, routed)
				sameTotals(t, plain, routed)
			})
		})
	}
}

// BenchmarkFleet simulates fleets at a load of .7, under routers that look at nothing, at two
// replicas, at the counts of all, and at what all have cached. It reports requests per
// second of CPU time.
func BenchmarkFleet(b *testing.B) {
	for _, c := range []struct {
		router   string
		replicas int
		prefixes int
	}{
		{"round-robin", 1, 0}, {"round-robin", 64, 0}, {"round-robin", 1000, 0},
		{"power-of-two", 64, 0}, {"power-of-two", 1000, 0},
		{"least-requests", 64, 0}, {"least-requests", 1000, 0},
		{"round-robin", 64, 50}, {"prefix-aware", 64, 50}, {"sglang", 64, 50}, {"llm-d", 64, 50},
	} {
		b.Run(fmt.Sprintf("%s/replicas=%d/prefixes=%d", c.router, c.replicas, c.prefixes), func(b *testing.B) {
			requests := max(100_000, 300*c.replicas)
			cost := benchmarkModel(b)
			s := setup{workload: poisson(23.5*float64(c.replicas), requests, fixed(512), fixed(256)), cost: cost,
				batching: continuous(256, 8192), replicas: c.replicas, blocks: cost.Capacity().KVTokens / 16}
			if c.prefixes > 0 {
				s.workload.Prefix, s.prefixCaching = &workloads.PrefixSpec{Count: c.prefixes, Tokens: 512}, true
			}
			entry, _ := policies.Find(routing.Routers, c.router)
			s.router = func() routing.Router { return entry.New(entry.Defaults, rand.New(rand.NewPCG(1, 2))) }
			var spent time.Duration
			for replication := 0; b.Loop(); replication++ {
				config := s.config(b, 1, replication)
				config.Pools[0].FrontEnd = cost.RequestTime
				config.Stream = metrics.NewStream(metrics.Objective{})
				spent += simulated(b, config)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(requests)*float64(b.N)/spent.Seconds(), "requests/CPU-s")
		})
	}
}
