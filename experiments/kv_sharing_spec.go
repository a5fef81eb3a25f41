package experiments

import (
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// KVSharingSpec is the [fleet.kv_sharing] table: from whom replicas fetch keys and values of
// prompts that others have computed.
type KVSharingSpec struct {
	From      string               `toml:"from" required:"true" oneof:"store peers"`
	Size      units.Bytes          `toml:"size" check:"positive"`                      // of the store
	Bandwidth units.BytesPerSecond `toml:"bandwidth" required:"true" check:"positive"` // of a link, for all accelerators of a replica together
	Latency   units.Seconds        `toml:"latency" check:"nonnegative"`
	Per       string               `toml:"per" oneof:"fleet replica"`
	Threshold float64              `toml:"balancing_threshold" check:"positive"`
}

// SetDefaults is one link, and whatever pays is fetched.
func (k *KVSharingSpec) SetDefaults() { k.Per, k.Threshold = "fleet", 1 }

// Validate refuses a store without a size, and a size of nothing.
func (k *KVSharingSpec) Validate() error {
	switch {
	case k.From == "store" && k.Size == 0:
		return &badinput.Error{Key: "size", Problem: `missing: from is "store"`, Allowed: `a size, like "2TB"`}
	case k.From == "peers" && k.Size > 0:
		return &badinput.Error{Key: "size", Value: k.Size.String(), Problem: "has no effect: replicas fetch from each other's memory",
			Allowed: `only with from = "store"`}
	case k.Threshold < 1:
		return &badinput.Error{Key: "balancing_threshold", Value: k.Threshold, Problem: "a replica would fetch less than it has",
			Allowed: "from 1"}
	}
	return nil
}
