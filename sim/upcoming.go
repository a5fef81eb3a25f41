package sim

import "kneepoint/units"

// event is something that happens at a time of its own.
type event[T any] struct {
	anywhere
	at     units.Seconds
	number int // how many there were before it
	what   T
}

// before orders by time; ties go to the one that was set first.
func (e event[T]) before(f event[T]) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return e.number < f.number
}

// upcoming are events that are still to come.
type upcoming[T any] struct {
	minHeap[event[T]]
	set int // so far
}

// add sets an event.
func (u *upcoming[T]) add(at units.Seconds, what T) {
	u.push(event[T]{at: at, number: u.set, what: what})
	u.set++
}

// next is when the first of them comes; forever when none does.
func (u *upcoming[T]) next() units.Seconds {
	if len(u.minHeap) == 0 {
		return forever
	}
	return u.minHeap[0].at
}
