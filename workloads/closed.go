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
// think, and send the next.
type closedLoop struct {
	joins   *joins // who have not sent anything yet
	clients slots  // who have
	think   *thinking
	lengths lengths
	n       int
	until   units.Seconds

	id   int                   // of the next request
	sent units.Seconds         // when the last one was sent
	asks map[int]units.Seconds // when requests were sent that clients still wait for who join
}

func newClosedLoop(a *ArrivalSpec, l lengths, n int, until float64, seed uint64, replication int) *closedLoop {
	think := newThinking(&a.ThinkTime, seed, replication)
	return &closedLoop{joins: newJoins(a.Concurrency, a.Start == "at_once", think, seed, replication), think: think,
		lengths: l, n: n, until: units.Seconds(until), asks: map[int]units.Seconds{}}
}

// earliest is when the next request comes: of a client who thought, or of one who joins.
func (t *closedLoop) earliest() units.Seconds {
	at := t.joins.next
	if t.joins.left == 0 {
		at = units.Seconds(math.Inf(1))
	}
	if !t.clients.empty() {
		at = min(at, t.clients.first())
	}
	return at
}

func (t *closedLoop) Peek() (at units.Seconds, ok bool) {
	at = t.earliest()
	if t.id >= t.n || at > t.until || math.IsInf(float64(at), 1) {
		return units.Seconds(math.Inf(1)), false
	}
	return at, true
}

func (t *closedLoop) Pop() (r Request, ok bool) {
	at, ok := t.Peek()
	if !ok {
		return Request{}, false
	}
	if !t.clients.empty() && t.clients.first() == at {
		t.clients.removeFirst()
	} else {
		t.joins.join(at)
	}
	r = Request{ID: t.id, Session: -1, Planned: at, Arrival: at}
	t.lengths.next(&r)
	t.sent = at
	if t.joins.left > 0 {
		t.asks[t.id] = at
	}
	t.id++
	return r, true
}

func (t *closedLoop) Done(id int, at units.Seconds) {
	if at <= t.sent {
		at += refusal
	}
	if t.joins.left > 0 {
		t.joins.answered(at-t.asks[id], at)
	}
	t.clients.release(at + t.think.after(id))
}

func (t *closedLoop) OpenLoop() bool { return false }
