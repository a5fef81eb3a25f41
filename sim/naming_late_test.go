package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
)

// mostCached is a router that looks for the most of a prompt.
type mostCached struct{}

// Route implements routing.Router.
func (mostCached) Route(_ *routing.Request, replicas routing.Replicas) int {
	best := 0
	for i := range replicas.Len() {
		if replicas.Cached(i) > replicas.Cached(best) {
			best = i
		}
	}
	return best
}

// drawNamed is requests whose answers have names, many of them the same ones: others look for what is filled while it is, the router too,
// and fill the same themselves.
func drawNamed(t *rapid.T) func() Config {
	traffic := &scripted{}
	at, span := units.Seconds(0), rapid.IntRange(1, 40).Draw(t, "span")
	for range rapid.IntRange(2, 30).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.5, 1, 3.37, 8}).Draw(t, "gap"))
		traffic.add(at, rapid.IntRange(1, 30).Draw(t, "input"), rapid.IntRange(1, 40).Draw(t, "output"))
		r := &traffic.requests[len(traffic.requests)-1]
		r.Content = drawContent(t, rapid.IntRange(1, 3).Draw(t, "depth"), span)
		r.Named = r.Input + rapid.SampledFrom([]int{0, r.Output, r.Output}).Draw(t, "named")
	}
	replicas, seqs, budget := rapid.IntRange(1, 2).Draw(t, "replicas"), rapid.IntRange(1, 8).Draw(t, "seqs"), rapid.IntRange(4, 80).Draw(t, "tokens")
	pool := Pool{
		Replicas: replicas, Cost: &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 0.1, PerDecodeRow: 0.01},
		FrontEnd: func(int) units.Seconds { return 0 }, Reserve: policies.ReservePaged, MaxTokens: math.MaxInt,
		BlockSize: rapid.IntRange(1, 5).Draw(t, "block size"), AsyncScheduling: rapid.Bool().Draw(t, "async scheduling"),
		Eviction: rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LRU{}, policies.LFU{}, policies.LengthAware{}}).Draw(t, "eviction"),
	}
	pool.Blocks = 70/pool.BlockSize + 2 + rapid.IntRange(0, 100).Draw(t, "more blocks")
	switch rapid.IntRange(0, 4).Draw(t, "names matter elsewhere") {
	case 0:
		pool.Tiers, pool.BlockBytes = []Tier{{Blocks: 20, Bandwidth: 30}}, 1
	case 1:
		if pool.Eviction == (policies.LRU{}) {
			pool.CacheTTL = 7.7717
		}
	}
	return func() Config {
		p := pool
		p.Batching = continuous(seqs, budget)
		return Config{Traffic: traffic.again(), Drain: true, Pools: []Pool{p}, Router: always(mostCached{})}
	}
}

// TestNamesPutOffAgree is the proof that it makes no difference when blocks get their names that are filled while sequences decode.
func TestNamesPutOffAgree(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { compareEngines(t, drawNamed(t)) })
}
