package experiments

import (
	"fmt"
	"math"

	"kneepoint/policies"
	"kneepoint/units/badinput"
)

// batching makes the policy for one replica, of which a sequence takes so many
// tokens at most.
func (s *StrategySpec) batching(limit int) policies.Batching {
	if s.Batching == "static" {
		static := &policies.Static{BatchSize: s.MaxNumSeqs, MaxWait: s.MaxWait, Padded: s.Padded}
		if s.Reserve == "max" {
			static.Longest = limit
		}
		return static
	}
	switch s.Scheduler {
	case "vllm-v0":
		return &policies.PrefillFirst{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens}
	case "sarathi":
		return &policies.Sarathi{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens}
	case "alternating":
		return &policies.Alternating{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens}
	case "orca":
		return policies.NewOrca(s.MaxNumSeqs)
	case "decode-first":
		return &policies.DecodeFirst{MaxNumSeqs: s.MaxNumSeqs}
	}
	return &policies.Continuous{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens}
}

// reservation is what a sequence sets aside in a replica that holds so many
// tokens in all, and so many of one sequence.
func (s *StrategySpec) reservation(context, memory int) (policies.Reservation, error) {
	if s.Reserve == "max" {
		if err := checkContext(context, memory); err != nil {
			return nil, err
		}
	}
	limit := min(context, memory)
	reserve := map[string]policies.Reservation{"paged": policies.ReservePaged, "max": policies.ReserveMax(limit),
		"pow2": policies.ReservePow2(limit), "oracle": policies.ReserveDeclared}[s.Reserve]
	if s.Scheduler == "orca" {
		reserve = policies.Contiguous(reserve, limit)
	}
	return reserve, nil
}

// checkContext refuses to set aside the longest sequence where there is none, or
// no room for it.
func checkContext(context, memory int) error {
	switch {
	case context == math.MaxInt:
		return &badinput.Error{Key: "model.max_model_len", Problem: "missing: the strategy reserves memory for the longest sequence"}
	case context > memory:
		return &badinput.Error{Key: "model.max_model_len", Value: context,
			Problem: fmt.Sprintf("the strategy reserves memory for the longest sequence, and the KV cache holds %d tokens", memory),
			Allowed: fmt.Sprintf("at most %d, or another strategy.reserve", memory)}
	}
	return nil
}

// eviction is the policy for cached blocks; nil without prefix caching.
func (k *KVSpec) eviction() policies.Eviction {
	switch {
	case !*k.EnablePrefixCaching:
		return nil
	case k.Eviction == "lfu":
		return policies.LFU{}
	case k.Eviction == "length-aware":
		return policies.LengthAware{}
	}
	return policies.LRU{}
}
