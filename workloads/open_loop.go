package workloads

import (
	"math"

	"kneepoint/units"
)

// drawnTogether is the number of requests that an open loop draws at once. What a simulated request takes is more instructions than
// fit into the processor's first cache; those that draw are read once for all of these.
const drawnTogether = 64

// openLoop sends n requests, those planned by until, when they are planned.
type openLoop struct {
	schedule schedule
	lengths  lengths
	n        int
	until    float64

	drawn []Request // from the next one on
	ahead []Request // the memory of these
	id    int       // of the next one that is drawn
}

func newOpenLoop(s schedule, l lengths, n int, until float64) *openLoop {
	t := &openLoop{schedule: s, lengths: l, n: n, until: until}
	t.draw()
	return t
}

// draw draws the next requests: when they come, and then the rest of each.
func (t *openLoop) draw() {
	t.ahead = t.ahead[:0]
	for ; t.id < t.n && len(t.ahead) < drawnTogether; t.id++ {
		at := t.schedule.next()
		if at > t.until || math.IsInf(at, 1) {
			t.n = t.id
			break
		}
		t.ahead = append(t.ahead, Request{ID: t.id, Session: -1, Planned: units.Seconds(at), Arrival: units.Seconds(at)})
	}
	for i := range t.ahead {
		t.lengths.next(&t.ahead[i])
	}
	t.drawn = t.ahead
}

// at is when the next request is planned; +Inf when there is none.
func (t *openLoop) at() float64 {
	if len(t.drawn) == 0 {
		return math.Inf(1)
	}
	return float64(t.drawn[0].Planned)
}

func (t *openLoop) Peek() (at units.Seconds, ok bool) {
	return units.Seconds(t.at()), len(t.drawn) > 0
}

func (t *openLoop) Pop() (r Request, ok bool) {
	if len(t.drawn) == 0 {
		return Request{}, false
	}
	r = t.drawn[0]
	if t.drawn = t.drawn[1:]; len(t.drawn) == 0 {
		t.draw()
	}
	return r, true
}

func (t *openLoop) Done(int, units.Seconds) {}

func (t *openLoop) OpenLoop() bool { return true }
