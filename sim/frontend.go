package sim

import (
	"math"

	"kneepoint/units"
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
// replica may schedule them: compression, tokenization and hand-over. Its
// threads take requests in order of arrival, one at a time each; where their
// number is not limited, a request only takes the time of its own work.
type frontEnd struct {
	minHeap[prepared]
	limit   int             // of threads; 0: none
	threads minHeap[thread] // those that have worked
}

// thread is one of a front end, by when it is free.
type thread units.Seconds

func (t thread) before(u thread) bool { return t < u }

// accept takes a request that arrives now, after all that it took before.
func (f *frontEnd) accept(r workloads.Request, now, work units.Seconds) {
	start := now
	if f.limit > 0 && len(f.threads) == f.limit {
		start = max(now, units.Seconds(f.threads.pop()))
	}
	if f.limit > 0 {
		f.threads.push(thread(start + work))
	}
	f.push(prepared{start + work, r})
}

// queued is the number of requests that wait for a thread.
func (f *frontEnd) queued() int {
	if f.limit == 0 {
		return 0
	}
	return max(0, len(f.minHeap)-f.limit)
}

// next is when the first request leaves.
func (f *frontEnd) next() units.Seconds {
	if len(f.minHeap) == 0 {
		return forever
	}
	return f.minHeap[0].ready
}

// arrivals are the requests that are on their way to a replica, in order.
type arrivals struct {
	requests []workloads.Request
	gone     int // of the first ones
}

func (a *arrivals) empty() bool { return a.gone == len(a.requests) }

func (a *arrivals) first() *workloads.Request { return &a.requests[a.gone] }

func (a *arrivals) push(r workloads.Request) { a.requests = append(a.requests, r) }

func (a *arrivals) pop() workloads.Request {
	r := a.requests[a.gone]
	if a.gone++; a.empty() {
		a.requests, a.gone = a.requests[:0], 0
	}
	return r
}
