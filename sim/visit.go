package sim

import "kneepoint/workloads"

// visit is a request on its way to a replica, with what others have done for it.
type visit struct {
	workloads.Request
	generated int // tokens of its answer that it has
}
