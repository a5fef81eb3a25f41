package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/policies"
)

// TestCatalogOfPolicies: what an experiment can name as a policy is what the list
// of policies shows, and what a policy is said to read is a key.
func TestCatalogOfPolicies(t *testing.T) {
	listed := map[string][]string{}
	for _, p := range policies.Catalog {
		listed[p.Key] = append(listed[p.Key], p.Name)
		for _, key := range p.Keys {
			if _, ok := strategyFields()[key]; !ok {
				t.Errorf("%s reads %q, which is no key of [[strategy]]", p.Name, key)
			}
		}
	}
	for key, f := range strategyFields() {
		words := strings.Fields(f.Tag.Get("oneof"))
		if names, ok := listed[key]; ok && !sameWords(names, words) {
			t.Errorf("policies of %s: the list has %v, an experiment may name %v", key, names, words)
		}
	}
}

// strategyFields are the fields of [[strategy]] and [strategy.kv] by their keys.
func strategyFields() map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[StrategySpec]()) {
		fields[f.Tag.Get("toml")] = f
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[KVSpec]()) {
		fields["kv."+f.Tag.Get("toml")] = f
	}
	return fields
}

func sameWords(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestSchedulers: every scheduler has a policy of its own.
func TestSchedulers(t *testing.T) {
	made := map[string]string{}
	for _, p := range policies.Catalog {
		if p.Key != "scheduler" {
			continue
		}
		s := StrategySpec{Batching: "continuous", Scheduler: p.Name, MaxNumSeqs: 3, MaxNumBatchedTokens: 5}
		policy := s.batching(100)
		if _, fast := policy.(policies.Aggregating); !fast {
			t.Errorf("%s cannot plan from totals", p.Name)
		}
		text := fmt.Sprintf("%T%+v", policy, policy)
		if other, taken := made[text]; taken {
			t.Errorf("%s and %s are the same policy", p.Name, other)
		}
		made[text] = p.Name
	}
}
