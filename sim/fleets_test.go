package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/routing"
)

// drawFleet is a scene of several pools, some of which serve only some classes, under one
// of the routers that experiments can name.
func drawFleet(t *rapid.T) func() Config {
	s := drawScene(t)
	entry := rapid.SampledFrom(routing.Routers).Draw(t, "router entry")
	s.config.Router = func() routing.Router { return entry.New(entry.Defaults, rand.New(rand.NewPCG(1, 2))) }
	pools := make([]Pool, rapid.IntRange(1, 3).Draw(t, "pools beside"))
	for i := range pools {
		p := s.config.Pools[0]
		p.Replicas, p.Batching = rapid.IntRange(1, 3).Draw(t, "replicas of the pool"), s.policy
		if s.size == 0 {
			p.Reserve = policies.ReserveDeclared // of replicas with as many blocks
		}
		p.Blocks += rapid.IntRange(0, 9).Draw(t, "blocks more")
		p.Weight = rapid.SampledFrom([]float64{0, .5, 3}).Draw(t, "weight")
		p.Classes = rapid.SampledFrom([][]int{nil, {0}, {1, 2}}).Draw(t, "classes")
		if rapid.Bool().Draw(t, "slower") {
			p.Cost = scaledCost{p.Cost, 1.5}
		}
		pools[i] = p
	}
	return func() Config {
		c := s.fresh()
		c.Pools = append(c.Pools, slices.Clone(pools)...)
		return c
	}
}

// TestFleetsAgreeWithSteps is the proof of the stretch engine for fleets of different pools.
func TestFleetsAgreeWithSteps(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { compareEngines(t, drawFleet(t)) })
}
