package experiments

import (
	"kneepoint/experiments/results"
	"kneepoint/hardware"
)

// takeDefaults gives the only strategy, in each pool, what the engine's profile has for
// it, and returns the limits of a batch that were taken.
func (s *Spec) takeDefaults() ([]results.Limits, error) {
	var all []results.Limits
	err := s.eachPool(func(pool *PoolSpec, own *Spec) error {
		taken, err := own.takeOwnDefaults()
		if taken == nil {
			return err
		}
		if pool != nil {
			taken.Pool = pool.Name
		}
		all = append(all, *taken)
		return err
	})
	return all, err
}

// takeOwnDefaults gives the strategy what the engine's profile has for it, where the file
// states nothing: limits of a batch, which it returns, and how static batches are
// computed and answered. Without them tokens are streamed.
func (s *Spec) takeOwnDefaults() (*results.Limits, error) {
	strategy := &s.Strategies[0]
	stream := true
	if strategy.scheduler().Static {
		engine, err := s.engine()
		if err != nil {
			return nil, err
		}
		stream = !engine.WholeBatches
		if strategy.Padded {
			strategy.packed, strategy.byToken, strategy.reads = engine.PackedPrompts, engine.PromptsByToken, engine.PaddedReads
		}
		if strategy.reads == "none" {
			strategy.reads = ""
		}
	}
	if strategy.Frontend.Stream == nil {
		strategy.Frontend.Stream = &stream
	}
	return s.takeLimits()
}

// takeLimits gives the only strategy the engine's limits on its accelerator where the
// file states none, and returns what was taken; nil: nothing. As in vLLM the batch has
// at most as many sequences as a step has tokens.
func (s *Spec) takeLimits() (*results.Limits, error) {
	strategy := &s.Strategies[0]
	if strategy.MaxNumSeqs > 0 && strategy.MaxNumBatchedTokens > 0 {
		return nil, nil
	}
	engine, err := s.engine()
	if err != nil {
		return nil, err
	}
	taken := &results.Limits{Strategy: strategy.Name, Engine: engine.Name}
	var accelerator *hardware.Accelerator
	if s.Hardware.described() && s.Hardware.CostModel != "synthetic" {
		a, err := s.Hardware.accelerator()
		if err != nil {
			return nil, err
		}
		accelerator, taken.Accelerator = &a, a.Name
	}
	limits := engine.BatchLimitsOn(accelerator)
	budget := strategy.scheduler().HasTokenBudget()
	if strategy.MaxNumBatchedTokens == 0 {
		strategy.MaxNumBatchedTokens = limits.MaxNumBatchedTokens
		if budget {
			taken.MaxNumBatchedTokens = strategy.MaxNumBatchedTokens
		}
	}
	if strategy.MaxNumSeqs == 0 {
		strategy.MaxNumSeqs = limits.MaxNumSeqs
		if budget {
			strategy.MaxNumSeqs = min(strategy.MaxNumSeqs, strategy.MaxNumBatchedTokens)
		}
		taken.MaxNumSeqs = strategy.MaxNumSeqs
	}
	if taken.MaxNumSeqs == 0 && taken.MaxNumBatchedTokens == 0 {
		return nil, nil // tokens of a step are for nothing but activations
	}
	return taken, nil
}
