package sim

import (
	"math"
	"slices"
)

// ServedOrder orders the queue of a replica by what it has served each client, least first, as a virtual token counter
// does. Of one client requests join in order of arrival. Served are the prompt's tokens when a request
// joins, and Weight times each token that comes, or all that will come at once where Foreseen. A client of whom nobody waited
// is lifted to the least served of those who wait when its next request comes, so that it does not save up.
//
// Source: Sheng et al. 2024, "Fairness in Serving Large Language Models", arXiv 2401.00588, algorithms 2 and 3, and
// slora/server/router/vtc_req_queue.py at Ying1123/VTC-artifact.
type ServedOrder struct {
	Weight   float64 // of a generated token, over one of a prompt
	Foreseen bool    // answers are known when they begin, and charged then
}

// lines are the requests that wait, by client. Counters change from step to step, and with them who is next: each plan
// orders anew what it looks at.
type lines struct {
	order   ServedOrder
	clients []clientLine // by class
	came    []*sequence  // since the last plan, in order
	waiting int          // requests in the lines, and that came
}

// clientLine is the requests of one client: those from head on.
type clientLine struct {
	waiting []*sequence
	head    int
	served  float64
	ahead   float64 // that requests which the plan has looked at will be charged when they join
}

func (c *clientLine) empty() bool { return c.head == len(c.waiting) }

// come lets a request wait that the next plan sees first.
func (l *lines) come(s *sequence) {
	l.came = append(l.came, s)
	l.waiting++
}

// stand puts those that came at the ends of their lines.
func (l *lines) stand() {
	for _, s := range l.came {
		for s.class >= len(l.clients) {
			l.clients = append(l.clients, clientLine{})
		}
		c := &l.clients[s.class]
		if least := l.leastServed(); c.empty() && !math.IsInf(least, 1) {
			c.served = max(c.served, least)
		}
		c.waiting = append(c.waiting, s)
	}
	l.came = l.came[:0]
}

// leastServed is the counter of the least served client of whom somebody waits; infinite where nobody does.
func (l *lines) leastServed() float64 {
	least := math.Inf(1)
	for i := range l.clients {
		if c := &l.clients[i]; !c.empty() {
			least = min(least, c.served)
		}
	}
	return least
}

// next takes the first request of the client that is the least served once those that were looked at have joined.
func (l *lines) next() *sequence {
	var first *clientLine
	for i := range l.clients {
		if c := &l.clients[i]; !c.empty() && (first == nil || c.served+c.ahead < first.served+first.ahead) {
			first = c
		}
	}
	s := first.waiting[first.head]
	first.waiting[first.head] = nil
	if first.head++; first.empty() {
		first.waiting, first.head = first.waiting[:0], 0
	}
	first.ahead += l.charge(s)
	l.waiting--
	return s
}

// back puts a request that was looked at, and has not joined, before the others of its client.
func (l *lines) back(s *sequence) {
	c := &l.clients[s.class]
	if l.waiting++; c.head > 0 {
		c.head--
		c.waiting[c.head] = s
		return
	}
	c.waiting = slices.Insert(c.waiting, 0, s)
}

// charge is what a client is charged when a request joins.
func (l *lines) charge(s *sequence) float64 {
	if l.order.Foreseen {
		return float64(s.Prompt) + l.order.Weight*float64(s.output)
	}
	return float64(s.Prompt)
}

// join charges a client for a request that joins, once.
func (l *lines) join(s *sequence) {
	if s.charged < 0 {
		l.clients[s.class].served += l.charge(s)
		s.charged = 0
	}
}

// generated charges a client for the tokens of a request that came since it was last called.
func (l *lines) generated(s *sequence) {
	if l.order.Foreseen || s.charged < 0 {
		return
	}
	l.clients[s.class].served += l.order.Weight * float64(s.Generated-s.charged)
	s.charged = s.Generated
}

// orderAnew brings the counters up to date before a plan, and puts who was looked at back into the lines: all but those
// that come before all others.
func (m *machine) orderAnew() {
	q := &m.waiting
	for _, v := range m.running {
		if v != nil {
			q.lines.generated(m.sequences.all[v.ID])
		}
	}
	for q.count > 0 {
		v := q.at(q.count - 1)
		if v.Blocks > 0 || math.IsInf(v.Rank, -1) {
			break
		}
		q.dropBack()
		q.lines.back(m.sequences.all[v.ID])
	}
	for i := range q.lines.clients {
		q.lines.clients[i].ahead = 0
	}
	q.lines.stand()
}
