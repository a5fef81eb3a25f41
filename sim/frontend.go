package sim

import (
	"math"

	"kneepoint/internal/units"
	"kneepoint/workloads"
)

// forever is later than everything.
var forever = units.Seconds(math.Inf(1))

// prepared is a request that leaves the front end when ready.
type prepared struct {
	ready   units.Seconds
	request workloads.Request
}

// before orders by time; ties go to the lower ID.
func (p prepared) before(q prepared) bool {
	if p.ready != q.ready {
		return p.ready < q.ready
	}
	return p.request.ID < q.request.ID
}

// frontEnd is the requests between their arrival and the moment at which a
// replica may schedule them: tokenization and hand-over, as a pure delay.
type frontEnd struct {
	minHeap[prepared]
}

// next is when the first request leaves.
func (f *frontEnd) next() units.Seconds {
	if len(f.minHeap) == 0 {
		return forever
	}
	return f.minHeap[0].ready
}
