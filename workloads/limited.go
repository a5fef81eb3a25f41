package workloads

import (
	"math"

	"kneepoint/units"
)

// limited lets at most as many of an open loop's requests be in flight as there are
// permits. A request that is planned while all permits are in use is sent when one is
// released, in order of planning.
type limited struct {
	planned *openLoop
	permits slots
}

func newLimited(planned *openLoop, permits int) *limited {
	return &limited{planned: planned, permits: slots{fresh: permits}}
}

func (t *limited) Peek() (at units.Seconds, ok bool) {
	at, ok = t.planned.Peek()
	if !ok || t.permits.empty() {
		return units.Seconds(math.Inf(1)), false
	}
	return max(at, t.permits.first()), true
}

func (t *limited) Pop() (r Request, ok bool) {
	if t.permits.empty() {
		return Request{}, false
	}
	if r, ok = t.planned.Pop(); ok {
		r.Arrival = max(r.Planned, t.permits.first())
		t.permits.removeFirst()
	}
	return r, ok
}

func (t *limited) Done(_ int, at units.Seconds) { t.permits.release(at) }

func (t *limited) OpenLoop() bool { return false }
