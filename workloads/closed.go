package workloads

import (
	"math"

	"kneepoint/units"
)

// refusal is how long a client takes to come back after an answer that took no
// time: that its request is refused. It bounds what a client that is refused
// all the time can send.
const refusal = units.Seconds(1e-3)

// closedLoop is a number of clients that each send a request, wait for its end,
// think, and send the next. All of them start at time 0.
type closedLoop struct {
	clients slots
	think   units.Seconds
	lengths lengths
	n       int
	until   units.Seconds

	id   int           // of the next request
	sent units.Seconds // when the last one was sent
}

func newClosedLoop(a *ArrivalSpec, l lengths, n int, until float64) *closedLoop {
	return &closedLoop{clients: slots{fresh: a.Concurrency}, think: units.Seconds(a.ThinkTime),
		lengths: l, n: n, until: units.Seconds(until)}
}

func (t *closedLoop) Peek() (at units.Seconds, ok bool) {
	if t.id >= t.n || t.clients.empty() || t.clients.first() > t.until {
		return units.Seconds(math.Inf(1)), false
	}
	return t.clients.first(), true
}

func (t *closedLoop) Pop() (r Request, ok bool) {
	at, ok := t.Peek()
	if !ok {
		return Request{}, false
	}
	t.clients.removeFirst()
	r = Request{ID: t.id, Planned: at, Arrival: at}
	t.lengths.next(&r)
	t.id++
	t.sent = at
	return r, true
}

func (t *closedLoop) Done(_ int, at units.Seconds) {
	if at <= t.sent {
		at += refusal
	}
	t.clients.release(at + t.think)
}

func (t *closedLoop) OpenLoop() bool { return false }
