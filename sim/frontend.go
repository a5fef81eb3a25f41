package sim

import (
	"math"

	"kneepoint/units"
)

// forever is later than every event: what never happens happens then.
var forever = units.Seconds(math.Inf(1))

// prepared is a request that came to the front end, and leaves it when ready.
type prepared struct {
	anywhere
	visit
	came, ready units.Seconds
}

// before orders by time; ties go to the lower ID.
func (p prepared) before(q prepared) bool {
	if p.ready != q.ready {
		return p.ready < q.ready
	}
	return p.ID < q.ID
}

// frontEnd is the requests between their arrival and the moment at which a
// replica may schedule them: compression, tokenization and hand-over. Its
// threads take requests in order of arrival, one at a time each; where their
// number is not limited, a request only takes the time of its own work.
type frontEnd struct {
	minHeap[prepared]
	limit   int             // number of threads; 0: no limit
	threads minHeap[thread] // those that have work or had some; the others are free
}

// thread is one thread of a front end: when it has done all work that it has so far.
type thread units.Seconds

func (t thread) before(u thread) bool { return t < u }

func (t thread) moved(int) {}

// accept adds a request that arrives now, with its seconds of work. Since threads take
// requests in order of arrival, when each begins is known at once: when the first
// thread is free.
func (f *frontEnd) accept(v *visit, now, work units.Seconds) {
	start := now
	if f.limit > 0 && len(f.threads) == f.limit {
		start = max(now, units.Seconds(f.threads.pop()))
	}
	if f.limit > 0 {
		f.threads.push(thread(start + work))
	}
	f.push(prepared{visit: *v, came: now, ready: start + work})
}

// queued is the number of requests that wait for a thread: a request that was
// accepted either has one or waits.
func (f *frontEnd) queued() int {
	if f.limit == 0 {
		return 0
	}
	return max(0, len(f.minHeap)-f.limit)
}

// next is when the first request leaves; forever when none is in the front end.
func (f *frontEnd) next() units.Seconds {
	if len(f.minHeap) == 0 {
		return forever
	}
	return f.minHeap[0].ready
}
