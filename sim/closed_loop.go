package sim

import "kneepoint/units"

// nextChange is when a replica next changes by itself.
func (f *fleet) nextChange() units.Seconds {
	at := forever
	for _, r := range f.replicas {
		at = min(at, r.next())
	}
	return at
}

// change lets the replicas of a closed loop do what they do by themselves at a
// time: what ends then is committed, the requests arrive that clients send upon
// that, and what begins then is planned. All ends come before all beginnings, so
// that it does not matter which replica is asked first.
func (f *fleet) change(now units.Seconds) {
	for f.failure == nil && f.context.Err() == nil {
		changed := f.changed[:0]
		for _, r := range f.replicas {
			if r.next() <= now {
				r.commit(now)
				changed = append(changed, r)
			}
		}
		f.changed = changed
		if len(changed) == 0 {
			return
		}
		f.deliver(now)
		for _, r := range changed {
			r.plan(now, forever)
		}
	}
}

// closedLoop lets everything happen in a closed loop that happens at a time. A
// replica that is alone goes on without the kernel until the next arrival.
func (f *fleet) closedLoop(now units.Seconds) {
	for turns := 1; turns%1024 != 0; turns++ {
		f.deliver(now)
		f.change(now)
		now = f.nextChange()
		if len(f.replicas) > 1 || now >= f.nextArrival() || now > f.cut {
			return
		}
	}
}
