package results

import "slices"

// Lookup finds the outcome of the simulation with a key; nil when it was not
// finished. Aggregate calls it once for each cell and does not change what it returns.
type Lookup func(key string) *Outcome

// ByKey looks outcomes up in a map.
func ByKey(outcomes map[string]*Outcome) Lookup {
	return func(key string) *Outcome { return outcomes[key] }
}

// Aggregate makes the results of a plan from the outcomes of its simulations. It
// depends on nothing else: not on who simulated them, when, or in which order. A
// cell without an outcome makes the results incomplete, and incomplete results hold no
// verdicts: a curve that was cut short could meet what the whole one misses. The plan's
// cells must be of its own points and strategies, as those of AllCells are.
func Aggregate(plan *Plan, lookup Lookup) *Results {
	runs, groups := plan.collect(lookup)
	missing := len(runs) < len(plan.Cells)
	res := &Results{
		Tool:          Tool,
		SchemaVersion: SchemaVersion,
		Incomplete:    missing,
		Plan:          plan.withLists(),
		Metrics:       definitions(),
		Warnings:      list(plan.warnings(groups)),
		Series:        plan.series(groups),
		Differences:   list(plan.differences(groups)),
		Runs:          runs,
	}
	res.KneeDifferences = list(plan.kneeDifferences(res.Series))
	if !missing {
		res.Expectations = plan.expectations(res.Series)
		res.Claims = plan.claims(res.Series)
		res.Tradeoffs = plan.tradeoffs(res.Series)
		res.Reproduced = plan.reproduced(res.Series)
	}
	res.Expectations, res.Claims, res.Tradeoffs = list(res.Expectations), list(res.Claims), list(res.Tradeoffs)
	return res
}

// withLists is the plan with lists where there is nothing, as files have it. Else
// results would differ from those that were read back, in null and [].
func (p *Plan) withLists() Plan {
	c := *p
	c.Facts.Strategies = list(p.Facts.Strategies)
	c.Sweep, c.Expected, c.Claimed, c.Foreseen = list(p.Sweep), list(p.Expected), list(p.Claimed), list(p.Foreseen)
	c.Searched = list(p.Searched)
	for i := range c.Searched {
		c.Searched[i].Probes = list(c.Searched[i].Probes)
	}
	c.Points = slices.Clone(p.Points)
	for i := range c.Points {
		c.Points[i].Values = list(c.Points[i].Values)
	}
	return c
}

// list is a list that JSON shows as one even when it is empty.
func list[T any](items []T) []T { return append([]T{}, items...) }
