package scenario

import (
	"fmt"
	"maps"
	"slices"
	"testing"

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
		policy := s.batching(&entries, 100, 1, nil)
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

// TestOrders: a rank is made for every order, and for no other name.
func TestOrders(t *testing.T) {
	names := slices.Sorted(slices.Values(policies.Names(policies.Orders)))
	if built := slices.Sorted(maps.Keys(ranks)); !slices.Equal(built, names) {
		t.Errorf("ranks are made for %v, an experiment may name %v", built, names)
	}
}
