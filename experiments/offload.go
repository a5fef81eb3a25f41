package experiments

import (
	"cmp"
	"fmt"
	"slices"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// TierSpec is one of [strategy.kv] tiers: a memory beside the accelerators' own, to
// which keys and values are moved.
type TierSpec struct {
	Name         string               `toml:"name" required:"true"`
	Size         units.Bytes          `toml:"size" required:"true" check:"positive"`      // for a replica
	Bandwidth    units.BytesPerSecond `toml:"bandwidth" required:"true" check:"positive"` // from it to each accelerator
	BandwidthOut units.BytesPerSecond `toml:"bandwidth_out" check:"positive"`             // from each accelerator to it; 0: as Bandwidth
	Latency      units.Seconds        `toml:"latency" check:"nonnegative"`                // of a move
}

// decideOffload decides what happens to keys and values for which there is no
// room, and refuses combinations of keys in which one has no effect, or which no
// engine could carry out. The first case that holds names the key to change.
func (s *StrategySpec) decideOffload() error {
	k := &s.KV
	s.Preemption = cmp.Or(s.Preemption, s.defaultPreemption())
	switch {
	case s.Preemption != "none" && s.reservesWhole() && k.Offload != "layerwise":
		return &badinput.Error{
			Key:     "preemption",
			Value:   s.Preemption,
			Problem: fmt.Sprintf("has no effect with reserve = %q: nobody runs out of memory", s.Reserve),
			Allowed: "none",
		}
	case k.Offload == "none":
		return s.checkWithoutOffload()
	case s.scheduler().Static:
		return &badinput.Error{Key: "kv.offload", Value: k.Offload, Problem: "a static batch never runs out of memory", Allowed: "none"}
	case len(k.Tiers) == 0:
		return &badinput.Error{
			Key:     "kv.tiers",
			Problem: fmt.Sprintf("missing: kv.offload is %q", k.Offload),
			Allowed: `like [{ name = "host", size = "200GB", bandwidth = "50GB/s" }]`,
		}
	}
	if k.Offload == "layerwise" {
		if err := s.checkLayerWise(); err != nil {
			return err
		}
	}
	k.Transfers = cmp.Or(k.Transfers, "async")
	return s.checkMoves()
}

// checkWithoutOffload refuses what needs memory beside the accelerators' own.
func (s *StrategySpec) checkWithoutOffload() error {
	k := &s.KV
	const problem, allowed = "has no effect with offload = \"none\"", "kv.offload one of swap, layerwise"
	switch {
	case k.Transfers != "":
		return &badinput.Error{Key: "kv.transfers", Value: k.Transfers, Problem: problem, Allowed: allowed}
	case len(k.Tiers) > 0:
		return &badinput.Error{Key: "kv.tiers", Value: k.Tiers[0].Name, Problem: problem, Allowed: allowed}
	case s.Preemption == "swap":
		return &badinput.Error{Key: "preemption", Value: "swap", Problem: "there is no memory to swap to",
			Allowed: "recompute, or kv.offload = \"swap\" with kv.tiers"}
	}
	return nil
}

// checkLayerWise refuses what prompts that leave by the layer cannot be combined with.
func (s *StrategySpec) checkLayerWise() error {
	k, scheduler := &s.KV, s.scheduler()
	switch {
	case s.reservesWhole():
		return &badinput.Error{Key: "reserve", Value: s.Reserve, Problem: "sets memory aside that kv.offload = \"layerwise\" does without",
			Allowed: "paged"}
	case s.Preemption != "swap":
		return &badinput.Error{Key: "preemption", Value: s.Preemption,
			Problem: "with kv.offload = \"layerwise\" sequences that lose their memory are moved out", Allowed: "swap"}
	case scheduler.NoLayerWise != "":
		return &badinput.Error{Key: "kv.offload", Value: k.Offload, Problem: s.Scheduler + " " + scheduler.NoLayerWise, Allowed: "none or swap"}
	case len(k.Tiers) > 1:
		return &badinput.Error{Key: "kv.tiers", Value: k.Tiers[1].Name, Problem: "kv.offload = \"layerwise\" uses one tier", Allowed: "one tier"}
	}
	return nil
}

// defaultPreemption is what happens to the youngest sequence when blocks run out:
// swapped where there is a tier for it, else computed again. Where every sequence has
// reserved its whole length none is preempted.
func (s *StrategySpec) defaultPreemption() string {
	switch {
	case s.reservesWhole():
		return "none"
	case s.KV.Offload != "none":
		return "swap"
	}
	return "recompute"
}

// checkMoves refuses tiers to which nothing would move. Whoever asks for them
// expects an effect, and a curve that equals another one would not tell why.
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
	switch {
	case *k.EnablePrefixCaching:
		return nil
	case s.Preemption != "swap":
		return &badinput.Error{
			Key:     "kv.offload",
			Value:   k.Offload,
			Problem: "nothing would move: without prefix caching there are no copies, and nobody is swapped",
			Allowed: `none, or kv.enable_prefix_caching, or preemption = "swap" with reserve = "paged"`,
		}
	case len(k.Tiers) > 1:
		return &badinput.Error{
			Key:     "kv.tiers",
			Value:   k.Tiers[1].Name,
			Problem: "has no effect without prefix caching: sequences are swapped to the first tier",
			Allowed: "one tier, or kv.enable_prefix_caching",
		}
	}
	return nil
}
