package experiments

import (
	"cmp"
	"fmt"
	"strings"

	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// StrategySpec is one [[strategy]] table. Its words are those of the tables of
// package policies ("@schedulers"), so that a policy is added in that table alone.
// Keys are named as vLLM names its flags, where it has one.
type StrategySpec struct {
	Name                string           `toml:"name" required:"true"`
	Batching            string           `toml:"batching" oneof:"static continuous"`
	Scheduler           string           `toml:"scheduler" only:"batching=continuous" oneof:"@schedulers"`
	MaxNumSeqs          int              `toml:"max_num_seqs" check:"positive"`                                                                            // 0: the engine's
	MaxNumBatchedTokens int              `toml:"max_num_batched_tokens" check:"positive" only:"batching=continuous scheduler=@with-token-budget"`          // likewise
	LongPrefill         int              `toml:"long_prefill_token_threshold" check:"nonnegative" only:"batching=continuous scheduler=@with-long-prefill"` // 0: no limit
	MaxWait             units.Seconds    `toml:"max_wait" check:"nonnegative" only:"batching=static"`
	Padded              bool             `toml:"padded" only:"batching=static"`
	Order               string           `toml:"order" oneof:"@orders"`
	MaxWaiting          int              `toml:"max_waiting" check:"nonnegative"`                                   // 0: no limit
	Preemption          string           `toml:"preemption" only:"batching=continuous" oneof:"recompute swap none"` // swap with kv.offload
	Reserve             string           `toml:"reserve" oneof:"@reservations"`
	Speculation         *SpeculationSpec `toml:"speculation"` // nil: none
	KV                  KVSpec           `toml:"kv"`
	Frontend            FrontendSpec     `toml:"frontend"`
	Compression         *CompressionSpec `toml:"compression"`
	Model               map[string]any   `toml:"model"`    // overrides of [model]
	Hardware            map[string]any   `toml:"hardware"` // overrides of [hardware]
	Fleet               map[string]any   `toml:"fleet"`    // overrides of [fleet]

	packed, byToken bool   // of the engine: how it computes a padded batch, see hardware.Engine
	reads           string // likewise
}

// KVSpec is the [strategy.kv] table.
type KVSpec struct {
	BlockSize           int           `toml:"block_size" check:"positive"`
	EnablePrefixCaching *bool         `toml:"enable_prefix_caching"`                // on with continuous batching, as in vLLM
	Eviction            string        `toml:"eviction" oneof:"@evictions"`          // the first with prefix caching
	PrefixCacheTTL      units.Seconds `toml:"prefix_cache_ttl" check:"nonnegative"` // 0: none
	Offload             string        `toml:"offload" oneof:"none swap layerwise"`
	Tiers               []TierSpec    `toml:"tiers"`
	Transfers           string        `toml:"transfers" oneof:"async serial"` // async with tiers
}

// SetDefaults uses vLLM's block size and keeps all KV on the accelerator.
func (k *KVSpec) SetDefaults() { k.BlockSize, k.Offload = 16, "none" }

// SetDefaults is continuous batching with vLLM's defaults: what most people run,
// so that a file says only what it changes. The limits of a batch depend on the engine
// and the accelerator.
func (s *StrategySpec) SetDefaults() {
	*s = StrategySpec{Batching: "continuous", Scheduler: "vllm-v1", Padded: true, Order: "fcfs"}
	s.KV.SetDefaults()
	s.Frontend.SetDefaults()
}

// Validate decides what depends on the batching, in this order: what preempts
// depends on the reservation, and what is moved on both.
func (s *StrategySpec) Validate() error {
	if err := oneLine("name", s.Name); err != nil {
		return err
	}
	if err := s.decideReserve(); err != nil {
		return err
	}
	// A pointer tells "not given" from "false": a scheduler without a prefix cache is
	// no reason to complain about a default.
	caching := !s.scheduler().NoPrefixCache
	if s.KV.EnablePrefixCaching == nil {
		s.KV.EnablePrefixCaching = &caching
	}
	if *s.KV.EnablePrefixCaching && !caching {
		return &badinput.Error{
			Key:     "kv.enable_prefix_caching",
			Value:   true,
			Problem: s.scheduler().Name + " has no prefix cache",
			Allowed: "false",
		}
	}
	if err := s.KV.decideEviction(); err != nil {
		return err
	}
	if err := s.KV.checkTTL(); err != nil {
		return err
	}
	return s.decideOffload()
}

// decideEviction decides which cached blocks are evicted first, where there is a cache.
func (k *KVSpec) decideEviction() error {
	switch caching := *k.EnablePrefixCaching; {
	case caching:
		k.Eviction = cmp.Or(k.Eviction, policies.Evictions[0].Name)
	case k.Eviction != "":
		return &badinput.Error{
			Key:     "kv.eviction",
			Value:   k.Eviction,
			Problem: "has no effect without prefix caching",
			Allowed: "only with kv.enable_prefix_caching",
		}
	}
	return nil
}

// checkTTL refuses a time to live of cached blocks where there are none, or other than
// the oldest go first, or their copies live on.
func (k *KVSpec) checkTTL() error {
	problem, allowed := "", ""
	switch {
	case k.PrefixCacheTTL == 0:
	case !*k.EnablePrefixCaching:
		problem, allowed = "has no effect without prefix caching", "only with kv.enable_prefix_caching"
	case k.Eviction != policies.Evictions[0].Name:
		problem, allowed = "blocks that are too old would keep their memory under another eviction", "only with kv.eviction = "+policies.Evictions[0].Name
	case k.Offload != "none":
		problem, allowed = "copies in tiers have no time to live", `only with kv.offload = "none"`
	}
	if problem == "" {
		return nil
	}
	return &badinput.Error{Key: "kv.prefix_cache_ttl", Value: k.PrefixCacheTTL, Problem: problem, Allowed: allowed}
}

// decideReserve decides how memory is reserved, and refuses what would run out
// of it.
func (s *StrategySpec) decideReserve() error {
	scheduler := s.scheduler()
	s.Reserve = cmp.Or(s.Reserve, scheduler.Reserve)
	if s.reservesWhole() {
		return nil
	}
	whole := strings.Join(
		policies.Names(policies.Where(policies.Reservations, func(r policies.NamedReservation) bool { return r.Whole })),
		", ",
	)
	switch {
	case scheduler.NeverPreempts != "":
		return &badinput.Error{
			Key:     "reserve",
			Value:   s.Reserve,
			Problem: scheduler.NeverPreempts + ", so it sets memory aside for whole sequences",
			Allowed: whole,
		}
	case s.Preemption == "none":
		return &badinput.Error{Key: "preemption", Value: s.Preemption,
			Problem: fmt.Sprintf(
				"with reserve = %q a batch can run out of memory, and somebody must give it back",
				s.Reserve,
			), Allowed: "recompute, or reserve one of " + whole}
	}
	return nil
}
