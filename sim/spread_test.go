package sim

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kneepoint/internal/effort"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
)

// toFirst sends everything to one replica.
type toFirst struct{}

// Route implements routing.Router.
func (toFirst) Route(*routing.Request, routing.Replicas) int { return 0 }

// TestLoadImbalance: of two independent M/M/1 queues, whose numbers of requests are geometric,
// the longer one has 2ρ/(1-ρ) - ρ²/(1-ρ²) on average and the mean is ρ/(1-ρ), so that the
// imbalance is 2 - ρ/(1+ρ). Where one has everything it is 2; the shorter queue is more
// even. A server is idle for 1 - ρ of the time.
func TestLoadImbalance(t *testing.T) {
	effort.Whole(t)
	const rho = 0.8
	s := singleServer(2*rho, 40000, exponential(100000), 100000)
	s.replicas = 2
	s.router = func() routing.Router { return &routing.Random{Random: rand.New(rand.NewPCG(1, 2))} }
	random := s.replicateAll(t, ofRun(metrics.LoadImbalance), ofRun(metrics.IdleShare))
	random[0].within(t, 0.05, "imbalance at random", 2-rho/(1+rho))
	random[1].check(t, "idle share", 1-rho)
	s.router = always(fewest{})
	if x := stat.Mean(s.replicate(t, ofRun(metrics.LoadImbalance)), nil); x < 1 || x > 1.3 {
		t.Errorf("the imbalance is %v with the shorter queue", x)
	}
	s.router = always(toFirst{})
	if x := s.replicate(t, ofRun(metrics.LoadImbalance))[0]; x != 2 {
		t.Errorf("the imbalance is %v where one of two has everything", x)
	}
}

// ofRun is a metric of a run.
func ofRun(key string) func(*metrics.Record) float64 {
	return func(rec *metrics.Record) float64 {
		return metrics.Summarize(rec, metrics.Objective{}, []metrics.Deployment{{}}).Get(key)
	}
}
