package sim

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestMovesOverlap: moves beside a step of n layers hide all but a layer of the
// shorter of the two; moves before it hide nothing.
func TestMovesOverlap(t *testing.T) {
	pool := Pool{Batching: continuous(1, 1), Cost: &hardware.Synthetic{}, Blocks: 1, BlockSize: 1, SerialMoves: true,
		Tiers: []Tier{{Bandwidth: 10, Latency: 1}}, Layers: 4}
	for _, c := range []struct {
		before, beside units.Bytes
		want           units.Seconds
	}{
		{0, 0, 4},
		{20, 0, 4 + 1 + 2},
		{0, 10, 4 + (1+1)/4.0},    // compute is longer
		{0, 70, 4/4.0 + 1 + 7},    // the moves are
		{20, 70, 1 + 8 + (1 + 2)}, // both
		{math.SmallestNonzeroFloat64, 0, 4 + 1},
	} {
		m := newMachine(&fleet{config: &Config{Pools: []Pool{pool}}, record: metrics.Record{Pools: make([]metrics.PoolRecord, 1)},
			views: []*policies.Aggregate{newView(&pool, false)}}, 0, 0)
		m.step.moves.upFront[0].in, m.step.moves.byLayer.out = c.before, c.beside
		m.scheduleMoves()
		if got := m.step.moves.stepTime(4); got != c.want {
			t.Errorf("moves of %v and %v make 4 s %v", c.before, c.beside, got)
		}
	}
}

// takesAsItGoes tells whether the policy takes memory as tokens come, and moves none.
func (s *scene) takesAsItGoes() bool { return s.size > 0 && len(s.config.Pools[0].Tiers) == 0 }

// TestNoRoomBelowIsRecompute: with a tier that holds nothing, swapping and
// offloading layer by layer are the policy that they wrap.
func TestNoRoomBelowIsRecompute(t *testing.T) {
	for range 5 {
		rapid.Check(t, func(t *rapid.T) {
			s := drawSuiting(t, (*scene).takesAsItGoes)
			plain := s.reference()
			s.config.Pools[0].Tiers, s.config.Pools[0].BlockBytes = []Tier{{Bandwidth: 1}}, 1
			inner, layers := s.policy, rapid.SampledFrom([]int{0, 4}).Draw(t, "layers")
			s.config.Pools[0].Layers = layers
			s.policy = func() policies.Batching {
				swapping := policies.Swapping{Batching: inner(), MaxNumSeqs: s.size}
				if layers > 0 {
					return &policies.LayerWise{Layers: layers, Swapping: swapping}
				}
				return &swapping
			}
			want, err := Run(context.Background(), plain)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Run(context.Background(), s.reference())
			if err != nil {
				t.Fatal(err)
			}
			sameRequests(t, want, got)
			sameTotals(t, want, got)
		})
	}
}

// TestUnlimitedLinkIsMoreMemory: with a link of unlimited bandwidth, of which
// decode steps read everything, offloading layer by layer is the same as an
// accelerator with more memory.
func TestUnlimitedLinkIsMoreMemory(t *testing.T) {
	for range 5 {
		rapid.Check(t, func(t *rapid.T) {
			s := drawSuiting(t, func(s *scene) bool { return s.takesAsItGoes() && s.config.Pools[0].Blocks > 0 })
			larger := s.reference()
			outside := rapid.IntRange(1, s.config.Pools[0].Blocks).Draw(t, "outside")
			s.config.Pools[0].Streamed, s.config.Pools[0].Layers, s.config.Pools[0].BlockBytes = outside, 4, 1
			s.config.Pools[0].Tiers = []Tier{{Bandwidth: units.BytesPerSecond(math.Inf(1))}}
			inner := s.policy
			s.policy = func() policies.Batching {
				return &policies.LayerWise{Layers: 4, Swapping: policies.Swapping{Batching: inner(), MaxNumSeqs: s.size}}
			}
			want, err := Run(context.Background(), larger)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Run(context.Background(), s.reference())
			if err != nil {
				t.Fatal(err)
			}
			sameRequests(t, want, got)
			sameGaps(t, &want.ITL, &got.ITL)
			got.Totals.MovedBytes, got.Totals.Exposed = 0, 0
			sameTotals(t, want, got)
		})
	}
}
