package metrics

import "kneepoint/units"

// brief is a request in few bytes, of which no more is known than when it came into the queue.
type brief struct {
	arrival                units.Seconds
	input, output, session int32
	frontEnd               float32
	turn, turns            uint16
	class                  int16
	truncated, inWindow    bool
}

// shelf is requests of consecutive IDs, in brief; zero: it is not there.
type shelf [pageSize]brief

// request is the record of a request in brief.
func (b *brief) request() Request {
	r := Request{Arrival: b.arrival, Input: b.input, Output: b.output, Session: b.session, Turn: b.turn, Turns: b.turns,
		Class: b.class, Truncated: b.truncated, InWindow: b.inWindow}
	r.ToLast[FrontEnd] = b.frontEnd
	return r
}

// briefOf is a request in brief. It is false where there is more to it.
func briefOf(r *Request) (b brief, ok bool) {
	b = brief{arrival: r.Arrival, input: r.Input, output: r.Output, session: r.Session, turn: r.Turn, turns: r.Turns,
		class: r.Class, truncated: r.Truncated, inWindow: r.InWindow, frontEnd: r.ToLast[FrontEnd]}
	return b, b != (brief{}) && b.request() == *r
}

// shelve keeps a request in brief, where that says all of it, until unshelve.
func (l *live) shelve(id int) {
	i := id/pageSize - l.first
	b, ok := briefOf(&l.pages[i].requests[id%pageSize])
	if !ok {
		return
	}
	for len(l.shelves) < len(l.pages) {
		l.shelves = append(l.shelves, nil)
	}
	if l.shelves[i] == nil {
		l.shelves[i] = new(shelf)
	}
	l.shelves[i][id%pageSize] = b
	l.takeOff(id)
}

// unshelve makes a request one like the others that may be kept in brief.
func (l *live) unshelve(id int) {
	i := id/pageSize - l.first
	b := l.brief(i, id%pageSize)
	if b == nil {
		return
	}
	l.count--
	l.open(id, b.request())
	*b = brief{}
	if *l.shelves[i] == (shelf{}) {
		l.shelves[i] = nil
	}
}

// brief is the k-th of the requests of the i-th page, where it is kept in brief; else nil.
func (l *live) brief(i, k int) *brief {
	if i < 0 || i >= len(l.shelves) || l.shelves[i] == nil || l.shelves[i][k] == (brief{}) {
		return nil
	}
	return &l.shelves[i][k]
}
