package scenario

import (
	"fmt"
	"math"

	"kneepoint/hardware"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// addTiers gives the pool the strategy's tiers, whose sizes are for a replica: a block
// is spread over its accelerators. With layer-wise offload a part of the first tier
// counts as memory of the replica, since decode steps can read it while they compute.
func (s *Strategy) addTiers(p *sim.Pool, r *server) error {
	if s.Offload == "none" {
		return nil
	}
	p.SerialMoves = s.SerialTransfers
	p.BlockBytes, p.StateBytes = r.kvPerToken*units.Bytes(s.BlockSize), r.state
	for i, t := range s.Tiers {
		blocks := math.Floor(float64(t.Size) / (float64(p.BlockBytes) * float64(r.resources.Accelerators)))
		if blocks < 1 {
			return &badinput.Error{Key: fmt.Sprintf("strategy.kv.tiers[%d].size", i), Value: t.Size.String(), Problem: "does not hold one KV block",
				Allowed: fmt.Sprintf("at least %s", p.BlockBytes*units.Bytes(r.resources.Accelerators))}
		}
		p.Tiers = append(p.Tiers, sim.Tier{Name: t.Name, Blocks: int(min(blocks, 1<<40)), Bandwidth: t.Bandwidth,
			BandwidthOut: t.BandwidthOut, Latency: t.Latency})
	}
	if s.Offload == "layerwise" {
		p.Layers = r.layers
		p.Streamed = streamable(p, r)
		p.Blocks += p.Streamed
		p.Tiers[0].Blocks -= p.Streamed
	}
	return nil
}

// streamable is the number of blocks that the fastest decode step can read from
// the first tier while it computes: all moves but one layer's are hidden.
func streamable(p *sim.Pool, r *server) int {
	tier := &p.Tiers[0]
	step := r.cost.Step(&hardware.Work{DecodeRows: 1, DecodeContext: 1, LogitRows: 1}).Time
	hidden := step*units.Seconds(1-1/float64(p.Layers)) - tier.Latency
	blocks := float64(tier.Bandwidth) * float64(max(0, hidden)) / float64(p.BlockBytes)
	return int(min(blocks, float64(tier.Blocks)))
}
