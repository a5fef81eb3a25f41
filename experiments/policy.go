package experiments

import (
	"fmt"
	"math"

	"kneepoint/policies"
	"kneepoint/units/badinput"
)

// Words are the names in the tables of policies: an entry of a table needs no word
// here.
func (*StrategySpec) Words(list string) []string {
	switch list {
	case "schedulers":
		return policies.Names(policies.Where(policies.Schedulers, func(s policies.Scheduler) bool { return !s.Static }))
	case "with-token-budget":
		return policies.Names(policies.Where(policies.Schedulers, hasTokenBudget))
	case "orders":
		return policies.Names(policies.Orders)
	case "reservations":
		return policies.Names(policies.Reservations)
	}
	return nil
}

// Words are the names in the table of eviction policies.
func (*KVSpec) Words(string) []string { return policies.Names(policies.Evictions) }

// Words are the names in the table of methods, or in a part of it.
func (*SpeculationSpec) Words(list string) []string {
	switch list {
	case "with-draft-model":
		return policies.Names(policies.Where(policies.SpeculationMethods, func(m policies.SpeculationMethod) bool { return m.DraftModel }))
	case "with-tree":
		return policies.Names(policies.Where(policies.SpeculationMethods, func(m policies.SpeculationMethod) bool { return m.Tree }))
	}
	return policies.Names(policies.SpeculationMethods)
}

// entry is what a table of policies has under a name that was checked when the
// file was read.
func entry[E policies.Described](table []E, name string) E {
	e, _ := policies.Find(table, name)
	return e
}

// scheduler is the strategy's entry of the table of schedulers.
func (s *StrategySpec) scheduler() policies.Scheduler {
	if s.Batching == "static" {
		return entry(policies.Schedulers, s.Batching)
	}
	return entry(policies.Schedulers, s.Scheduler)
}

// hasTokenBudget tells whether a step's tokens are bounded.
func hasTokenBudget(s policies.Scheduler) bool { return s.Reads("max_num_batched_tokens") }

// reservesWhole tells whether nobody runs out of memory who has joined the batch.
func (s *StrategySpec) reservesWhole() bool { return entry(policies.Reservations, s.Reserve).Whole }

// batching makes the policy for one replica, in which no sequence gets longer than
// limit tokens.
func (s *StrategySpec) batching(limit int) policies.Batching {
	p := policies.Parameters{MaxNumSeqs: s.MaxNumSeqs, MaxNumBatchedTokens: s.MaxNumBatchedTokens, MaxWait: s.MaxWait, Padded: s.Padded}
	if entry(policies.Reservations, s.Reserve).Context {
		p.Longest = limit
	}
	return s.scheduler().New(p)
}

// reservation is what a sequence sets aside in a replica whose model reads context
// tokens and whose KV cache holds memory tokens.
func (s *StrategySpec) reservation(context, memory int) (policies.Reservation, error) {
	rule := entry(policies.Reservations, s.Reserve)
	if rule.Context {
		if err := checkContext(context, memory); err != nil {
			return nil, err
		}
	}
	limit := min(context, memory)
	reserve := rule.New(limit)
	if s.scheduler().Contiguous {
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
	if !*k.EnablePrefixCaching {
		return nil
	}
	return entry(policies.Evictions, k.Eviction).Eviction
}
