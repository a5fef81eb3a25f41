package scenario

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/policies"
)

// TestSchedulers: every scheduler has a policy of its own.
func TestSchedulers(t *testing.T) {
	made := map[string]string{}
	for _, scheduler := range policies.Schedulers {
		s := Strategy{Scheduler: scheduler.Name, Reserve: scheduler.Reserve, MaxNumSeqs: 3, MaxNumBatchedTokens: 5}
		entries, err := s.lookup()
		if err != nil {
			t.Fatal(err)
		}
		policy := s.batching(&entries, 100, &server{layers: 1}, nil)
		if policy.Totals() == nil {
			t.Errorf("%s cannot plan from totals", scheduler.Name)
		}
		text := fmt.Sprintf("%T%+v", policy, policy)
		if other, taken := made[text]; taken {
			t.Errorf("%s and %s are the same policy", scheduler.Name, other)
		}
		made[text] = scheduler.Name
	}
}

// TestRanks: a replica has the budgets of all its data-parallel ranks, and a static batch is its own.
func TestRanks(t *testing.T) {
	for _, c := range []struct {
		scheduler               string
		perRank                 bool
		sequences, tokens, most int
	}{{"vllm-v1", true, 256, 512, 4}, {"vllm-v1", false, 64, 128, 4}, {"static", true, 64, 512, 4}} {
		s := Strategy{Scheduler: c.scheduler, Reserve: "paged", MaxNumSeqs: 64, MaxNumBatchedTokens: 512}
		entries, err := s.lookup()
		if err != nil {
			t.Fatal(err)
		}
		r := server{deployment: &roofline.Deployment{DP: 4, Engine: hardware.Engine{LimitsPerRank: c.perRank}}}
		if sequences, tokens, ranks := s.limits(&entries, &r); sequences != c.sequences || tokens != c.tokens || ranks != c.most {
			t.Errorf("%+v: %d sequences, %d tokens of each of %d", c, sequences, tokens, ranks)
		}
		if sequences, tokens, ranks := s.limits(&entries, &server{}); sequences != 64 || tokens != 512 || ranks != 1 {
			t.Errorf("without a model: %d, %d, %d", sequences, tokens, ranks)
		}
	}
}

// TestOrders: a rank is made for every order, and for no other name.
func TestOrders(t *testing.T) {
	names := slices.Sorted(slices.Values(policies.Names(policies.Orders)))
	if built := slices.Sorted(maps.Keys(ranks)); !slices.Equal(built, names) {
		t.Errorf("ranks are made for %v, an experiment may name %v", built, names)
	}
}
