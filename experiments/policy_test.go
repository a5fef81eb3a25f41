package experiments

import (
	"reflect"
	"slices"
	"testing"

	"kneepoint/hardware/roofline"
	"kneepoint/policies"
)

// TestCatalogOfPolicies: what takes a policy's name, and what a policy is said to
// read, are keys of [[strategy]].
func TestCatalogOfPolicies(t *testing.T) {
	known := strategyKeys()
	for _, p := range policies.Catalog() {
		for _, key := range append(p.Keys, p.Key) {
			if !known[key] {
				t.Errorf("%s reads %q, which is no key of [[strategy]]", p.Name, key)
			}
		}
	}
}

// strategyKeys are the keys of [[strategy]] and of its tables of policies.
func strategyKeys() map[string]bool {
	keys := map[string]bool{}
	for table, fields := range map[string]reflect.Type{
		"": reflect.TypeFor[StrategySpec](), "kv.": reflect.TypeFor[KVSpec](), "speculation.": reflect.TypeFor[SpeculationSpec](),
	} {
		for _, f := range reflect.VisibleFields(fields) {
			keys[table+f.Tag.Get("toml")] = true
		}
	}
	return keys
}

// TestSchedulers: every scheduler has a reservation that it can have.
func TestSchedulers(t *testing.T) {
	for _, scheduler := range policies.Schedulers {
		s := StrategySpec{Batching: "continuous", Scheduler: scheduler.Name, MaxNumSeqs: 3, MaxNumBatchedTokens: 5}
		if scheduler.Static {
			s.Batching = scheduler.Name
		}
		if err := s.Validate(); err == nil {
			t.Errorf("%s: a strategy without a name is accepted", scheduler.Name)
		}
		s.Name = "named"
		s.KV.SetDefaults()
		if err := s.Validate(); err != nil {
			t.Errorf("%s with its own defaults: %v", scheduler.Name, err)
		}
	}
}

// TestSpeculationMethods: the cost model knows the methods that an experiment can
// name, and which of them has a model of its own.
func TestSpeculationMethods(t *testing.T) {
	costed := []string{roofline.DraftModel, roofline.NGram, roofline.Eagle, roofline.Eagle3, roofline.Medusa, roofline.MTP, roofline.DSpark}
	if names := policies.Names(policies.SpeculationMethods); !slices.Equal(names, costed) {
		t.Errorf("the cost model has %v, an experiment may name %v", costed, names)
	}
	for _, m := range policies.SpeculationMethods {
		if m.DraftModel != (m.Name == roofline.DraftModel) {
			t.Errorf("%s: draft model %t", m.Name, m.DraftModel)
		}
	}
}
