package metrics

import "kneepoint/internal/units"

// Objective is a service level objective for one request. A bound of zero does
// not bind.
type Objective struct {
	TTFT, TPOT, E2EL units.Seconds
}

// Set reports whether any bound binds.
func (o Objective) Set() bool { return o != Objective{} }

// Met reports whether a completed request meets every bound. The TPOT of a
// single token counts as 0, as in vLLM's benchmark.
func (o Objective) Met(r *Request) bool {
	tpot, _ := r.TPOT()
	return within(r.TTFT(), o.TTFT) && within(tpot, o.TPOT) && within(r.E2EL(), o.E2EL)
}

func within(x, bound units.Seconds) bool { return bound == 0 || x <= bound }
