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
		input := rapid.IntRange(1, 30).Draw(t, "input")
		if rapid.IntRange(0, 2).Draw(t, "ends with an ID") == 0 {
			input = min(span, 30)
		}
		traffic.add(at, input, rapid.IntRange(1, 40).Draw(t, "output"))
		r := &traffic.requests[len(traffic.requests)-1]
		r.Content = drawContent(t, rapid.IntRange(1, 3).Draw(t, "depth"), span)
		r.Named = r.Input + rapid.SampledFrom([]int{0, r.Output, r.Output}).Draw(t, "named")
	}
	scheduler := rapid.SampledFrom(schedulers).Draw(t, "scheduler")
	limits := policies.Parameters{MaxNumSeqs: rapid.IntRange(1, 8).Draw(t, "seqs"), MaxNumBatchedTokens: rapid.IntRange(30, 80).Draw(t, "tokens")}
	if scheduler.Chunks {
		limits.MaxNumBatchedTokens = rapid.IntRange(4, 80).Draw(t, "tokens of chunks")
	}
	pool := Pool{
		Replicas: rapid.IntRange(1, 2).Draw(t, "replicas"), Cost: &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 0.1, PerDecodeRow: 0.01},
		FrontEnd: func(int) units.Seconds { return 0 }, Reserve: policies.ReservePaged, MaxTokens: math.MaxInt,
		BlockSize: rapid.IntRange(1, 5).Draw(t, "block size"), AsyncScheduling: rapid.Bool().Draw(t, "async scheduling"),
		Eviction: rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LRU{}, policies.LFU{}, policies.LengthAware{}}).Draw(t, "eviction"),
	}
	if scheduler.NeverPreempts != "" {
		pool.Reserve = policies.ReserveDeclared
	}
	pool.Blocks = 70/pool.BlockSize + 2 + rapid.IntRange(0, 100).Draw(t, "more blocks")
	switch rapid.IntRange(0, 4).Draw(t, "what happens to names") {
	case 0:
		pool.Tiers, pool.BlockBytes = []Tier{{Blocks: 20, Bandwidth: 30}}, 1
	case 1, 2:
		if pool.Eviction == (policies.LRU{}) {
			pool.CacheTTL = rapid.SampledFrom([]units.Seconds{3.3717, 17.7717}).Draw(t, "TTL")
		}
	}
	return func() Config {
		p := pool
		p.Batching = func() policies.Batching { return scheduler.New(limits) }
		return Config{Traffic: traffic.again(), Drain: true, Pools: []Pool{p}, Router: always(mostCached{})}
	}
}

// TestNamesPutOffAgree is the proof that it makes no difference when blocks get their names that are filled while sequences decode.
func TestNamesPutOffAgree(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { compareEngines(t, drawNamed(t)) })
}
