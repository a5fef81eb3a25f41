package experiments

import "kneepoint/policies"

// Words are the values of keys whose tag names a list ("@schedulers"): the names in the
// tables of policies. So an entry of a table needs no word here. Schedulers of static
// batches are chosen by another key.
func (*StrategySpec) Words(list string) []string {
	switch list {
	case "schedulers":
		return policies.Names(policies.Where(policies.Schedulers, func(s policies.Scheduler) bool { return !s.Static }))
	case "with-token-budget":
		return policies.Names(policies.Where(policies.Schedulers, policies.Scheduler.HasTokenBudget))
	case "with-long-prefill":
		return policies.Names(
			policies.Where(policies.Schedulers, func(s policies.Scheduler) bool { return s.Reads("long_prefill_token_threshold") }),
		)
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
	case "with-cache":
		return policies.Names(policies.Where(policies.SpeculationMethods, func(m policies.SpeculationMethod) bool { return m.Lookahead }))
	case "with-tree":
		return policies.Names(policies.Where(policies.SpeculationMethods, func(m policies.SpeculationMethod) bool { return m.Tree }))
	}
	return policies.Names(policies.SpeculationMethods)
}

// entry is what a table of policies has under a name. It has one: the name was
// checked against the table when the file was read.
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

// reservesWhole tells whether a sequence reserves all the memory that it may come to
// need: one that has joined the batch then never runs out of it.
func (s *StrategySpec) reservesWhole() bool { return entry(policies.Reservations, s.Reserve).Whole }
