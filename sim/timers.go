package sim

import "kneepoint/units"

// timer is something that the fleet does at a time, beside arrivals and the changes of
// replicas.
type timer struct {
	anywhere
	at     units.Seconds
	number int // how many there were before it
	run    func()
}

// before orders by time; ties go to the one that was set first.
func (t timer) before(u timer) bool {
	if t.at != u.at {
		return t.at < u.at
	}
	return t.number < u.number
}

// timers are those that are still to come.
type timers struct {
	minHeap[timer]
	set int // so far
}

// next is when the first of them comes; forever when none does.
func (t *timers) next() units.Seconds {
	if len(t.minHeap) == 0 {
		return forever
	}
	return t.minHeap[0].at
}

// at has the fleet run something at a time that is not past: before what arrives, ends or
// begins then. What looks at replicas then needs a fleet that follows them (see follow), so that
// all that ended before has. Once all requests have ended nothing is run any more.
func (f *fleet) at(at units.Seconds, run func()) {
	f.timers.push(timer{at: at, number: f.timers.set, run: run})
	f.timers.set++
}

// over tells whether all requests have ended, and no further one is to come before the run
// ends.
func (f *fleet) over() bool {
	at := f.nextArrival()
	return (at == forever || at > f.cut) && f.flow.offered == f.flow.completed+f.flow.refused
}
