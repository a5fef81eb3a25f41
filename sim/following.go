package sim

import "kneepoint/units"

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
	f.agenda.set(r.number, r.next())
}

// changeReplicas lets the replicas do what they do by themselves at a time: what ends
// then is committed, the requests arrive that clients send upon that, and what begins
// then is planned. All ends come before all beginnings: a client may send its next
// request at the very time at which its last one ends, to another replica, and that
// must see it in the step that begins then, whichever of the two is asked first. A
// step may take no time, so this goes on until no replica changes at this time any more.
func (f *fleet) changeReplicas(now units.Seconds) {
	for f.failure == nil && f.context.Err() == nil && f.agenda.next() <= now {
		f.changed = f.changed[:0]
		for f.agenda.next() <= now {
			r := f.replicas[f.agenda.first()]
			r.commit(now)
			f.changed = append(f.changed, r)
			f.agenda.set(r.number, forever) // until it plans
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
