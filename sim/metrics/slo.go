package metrics

import (
	"slices"

	"kneepoint/units"
)

// Objective is a service level objective for one request. A bound of zero does
// not bind.
type Objective struct {
	TTFT, TPOT, E2EL units.Seconds
}

// Set reports whether any bound binds.
func (o Objective) Set() bool { return o != Objective{} }

// ofClass is the objective of a class: its own, or that of all.
func ofClass(classes []Objective, class int16, all Objective) Objective {
	if len(classes) > 0 {
		return classes[class]
	}
	return all
}

// hasObjective reports whether any request has an objective.
func hasObjective(classes []Objective, all Objective) bool {
	return slices.ContainsFunc(classes, Objective.Set) || len(classes) == 0 && all.Set()
}

// Met reports whether a completed request meets every bound. The TPOT of a
// single token counts as 0, as in vLLM's benchmark.
func (o Objective) Met(r *Request) bool {
	tpot, _ := r.TPOT()
	return within(r.TTFT(), o.TTFT) && within(tpot, o.TPOT) && within(r.E2EL(), o.E2EL)
}

func within(x, bound units.Seconds) bool { return bound == 0 || x <= bound }
