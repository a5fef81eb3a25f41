package workloads

import (
	"math"

	"kneepoint/units"
)

// sessions is traffic of conversations, n requests in all. A turn comes when its
// user has read the answer before it; a conversation starts when starts says so.
type sessions struct {
	law    *conversationLaw
	starts starts
	think  *thinking
	paced  bool // a user thinks from the turn on, and not from its answer
	n      int
	until  float64

	id       int // of the next request
	thinking turnQueue
	asked    map[int]*conversation // by the request that is in flight
}

// starts are the times at which conversations begin.
type starts interface {
	first() float64 // +Inf when none begins, or none before another one ends
	removeFirst()
	skip(turns int) int        // how many turns of the conversation that begins are over already
	answered(took, at float64) // a turn was
	ended(at float64)          // a conversation was over at this time, its user ready for the next
}

func newSessions(s *Spec, n int, seed uint64, replication int) (*sessions, error) {
	law, err := newConversationLaw(s, seed, replication)
	if err != nil {
		return nil, err
	}
	t := &sessions{
		law:   law,
		think: newThinking(&s.Session.ThinkTime, seed, replication),
		paced: s.Session.paced(),
		n:     n,
		until: s.until(),
		asked: map[int]*conversation{},
	}
	if s.Session.Users > 0 {
		atOnce := s.Session.Start == "at_once"
		t.starts = newUsers(newJoins(s.Session.Users, atOnce, t.think, seed, replication), atOnce, seed, replication)
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
	if len(t.thinking) > 0 {
		at = min(at, t.thinking[0].at)
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
	if len(t.thinking) > 0 && t.thinking[0].at == at {
		return t.thinking.pop()
	}
	t.starts.removeFirst()
	c := t.law.draw()
	c.skip(t.starts.skip(len(c.turns)))
	c.at = at
	return c
}

func (t *sessions) Done(id int, end units.Seconds) {
	c, at := t.asked[id], float64(end)
	delete(t.asked, id)
	if at <= c.at {
		at += float64(refusal)
	}
	t.starts.answered(at-c.at, at)
	c.at = t.nextTurn(c.at, at, float64(t.think.after(id)))
	if len(c.turns) == 0 {
		t.starts.ended(c.at)
		return
	}
	t.thinking.push(c)
}

// nextTurn is when the next turn comes after one that was sent and answered at these times.
func (t *sessions) nextTurn(sent, answered, think float64) float64 {
	if t.paced {
		return max(answered, sent+think)
	}
	return answered + think
}

func (t *sessions) OpenLoop() bool { return false }

// planned starts conversations by a schedule.
type planned struct {
	schedule schedule
	at       float64
}

func (p *planned) first() float64 { return p.at }

func (p *planned) removeFirst() { p.at = p.schedule.next() }

func (p *planned) skip(int) int { return 0 }

func (p *planned) answered(_, _ float64) {}

func (p *planned) ended(float64) {}
