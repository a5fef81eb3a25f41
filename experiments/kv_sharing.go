package experiments

import (
	"fmt"

	"kneepoint/experiments/scenario"
	"kneepoint/units/badinput"
)

// sharing is what replicas share of their prompts; nil where there is no such table.
func (s *Spec) sharing() (*scenario.Sharing, error) {
	k := s.Fleet.KVSharing
	if k == nil {
		return nil, nil
	}
	if err := s.checkAlike(); err != nil {
		return nil, err
	}
	return &scenario.Sharing{Peers: k.From == "peers", Size: k.Size, Bandwidth: k.Bandwidth, Latency: k.Latency,
		Shared: k.Per == "fleet", Threshold: k.Threshold}, nil
}

// checkAlike refuses pools that compute prompts and of which one cannot use the keys and values of another.
func (s *Spec) checkAlike() error {
	var first *Spec
	return s.eachPool(func(pool *PoolSpec, own *Spec) error {
		if pool != nil && pool.Role == "decode" {
			return nil
		}
		if first == nil {
			first = own
		}
		kv, other := &own.Strategies[0].KV, &first.Strategies[0].KV
		switch {
		case own.Strategies[0].Batching == "static":
			return &badinput.Error{Key: "strategy.batching", Value: "static", Problem: "has no prefix cache, and fleet.kv_sharing shares what is cached",
				Allowed: "continuous, or no fleet.kv_sharing"}
		case !*kv.EnablePrefixCaching:
			return &badinput.Error{Key: "strategy.kv.enable_prefix_caching", Value: false, Problem: "fleet.kv_sharing shares what is cached",
				Allowed: "true"}
		case own.keysAndValues() != first.keysAndValues():
			return &badinput.Error{Key: "model", Problem: "fleet.kv_sharing: another pool has other keys and values",
				Allowed: "the same name, and the same format of keys and values (kv)"}
		case kv.BlockSize != other.BlockSize:
			return &badinput.Error{Key: "strategy.kv.block_size", Value: kv.BlockSize, Problem: "fleet.kv_sharing: another pool has other blocks",
				Allowed: fmt.Sprint(other.BlockSize)}
		}
		return nil
	})
}
