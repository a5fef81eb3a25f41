package scenario

import (
	"fmt"
	"math"

	"kneepoint/hardware"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// addTiers lets the run move keys and values to the strategy's tiers.
func (s *Strategy) addTiers(c *sim.Config, r *server) error {
	if s.Offload == "none" {
		return nil
	}
	c.BlockBytes = r.kvPerToken * units.Bytes(s.BlockSize)
	for i, t := range s.Tiers {
		blocks := math.Floor(float64(t.Size) / (float64(c.BlockBytes) * float64(r.resources.Accelerators)))
		if blocks < 1 {
			return &badinput.Error{Key: fmt.Sprintf("strategy.kv.tiers[%d].size", i), Value: t.Size.String(), Problem: "does not hold one KV block",
				Allowed: fmt.Sprintf("at least %s", c.BlockBytes*units.Bytes(r.resources.Accelerators))}
		}
		c.Tiers = append(c.Tiers, sim.Tier{Name: t.Name, Blocks: int(min(blocks, 1<<40)), Bandwidth: t.Bandwidth, Latency: t.Latency})
	}
	if s.Offload == "layerwise" {
		c.Layers = r.layers
		c.Streamed = streamable(c, r)
		c.Blocks += c.Streamed
		c.Tiers[0].Blocks -= c.Streamed
	}
	return nil
}

// streamable is the number of blocks that the fastest decode step can read from
// the first tier while it computes: all moves but one layer's are hidden.
func streamable(c *sim.Config, r *server) int {
	tier := &c.Tiers[0]
	step := r.cost.Step(&hardware.Work{DecodeRows: 1, DecodeContext: 1, LogitRows: 1}).Time
	hidden := step*units.Seconds(1-1/float64(c.Layers)) - tier.Latency
	blocks := float64(tier.Bandwidth) * float64(max(0, hidden)) / float64(c.BlockBytes)
	return int(min(blocks, float64(tier.Blocks)))
}
