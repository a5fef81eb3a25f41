package sim

import (
	"math"

	"kneepoint/units"
	"kneepoint/workloads"
)

// latecomers are the requests at the end of a long queue, which no policy looks at before they are near its head: of each what its
// record does not tell. A sequence has ten times as many bytes.
type latecomers struct {
	pages  []*[latePage]latecomer
	spare  *[latePage]latecomer // to use again; nil: none
	first  int                  // index of the head on the first page
	seen   int                  // that a policy may look at
	missed int                  // behind them, with async: that came after the next step was planned
}

// latecomer is a request in a long queue.
type latecomer struct {
	since   units.Seconds      // when it came into the queue
	memory  units.Seconds      // clocks.memory then
	content *workloads.Content // as in workloads.Request
	request int32              // its ID; of one that is more than its record and this, so that it has its sequence already, a negative number less by one than that of the sequence
	named   int32
}

const (
	latePage = 128 // latecomers of a page

	// farBehind is how many requests wait before one that is kept as a latecomer: a short queue has none.
	farBehind = 16
)

// count is how many there are.
func (l *latecomers) count() int { return l.seen + l.missed }

// push puts one to the end, unseen.
func (l *latecomers) push(c latecomer) {
	i := l.first + l.count()
	if i == len(l.pages)*latePage {
		if l.spare == nil {
			l.spare = new([latePage]latecomer)
		}
		l.pages, l.spare = append(l.pages, l.spare), nil
	}
	l.pages[i/latePage][i%latePage] = c
	l.missed++
}

// see lets policies look at all, and is how many they could not look at before.
func (l *latecomers) see() int {
	n := l.missed
	l.seen, l.missed = l.seen+n, 0
	return n
}

// pop takes out the first one, which is seen.
func (l *latecomers) pop() latecomer {
	c := l.pages[0][l.first]
	l.seen--
	if l.first++; l.first == latePage {
		l.spare, l.pages, l.first = l.pages[0], l.pages[1:], 0
	}
	return c
}

// comesLate puts a request that leaves the front end at the end of a long queue. It is false where the queue is short, or ordered
// by anything but arrival, and in the reference, which has a sequence of each.
func (r *replica) comesLate(p *prepared) bool {
	q, config := &r.waiting, r.fleet.config
	if q.late.count() == 0 && q.Len()+len(r.missedPlan) < farBehind {
		return false
	}
	if q.lines != nil || config.Rank != nil || config.Reference || p.ID > math.MaxInt32 {
		return false
	}
	c := latecomer{since: p.ready, memory: r.clocks.memory, content: p.Content, request: int32(p.ID), named: int32(p.Named)}
	if v := &p.visit; v.lost != nil || v.whole || v.handover != nil || v.peer != nil {
		c.request = -1 - int32(r.newWaiting(p, r.fleet.record.Of(p.ID)).ID)
	} else {
		r.fleet.record.Shelve(p.ID)
	}
	if q.late.push(c); !r.active || !r.async {
		r.seeLate()
	}
	return true
}

// seeLate lets policies look at the requests at the end of the queue.
func (m *machine) seeLate() { m.totals.Requests += int64(m.waiting.late.see()) }

// arrive makes the sequence of a latecomer that comes near the head of the queue.
func (m *machine) arrive(c latecomer) *sequence {
	if c.request < 0 {
		return m.sequences.all[-1-c.request]
	}
	record := m.fleet.record.Unshelve(int(c.request))
	s := m.newSequence(&visit{opened: true, counted: true, Request: workloads.Request{
		ID: int(c.request), Input: int(record.Input), Output: int(record.Output), Class: int(record.Class),
		Session: int(record.Session), Turn: int(record.Turn), Turns: int(record.Turns),
		Content: c.content, Named: int(c.named), Arrival: record.Arrival, // when it was planned nobody asks any more
	}})
	*m.phaseStart(s) = phaseStart{at: c.since, clocks: clocks{memory: c.memory}}
	s.inWindow = record.InWindow
	return s
}
