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
	waited  bool          // at the router
	since   units.Seconds // when it began to wait there

	lost     *lost     // by a replica that failed; nil: nothing
	handover *handover // of a replica that has computed its prompt; nil: none has
}

// refused is how a request ends that a replica does not take: one that was at another before
// is lost.
func (v *visit) refused(state metrics.State) metrics.State {
	if v.lost != nil {
		return metrics.Lost
	}
	return state
}
