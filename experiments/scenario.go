package experiments

import (
	"kneepoint/experiments/scenario"
	"kneepoint/policies"
)

// scenario is the simulation of the only strategy, with the first replication.
// Names of models, accelerators, engines and measurements are replaced by what
// they stand for, and traces by their digests.
func (s *Spec) scenario(common *shared) (scenario.Scenario, error) {
	strategy := &s.Strategies[0]
	x := scenario.Scenario{
		Order:      strategy.Order,
		Traffic:    s.Workload,
		Objectives: scenario.Objectives{All: s.SLO.Objective(), Classes: s.objectives()},
		Measure: scenario.Measure{Warmup: scenario.Trim(s.Measure.Warmup), Cooldown: scenario.Trim(s.Measure.Cooldown),
			Drain: s.Measure.Drain, MaxTime: s.Measure.MaxTime},
		Seed: s.Seed,
	}
	x.Traffic.Name = "" // a label
	var err error
	if x.Traffic.Trace, err = common.traces.digested(s.folder, s.Workload.Trace); err != nil {
		return x, err
	}
	if err := s.checkDraft(); err != nil {
		return x, err
	}
	deployment, err := s.deployment(common)
	x.Pools = []scenario.Pool{{Replicas: s.Hardware.Replicas, Deployment: deployment, Strategy: strategy.plain()}}
	return x, err
}

// plain is the strategy as a value, without its name and overrides.
func (s *StrategySpec) plain() scenario.Strategy {
	p := scenario.Strategy{
		Scheduler:           s.scheduler().Name,
		MaxNumSeqs:          s.MaxNumSeqs,
		MaxNumBatchedTokens: s.MaxNumBatchedTokens,
		MaxWait:             s.MaxWait,
		Padded:              s.Padded,
		MaxWaiting:          s.MaxWaiting,
		Preemption:          s.Preemption,
		Reserve:             s.Reserve,
		BlockSize:           s.KV.BlockSize,
		Eviction:            s.KV.Eviction,
		Offload:             s.KV.Offload,
		Frontend:            scenario.Frontend(s.Frontend),
		Compression:         (*scenario.Compression)(s.Compression),
	}
	for _, tier := range s.KV.Tiers {
		p.Tiers = append(p.Tiers, scenario.Tier(tier))
	}
	if g := s.Speculation; g != nil {
		p.Speculation = &scenario.Speculation{Tokens: g.NumSpeculativeTokens, Acceptance: g.Acceptance, Tree: policies.Tree(g.Tree),
			DisableAboveBatch: g.DisableAboveBatch, Adaptive: g.Adaptive}
	}
	return p
}
