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

// frontEnd is the requests between their arrival and the moment at which a
// replica may schedule them: tokenization and hand-over, as a pure delay. It is
// a heap by time; ties go to the lower ID.
type frontEnd []prepared

// next is when the first request leaves.
func (h frontEnd) next() units.Seconds {
	if len(h) == 0 {
		return forever
	}
	return h[0].ready
}

// Len implements heap.Interface.
func (h frontEnd) Len() int { return len(h) }

// Less implements heap.Interface.
func (h frontEnd) Less(i, j int) bool {
	if h[i].ready != h[j].ready {
		return h[i].ready < h[j].ready
	}
	return h[i].request.ID < h[j].request.ID
}

// Swap implements heap.Interface.
func (h frontEnd) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *frontEnd) Push(x any) { *h = append(*h, x.(prepared)) }

// Pop implements heap.Interface.
func (h *frontEnd) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
