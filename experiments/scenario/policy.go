package scenario

import (
	"fmt"
	"math"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// entries are what the tables of policies have under the names of a strategy.
type entries struct {
	scheduler   policies.Scheduler
	reservation policies.NamedReservation
	eviction    policies.Eviction // nil: no prefix caching
}

// lookup finds the strategy's policies.
func (s *Strategy) lookup() (e entries, err error) {
	var known bool
	if e.scheduler, known = policies.Find(policies.Schedulers, s.Scheduler); !known {
		return e, unknown("strategy.scheduler", s.Scheduler)
	}
	if e.reservation, known = policies.Find(policies.Reservations, s.Reserve); !known {
		return e, unknown("strategy.reserve", s.Reserve)
	}
	if s.Eviction == "" {
		return e, nil
	}
	eviction, known := policies.Find(policies.Evictions, s.Eviction)
	if !known {
		return e, unknown("strategy.kv.eviction", s.Eviction)
	}
	e.eviction = eviction.Eviction
	return e, nil
}

// unknown is the error of a name that is in no table. An experiment file is
// checked before, so that only other makers of scenarios meet it.
func unknown(key, name string) error {
	return &badinput.Error{
		Key:     key,
		Value:   name,
		Problem: "unknown value",
		Allowed: "a name that `kneepoint list policies` shows",
	}
}

// batching makes the policy for one replica, in which no sequence gets longer than
// limit tokens: the scheduler, with the guesses that it counts, around it moves to
// other memory, and around them guesses that come on top.
func (s *Strategy) batching(e *entries, limit int, r *server, guesses *policies.Guesses) policies.Batching {
	if guesses == nil || e.scheduler.CountsGuesses {
		return s.moving(e, limit, r, guesses)
	}
	return &policies.Speculative{Batching: s.moving(e, limit, r, nil), Proposals: guesses.Proposals, Tree: guesses.Tree}
}

// limits are those of a batch: sequences of the replica, or of a static batch, and tokens of a
// step of each of its data-parallel ranks.
func (s *Strategy) limits(e *entries, r *server) (sequences, tokens, ranks int) {
	if r.deployment == nil || r.deployment.DP == 1 {
		return s.MaxNumSeqs, s.MaxNumBatchedTokens, 1
	}
	engine, ranks := &r.deployment.Engine, r.deployment.DP
	sequences, _ = engine.OfRanks(s.MaxNumSeqs, ranks)
	_, tokens = engine.OfRanks(s.MaxNumBatchedTokens, ranks)
	if e.scheduler.Static {
		sequences = s.MaxNumSeqs
	}
	return sequences, tokens, ranks
}

// moving makes the scheduler, and moves around it.
func (s *Strategy) moving(e *entries, limit int, r *server, guesses *policies.Guesses) policies.Batching {
	sequences, tokens, ranks := s.limits(e, r)
	p := policies.Parameters{Guesses: guesses, MaxNumSeqs: sequences, MaxNumBatchedTokens: tokens, Ranks: ranks,
		LongPrefillTokenThreshold: s.LongPrefill, MaxWait: s.MaxWait, Padded: s.Padded, Packed: s.Packed, ByToken: s.ByToken, Reads: paddedReads[s.Reads]}
	if e.reservation.Context {
		p.Longest = limit
	}
	batching := e.scheduler.New(p)
	swapping := policies.Swapping{Batching: batching, MaxNumSeqs: sequences, LongPrefillTokenThreshold: s.LongPrefill}
	if e.scheduler.HasTokenBudget() {
		swapping.MaxNumBatchedTokens = p.StepTokens()
	}
	switch {
	case s.Offload == "layerwise":
		return &policies.LayerWise{Swapping: swapping, Layers: r.layers}
	case s.Preemption == "swap":
		return &swapping
	}
	return batching
}

// paddedReads are what profiles call the reads of a padded batch.
var paddedReads = map[string]policies.PaddedReads{"prompts": policies.ReadPrompts, "rows": policies.ReadRows}

// reserve is what a sequence sets aside in a replica whose model reads context
// tokens and whose KV cache holds memory tokens.
func (e *entries) reserve(context, memory int) (policies.Reservation, error) {
	if e.reservation.Context {
		if err := checkContext(context, memory); err != nil {
			return nil, err
		}
	}
	limit := min(context, memory)
	reserve := e.reservation.New(limit)
	if e.scheduler.Contiguous {
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

// guesses are the strategy's proposals; nil: none.
func (s *Strategy) guesses(acceptance *workloads.Acceptance, cost hardware.CostModel) *policies.Guesses {
	if !s.proposes() {
		return nil
	}
	speculation := s.Speculation
	var proposals policies.Proposals = &policies.FixedProposals{Tokens: speculation.Tokens, DisableAboveBatch: speculation.DisableAboveBatch}
	if speculation.Adaptive {
		proposals = &policies.AdaptiveProposals{Tokens: speculation.Tokens, DisableAboveBatch: speculation.DisableAboveBatch,
			Expected: acceptance.Expected, StepTime: verifyTime(cost, speculation.Tree)}
	}
	return &policies.Guesses{Proposals: proposals, Tree: speculation.Tree, Lookahead: speculation.Lookahead}
}

// verifyTime is the time of a step in which each sequence verifies a row of
// guesses, as an engine can foresee it: without the few tokens of context that
// guesses add for each other, and with all layers attending to all.
func verifyTime(cost hardware.CostModel, tree policies.Tree) func(sequences int, context int64, guesses int) units.Seconds {
	return func(sequences int, context int64, guesses int) units.Seconds {
		nodes := tree.Nodes(guesses)
		w := hardware.Work{DecodeRows: sequences, DecodeContext: context, LogitRows: sequences * (nodes + 1),
			DraftRows: sequences * nodes, DraftPasses: guesses, DraftContext: context * int64(nodes)}
		return cost.Step(&w).Time
	}
}
