package sim

import (
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// RouterQueue lets requests wait at the router, for a replica that has room.
type RouterQueue struct {
	MaxInFlight int // requests that a replica has at most; 0: no limit

	// Rank orders the queue: a request of a lower rank is sent first, of equal ones the one
	// that has waited longest. nil: in order of arrival.
	Rank func(workloads.Request) float64

	// Rate is how many requests are sent in a second at most, but for Burst that may be sent
	// at once after a time without any: a token bucket. 0: no limit.
	Rate  float64
	Burst int

	// Timeout is how long a request waits before it gives up; 0: for ever. It comes back
	// Retries times, to the end of the queue: first after Backoff, each time after twice as
	// long as the time before.
	Timeout units.Seconds
	Retries int
	Backoff units.Seconds
}

// waiter is a request that waits at the router, or that has given up and is to come back.
type waiter struct {
	visit
	rank   float64
	number int // in order of coming, and coming back
	index  int // in the heap; -1: not there
	tries  int // how often it has given up
}

func (w *waiter) before(x *waiter) bool {
	if w.rank != x.rank {
		return w.rank < x.rank
	}
	return w.number < x.number
}

func (w *waiter) moved(index int) { w.index = index }

// lobby is where the requests of a group wait, while none of its replicas has room.
type lobby struct {
	waiting minHeap[*waiter]
	came    int           // so far
	allowed units.Seconds // when the token bucket would be full, if no more requests were sent
	woken   units.Seconds // when the bucket is looked at again; forever: not asked for
	time    float64       // ∫ number that wait dt
	counted units.Seconds // until when
}

// count adds the time since the number of those that wait last changed.
func (l *lobby) count(now units.Seconds) {
	l.time += float64(len(l.waiting)) * float64(now-l.counted)
	l.counted = now
}

// blocked tells whether a request that comes now has to wait.
func (g *group) blocked(now units.Seconds) bool {
	return len(g.members) == 0 || len(g.lobby.waiting) > 0 || g.nextToken() > now
}

// nextToken is when the token bucket lets the next request pass: as long as it is within a
// burst of being full.
func (g *group) nextToken() units.Seconds {
	q := g.fleet.config.Queue
	if q == nil || q.Rate == 0 {
		return 0
	}
	return g.lobby.allowed - units.Seconds(float64(q.Burst-1)/q.Rate)
}

// takeToken takes a token out of the bucket.
func (g *group) takeToken(now units.Seconds) {
	if q := g.fleet.config.Queue; q != nil && q.Rate > 0 {
		g.lobby.allowed = max(g.lobby.allowed, now) + units.Seconds(1/q.Rate)
	}
}

// enqueue lets a request wait that comes now, unless it fits in none of the replicas, or in none of those that do
// its other part. It is cut, where that is asked for, to what the roomiest of them hold.
func (g *group) enqueue(v *visit, now units.Seconds) {
	f := g.fleet
	f.open(v)
	f.integrateRouter(now)
	if !f.servable(v, g.roomiest) {
		if v.counted {
			f.record.Trend.Leave(now)
		}
		f.refuse(v, v.refused(metrics.Rejected), now)
		return
	}
	if !v.counted {
		n := max(1, len(f.replicas)) // each of which has its share of the queue
		f.record.Trend.Arrive(v.ID, now)
		f.record.Trend.Wait(v.ID, (len(g.lobby.waiting)+n-1)/n)
	}
	v.counted, v.waited, v.since = true, true, now
	f.atRouter++
	w := &waiter{visit: *v}
	if q := f.config.Queue; q != nil && q.Rank != nil {
		w.rank = q.Rank(v.Request)
	}
	g.stand(w, now)
}

// stand puts a request at the end of the queue, of those of its rank.
func (g *group) stand(w *waiter, now units.Seconds) {
	g.lobby.came++
	w.number = g.lobby.came
	g.lobby.count(now)
	g.lobby.waiting.push(w)
	if q := g.fleet.config.Queue; q != nil && q.Timeout > 0 {
		number := w.number
		g.fleet.at(now+q.Timeout, func() {
			if w.index >= 0 && w.number == number {
				g.giveUp(w, now+q.Timeout)
			}
		})
	}
	g.wake(now)
	g.fleet.callFor(g, now)
}

// giveUp takes a request out of the queue that has waited too long. It comes back later,
// unless it has often enough.
func (g *group) giveUp(w *waiter, now units.Seconds) {
	f, q := g.fleet, g.fleet.config.Queue
	g.lobby.count(now)
	g.lobby.waiting.remove(w.index)
	w.index = -1
	if w.tries++; w.tries <= q.Retries {
		back := now + q.Backoff*units.Seconds(int64(1)<<min(w.tries-1, 62))
		f.at(back, func() { g.stand(w, back) })
		return
	}
	f.leaveRouter(&w.visit, now)
	f.observeRouter(-1, &w.visit, now)
	f.record.Trend.Leave(now)
	f.refuse(&w.visit, metrics.TimedOut, now)
}

// leaveRouter ends the wait of a request at the router.
func (f *fleet) leaveRouter(v *visit, now units.Seconds) {
	f.integrateRouter(now)
	f.atRouter--
	f.record.Of(v.ID).ToLast.Add(metrics.Routing, now-v.since)
}

// dispatch sends those that wait to replicas that have room, as far as there are any.
func (g *group) dispatch(now units.Seconds) {
	f := g.fleet
	for f.failure == nil && len(g.lobby.waiting) > 0 && len(g.members) > 0 && g.nextToken() <= now {
		g.lobby.count(now)
		w := g.lobby.waiting.pop()
		w.index = -1
		f.leaveRouter(&w.visit, now)
		f.route(g, &w.visit, now)
	}
	g.wake(now)
}

// wake has the group look at its queue again when the token bucket lets a request pass.
func (g *group) wake(now units.Seconds) {
	at := max(now, g.nextToken())
	if len(g.lobby.waiting) == 0 || len(g.members) == 0 || g.lobby.woken == at {
		return
	}
	g.lobby.woken = at
	g.fleet.at(at, func() { g.dispatch(at) })
}

// integrateRouter adds the time since the number of requests at the router last changed to
// its integral.
func (f *fleet) integrateRouter(now units.Seconds) {
	f.recordRouter(now)
	f.routerTime += float64(f.atRouter) * float64(now-f.routerChanged)
	f.routerChanged = now
	f.latest = max(f.latest, now)
}
