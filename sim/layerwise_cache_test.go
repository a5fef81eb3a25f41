package sim

import (
	"math/rand/v2"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
)

// TestLayerWiseKeepsTheCache: prompts that leave layer by layer find what is cached, and
// leave copies that others find: as much is found as without them.
func TestLayerWiseKeepsTheCache(t *testing.T) {
	effort.Whole(t)
	requests := prefixed(rand.New(rand.NewPCG(1, 2)), 600, 40, 1024, 200, 800, 20)
	rate := func(layers int) float64 {
		config := written(&scripted{requests: requests}, 2000, continuous(64, 2048)())
		p := &config.Pools[0]
		p.Cost = &hardware.Synthetic{StepFixed: 5e-3, PerDecodeRow: 2e-5, PerPrefillToken: 1e-4}
		p.BlockSize, p.Eviction = 16, policies.LRU{}
		if layers > 0 {
			p.Layers, p.BlockBytes, p.Tiers = layers, 1, []Tier{{Blocks: 100_000, Bandwidth: 1e5}}
			p.Batching = inOrder(&policies.LayerWise{Layers: layers,
				Swapping: policies.Swapping{Batching: continuous(64, 2048)(), MaxNumSeqs: 64, MaxNumBatchedTokens: 2048}})
		}
		rec, w, err := watch(config)
		if err != nil {
			t.Fatal(err)
		}
		if layers > 0 && rec.Totals.MovedBytes == 0 {
			t.Error("nothing left: nothing was tested")
		}
		m := &w.fleet.replicas[0].memory
		if m.free != m.total {
			t.Errorf("%d of %d blocks are free after the run", m.free, m.total)
		}
		return float64(rec.Totals.CachedTokens) / float64(rec.Totals.AdmittedTokens)
	}
	paged, layerwise := rate(0), rate(32)
	t.Logf("hit rate %.3f paged, %.3f layer by layer", paged, layerwise)
	if layerwise < paged-0.02 {
		t.Errorf("%.3f of the tokens are found where prompts leave layer by layer, %.3f elsewhere", layerwise, paged)
	}
}
