package sim

import (
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

	handover *handover // of a replica that has computed its prompt; nil: none has
}
