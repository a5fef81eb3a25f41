package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
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

// BenchmarkFleet simulates fleets at a load of .7, one whose router counts requests and one
// whose router does not look, and reports what a request costs.
func BenchmarkFleet(b *testing.B) {
	for _, replicas := range []int{1, 64, 1000} {
		for _, router := range []string{"round-robin", "least-requests"} {
			b.Run(fmt.Sprintf("%s/replicas=%d", router, replicas), func(b *testing.B) {
				requests := max(100_000, 300*replicas)
				cost := benchmarkModel(b)
				s := setup{workload: poisson(35*float64(replicas), requests, fixed(512), fixed(256)), cost: cost,
					batching: continuous(256, 8192), replicas: replicas, blocks: cost.Capacity().KVTokens / 16}
				if router == "least-requests" {
					s.router = func() routing.Router { return countless{rand.New(rand.NewPCG(1, 2))} }
				}
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
}
