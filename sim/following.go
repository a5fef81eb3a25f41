package sim

import "kneepoint/units"

// agenda is the replicas of a fleet that follows them by when they next change by
// themselves, so that finding the next one costs the logarithm of their number.
type agenda = minHeap[*replica]

// before orders replicas by when they next change; ties go to the lower number, so
// that a run is the same on every machine.
func (r *replica) before(s *replica) bool {
	if r.due != s.due {
		return r.due < s.due
	}
	return r.number < s.number
}

// moved notes where in the agenda the replica is.
func (r *replica) moved(index int) { r.index = index }

// follow makes the changes of replicas events of the fleet, from a time on: in a closed
// loop, and where a router counts requests.
func (f *fleet) follow(now units.Seconds) {
	if f.following {
		return
	}
	f.following = true
	for _, r := range f.replicas {
		r.advance(now)
		f.reschedule(r)
		r.setLevels()
	}
}

// reschedule notes when a replica next changes by itself, after something was done
// to it. A fleet that does not follow its replicas has no use for it.
func (f *fleet) reschedule(r *replica) {
	if !f.following {
		return
	}
	r.due = r.next()
	f.agenda.fix(r.index)
}

// nextChange is when a replica next changes by itself.
func (f *fleet) nextChange() units.Seconds {
	if len(f.agenda) == 0 {
		return forever
	}
	return f.agenda[0].due
}

// changeReplicas lets the replicas do what they do by themselves at a time: what ends
// then is committed, the requests arrive that clients send upon that, and what begins
// then is planned. All ends come before all beginnings: a client may send its next
// request at the very time at which its last one ends, to another replica, and that
// must see it in the step that begins then, whichever of the two is asked first. A
// step may take no time, so this goes on until no replica changes at this time any more.
func (f *fleet) changeReplicas(now units.Seconds) {
	for f.failure == nil && f.context.Err() == nil && f.nextChange() <= now {
		f.changed = f.changed[:0]
		for f.nextChange() <= now {
			r := f.agenda[0]
			r.commit(now)
			f.changed = append(f.changed, r)
			r.due = forever // until it plans
			f.agenda.fix(0)
		}
		f.act(now)
		for _, r := range f.changed {
			r.plan(now, forever)
			f.reschedule(r)
			if r.fewer {
				r.fewer = false
				f.report(r, now)
			}
		}
	}
}
