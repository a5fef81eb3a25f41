package sim

import (
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// visit is a request on its way to a replica, with what has happened to it before.
type visit struct {
	workloads.Request
	opened  bool          // its record is open
	counted bool          // the trend of the backlog has counted it
	reused  bool          // what it reuses of prompts is counted
	waited  bool          // at the router
	since   units.Seconds // when it began to wait there

	lost     *lost     // by a replica that failed; nil: nothing
	whole    bool      // one replica serves it that would otherwise do a part of requests
	handover *handover // of a replica that has computed its prompt; nil: none has
	peer     *replica  // from which what the replica lacks of the prompt is to be fetched; nil: from none
}

// generated is how many tokens of its answer a request has.
func (v *visit) generated() int {
	if v.lost == nil {
		return 0
	}
	return v.lost.generated
}

// toCompute is how many tokens are computed of a request before it gets its next one: its
// prompt, and the tokens that it has.
func (v *visit) toCompute() int { return v.Input + v.generated() }

// refused is how a request ends that a replica does not take: one that was at another before
// is lost.
func (v *visit) refused(state metrics.State) metrics.State {
	if v.lost != nil {
		return metrics.Lost
	}
	return state
}
