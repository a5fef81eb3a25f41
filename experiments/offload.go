package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// TierSpec is one of [strategy.kv] tiers: a memory below the accelerators'.
type TierSpec struct {
	Name      string               `toml:"name" required:"true"`
	Size      units.Bytes          `toml:"size" required:"true" check:"positive"`      // for a replica
	Bandwidth units.BytesPerSecond `toml:"bandwidth" required:"true" check:"positive"` // between it and each accelerator
	Latency   units.Seconds        `toml:"latency" check:"nonnegative"`                // of a move
}

// settleOffload decides what happens to keys and values for which there is no
// room, and refuses what contradicts itself.
func (s *StrategySpec) settleOffload() error {
	k, scheduler, whole := &s.KV, s.scheduler(), s.reservesWhole()
	s.Preemption = cmp.Or(s.Preemption, s.defaultPreemption())
	switch {
	case s.Preemption != "none" && whole && k.Offload != "layerwise":
		return &badinput.Error{Key: "preemption", Value: s.Preemption, Problem: fmt.Sprintf("has no effect with reserve = %q: nobody runs out of memory", s.Reserve), Allowed: "none"}
	case k.Offload == "none" && len(k.Tiers) > 0:
		return &badinput.Error{Key: "kv.tiers", Value: k.Tiers[0].Name, Problem: "has no effect with offload = \"none\"", Allowed: "kv.offload one of swap, layerwise"}
	case k.Offload == "none" && s.Preemption == "swap":
		return &badinput.Error{Key: "preemption", Value: "swap", Problem: "there is no memory to swap to", Allowed: "recompute, or kv.offload = \"swap\" with kv.tiers"}
	case k.Offload == "none":
		return nil
	case scheduler.Static:
		return &badinput.Error{Key: "kv.offload", Value: k.Offload, Problem: "a static batch never runs out of memory", Allowed: "none"}
	case len(k.Tiers) == 0:
		return &badinput.Error{Key: "kv.tiers", Problem: fmt.Sprintf("missing: kv.offload is %q", k.Offload), Allowed: `like [{ name = "host", size = "200GB", bandwidth = "50GB/s" }]`}
	case k.Offload == "layerwise" && whole:
		return &badinput.Error{Key: "reserve", Value: s.Reserve, Problem: "sets memory aside that kv.offload = \"layerwise\" does without", Allowed: "paged"}
	case k.Offload == "layerwise" && s.Preemption != "swap":
		return &badinput.Error{Key: "preemption", Value: s.Preemption, Problem: "with kv.offload = \"layerwise\" sequences that lose their memory are moved out", Allowed: "swap"}
	case k.Offload == "layerwise" && scheduler.NoLayerWise != "":
		return &badinput.Error{Key: "kv.offload", Value: k.Offload, Problem: s.Scheduler + " " + scheduler.NoLayerWise, Allowed: "none or swap"}
	case k.Offload == "layerwise" && len(k.Tiers) > 1:
		return &badinput.Error{Key: "kv.tiers", Value: k.Tiers[1].Name, Problem: "kv.offload = \"layerwise\" uses one tier", Allowed: "one tier"}
	}
	return s.checkMoves()
}

// defaultPreemption is what happens to the youngest sequence when blocks run out,
// where they can.
func (s *StrategySpec) defaultPreemption() string {
	switch {
	case s.reservesWhole():
		return "none"
	case s.KV.Offload != "none":
		return "swap"
	}
	return "recompute"
}

// checkMoves refuses tiers to which nothing would move.
func (s *StrategySpec) checkMoves() error {
	k := &s.KV
	for i, t := range k.Tiers {
		key := fmt.Sprintf("kv.tiers[%d].name", i)
		if err := oneLine(key, t.Name); err != nil {
			return err
		}
		if slices.ContainsFunc(k.Tiers[:i], func(other TierSpec) bool { return other.Name == t.Name }) {
			return &badinput.Error{Key: key, Value: t.Name, Problem: "another tier has this name; names must be unique"}
		}
	}
	swaps := s.Preemption == "swap" && !s.reservesWhole()
	switch {
	case *k.EnablePrefixCaching:
		return nil
	case !swaps:
		return &badinput.Error{Key: "kv.offload", Value: k.Offload, Problem: "nothing would move: without prefix caching there are no copies, and nobody is swapped",
			Allowed: `none, or kv.enable_prefix_caching, or preemption = "swap" with reserve = "paged"`}
	case len(k.Tiers) > 1:
		return &badinput.Error{Key: "kv.tiers", Value: k.Tiers[1].Name, Problem: "has no effect without prefix caching: sequences are swapped to the first tier", Allowed: "one tier, or kv.enable_prefix_caching"}
	}
	return nil
}

// checkOffload refuses what moves do not go with.
func (s *Spec) checkOffload() error {
	k := &s.Strategies[0].KV
	switch {
	case k.Offload == "none":
		return nil
	case s.Hardware.PP > 1:
		return &badinput.Error{Key: "hardware.pp", Value: s.Hardware.PP, Problem: "not supported yet with kv.offload", Allowed: "1"}
	case s.Hardware.DP > 1:
		return &badinput.Error{Key: "hardware.dp", Value: s.Hardware.DP, Problem: "not supported yet with kv.offload", Allowed: "1"}
	case s.Hardware.CostModel == "synthetic" || s.Hardware.CostModel == "measured" && !s.Hardware.described():
		return &badinput.Error{Key: "hardware.cost_model", Value: s.Hardware.CostModel,
			Problem: "kv.offload needs the size of keys and values, which the model and the accelerator tell", Allowed: "roofline, or measured with both named"}
	}
	return nil
}

// addTiers lets the run move keys and values to the strategy's tiers.
func (s *StrategySpec) addTiers(c *sim.Config, r *replica) error {
	if s.KV.Offload == "none" {
		return nil
	}
	c.BlockBytes = r.kvPerToken * units.Bytes(s.KV.BlockSize)
	for i, t := range s.KV.Tiers {
		blocks := math.Floor(float64(t.Size) / (float64(c.BlockBytes) * float64(r.deployment.Accelerators)))
		if blocks < 1 {
			return &badinput.Error{Key: fmt.Sprintf("strategy.kv.tiers[%d].size", i), Value: t.Size.String(), Problem: "does not hold one KV block",
				Allowed: fmt.Sprintf("at least %s", c.BlockBytes*units.Bytes(r.deployment.Accelerators))}
		}
		c.Tiers = append(c.Tiers, sim.Tier{Name: t.Name, Blocks: int(min(blocks, 1<<40)), Bandwidth: t.Bandwidth, Latency: t.Latency})
	}
	if s.KV.Offload == "layerwise" {
		c.Layers = r.layers
		c.Streamed = streamable(c, r)
		c.Blocks += c.Streamed
		c.Tiers[0].Blocks -= c.Streamed
	}
	return nil
}

// streamable is the number of blocks that the fastest decode step can read from
// the first tier while it computes: all moves but one layer's are hidden.
func streamable(c *sim.Config, r *replica) int {
	tier := &c.Tiers[0]
	step := r.cost.Step(&hardware.Work{DecodeRows: 1, DecodeContext: 1, LogitRows: 1}).Time
	hidden := step*units.Seconds(1-1/float64(c.Layers)) - tier.Latency
	blocks := float64(tier.Bandwidth) * float64(max(0, hidden)) / float64(c.BlockBytes)
	return int(min(blocks, float64(tier.Blocks)))
}

// offloading adds the moves of the strategy to a policy.
func (s *StrategySpec) offloading(batching policies.Batching, layers int) policies.Batching {
	swapping := policies.Swapping{Batching: batching, MaxNumSeqs: s.MaxNumSeqs}
	if hasTokenBudget(s.scheduler()) {
		swapping.MaxNumBatchedTokens = s.MaxNumBatchedTokens
	}
	switch {
	case s.KV.Offload == "layerwise":
		return &policies.LayerWise{Swapping: swapping, Layers: layers}
	case s.Preemption == "swap":
		return &swapping
	}
	return batching
}
