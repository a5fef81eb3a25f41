package experiments

import (
	"kneepoint/experiments/scenario"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
)

// scenario is the simulation of the only strategy, with the first replication.
// Names of models, accelerators, engines and measurements are replaced by their
// constants, and traces by their digests. What only concerns how results are shown or
// judged (titles, expectations, an attainment whose percentiles every run has) is left out,
// so that changing it finds the same outcomes in a store.
func (s *Spec) scenario(common *shared) (scenario.Scenario, error) {
	strategy := &s.Strategies[0]
	x := scenario.Scenario{
		Order:      strategy.Order,
		Traffic:    s.Workload,
		Objectives: scenario.Objectives{All: s.SLO.Objective(), Classes: s.objectives(), Share: s.SLO.share()},
		Measure: scenario.Measure{Warmup: scenario.Trim(s.Measure.Warmup), Cooldown: scenario.Trim(s.Measure.Cooldown),
			Drain: s.Measure.Drain, MaxTime: s.Measure.MaxTime},
		Seed: s.Seed,
		Site: metrics.Site{PUE: s.Prices.PUE, ServerWatts: s.Prices.ServerWatts, GramsCO2PerKWh: s.Prices.GramsCO2PerKWh},
	}
	x.Traffic.Name = "" // a label
	var err error
	if x.Traffic.Trace, err = common.traces.withDigest(s.folder, s.Workload.Trace); err != nil {
		return x, err
	}
	if x.Fleet, err = s.fleet(); err != nil {
		return x, err
	}
	x.Pools, err = s.scenarioPools(common)
	return x, err
}

// forScenario is the strategy as a value, without its name and overrides. Strategies
// that differ in their names alone are one scenario, and simulated once.
func (s *StrategySpec) forScenario() scenario.Strategy {
	p := scenario.Strategy{
		Scheduler:           s.scheduler().Name,
		MaxNumSeqs:          s.MaxNumSeqs,
		MaxNumBatchedTokens: s.MaxNumBatchedTokens,
		LongPrefill:         s.LongPrefill,
		MaxWait:             s.MaxWait,
		Padded:              s.Padded,
		MaxWaiting:          s.MaxWaiting,
		Preemption:          s.Preemption,
		Reserve:             s.Reserve,
		BlockSize:           s.KV.BlockSize,
		Eviction:            s.KV.Eviction,
		PrefixCacheTTL:      s.KV.PrefixCacheTTL,
		Offload:             s.KV.Offload,
		SerialTransfers:     s.KV.Transfers == "serial",
		Packed:              s.packed,
		ByToken:             s.byToken,
		Reads:               s.reads,
		Frontend: scenario.Frontend{Pipelined: s.Frontend.Pipelined, Threads: s.Frontend.Threads,
			TokenIDs: s.Frontend.TokenIDs, Stream: *s.Frontend.Stream},
		Compression: (*scenario.Compression)(s.Compression),
	}
	for _, tier := range s.KV.Tiers {
		p.Tiers = append(p.Tiers, scenario.Tier(tier))
	}
	if g := s.Speculation; g != nil {
		p.Speculation = &scenario.Speculation{Tokens: g.NumSpeculativeTokens, Acceptance: g.Acceptance.Probabilities, Tree: policies.Tree(g.Tree),
			DisableAboveBatch: g.DisableAboveBatch, Adaptive: g.Adaptive}
		method := entry(policies.SpeculationMethods, g.Method)
		if p.Speculation.Waits = method.Waits; method.Lookahead {
			p.Speculation.Lookahead = p.Speculation.Tree.Nodes(g.NumSpeculativeTokens)
		}
	}
	return p
}
