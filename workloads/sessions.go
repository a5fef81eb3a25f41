package workloads

import (
	"math"
	"slices"

	"kneepoint/units"
)

// sessions is traffic of conversations, n requests in all. A turn comes when its
// user has read the answer before it; a conversation starts when starts says so.
type sessions struct {
	law    *conversationLaw
	starts starts
	think  float64
	n      int
	until  float64

	id       int                   // of the next request
	thinking []*conversation       // whose next turn has a time, the earliest last
	asked    map[int]*conversation // by the request that is in flight
}

// starts are the times at which conversations begin.
type starts interface {
	first() float64 // +Inf when none begins, or none before another one ends
	removeFirst()
	ended(at float64) // a conversation was over at this time, its user ready for the next
}

func newSessions(s *Spec, n int, seed uint64, replication int) (*sessions, error) {
	law, err := newConversationLaw(s, seed, replication)
	if err != nil {
		return nil, err
	}
	t := &sessions{law: law, think: float64(s.Session.ThinkTime), n: n, until: s.until(), asked: map[int]*conversation{}}
	if s.Session.Users > 0 {
		t.starts = &users{slots{fresh: s.Session.Users}}
		return t, nil
	}
	arrival := s.arrival()
	planned := &planned{schedule: newSchedule(s, &arrival, nil, n, seed, replication)}
	planned.removeFirst()
	t.starts = planned
	return t, nil
}

// earliest is when the next request comes.
func (t *sessions) earliest() float64 {
	at := t.starts.first()
	if last := len(t.thinking) - 1; last >= 0 {
		at = min(at, t.thinking[last].at)
	}
	return at
}

func (t *sessions) Peek() (at units.Seconds, ok bool) {
	next := t.earliest()
	if t.id >= t.n || next > t.until || math.IsInf(next, 1) {
		return units.Seconds(math.Inf(1)), false
	}
	return units.Seconds(next), true
}

func (t *sessions) Pop() (r Request, ok bool) {
	at, ok := t.Peek()
	if !ok {
		return Request{}, false
	}
	c := t.turn(float64(at))
	r = c.next(t.id)
	r.Planned, r.Arrival = at, at
	t.asked[t.id] = c
	t.id++
	return r, true
}

// turn is the conversation whose turn it is at this time: one that goes on, or
// else a new one.
func (t *sessions) turn(at float64) *conversation {
	if last := len(t.thinking) - 1; last >= 0 && t.thinking[last].at == at {
		c := t.thinking[last]
		t.thinking = t.thinking[:last]
		return c
	}
	t.starts.removeFirst()
	c := t.law.draw()
	c.at = at
	return c
}

func (t *sessions) Done(id int, end units.Seconds) {
	c, at := t.asked[id], float64(end)
	delete(t.asked, id)
	if at <= c.at {
		at += float64(refusal)
	}
	c.at = at + t.think
	if len(c.turns) == 0 {
		t.starts.ended(c.at)
		return
	}
	i, _ := slices.BinarySearchFunc(t.thinking, c, func(x, c *conversation) int { return c.compare(x) })
	t.thinking = slices.Insert(t.thinking, i, c)
}

func (t *sessions) OpenLoop() bool { return false }

// planned starts conversations by a schedule.
type planned struct {
	schedule schedule
	at       float64
}

func (p *planned) first() float64 { return p.at }

func (p *planned) removeFirst() { p.at = p.schedule.next() }

func (p *planned) ended(float64) {}

// users each start one conversation after another.
type users struct{ slots }

func (u *users) first() float64 {
	if u.slots.empty() {
		return math.Inf(1)
	}
	return float64(u.slots.first())
}

func (u *users) ended(at float64) { u.slots.release(units.Seconds(at)) }
