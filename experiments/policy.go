package experiments

import (
	"fmt"
	"math"

	"kneepoint/internal/badinput"
	"kneepoint/policies"
)

// batching makes the policy for one replica.
func (s *StrategySpec) batching() policies.Batching {
	if s.Batching == "static" {
		return &policies.Static{BatchSize: s.MaxNumSeqs, MaxWait: s.MaxWait, Padded: s.Padded}
	}
	switch s.Scheduler {
	case "vllm-v0":
		return &policies.PrefillFirst{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens}
	case "sarathi":
		return &policies.Sarathi{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens}
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
	switch s.Reserve {
	case "oracle":
		return policies.ReserveDeclared, nil
	case "pow2":
		return policies.ReservePow2(min(context, memory)), nil
	case "max":
		if context == math.MaxInt {
			return nil, &badinput.Error{Key: "model.max_model_len", Problem: "missing: the strategy reserves memory for the longest sequence"}
		}
		if context > memory {
			return nil, &badinput.Error{Key: "model.max_model_len", Value: context,
				Problem: fmt.Sprintf("the strategy reserves memory for the longest sequence, and the KV cache holds %d tokens", memory),
				Allowed: fmt.Sprintf("at most %d, or another strategy.reserve", memory)}
		}
		return policies.ReserveMax(context), nil
	}
	return policies.ReservePaged, nil
}
