package sim

import (
	"math"
	"slices"

	"kneepoint/units"
)

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
// must see it in the step that begins then, whichever of the two is asked first. What
// a beginning brings about at the same time, such as a prompt to compute, comes after all of them. A
// step may take no time, so this goes on until no replica changes at this time any more.
func (f *fleet) changeReplicas(now units.Seconds) {
	for f.failure == nil && f.context.Err() == nil && f.agenda.next() <= now {
		f.commitReplicas(now)
		for _, r := range f.changed {
			r.plan(now, forever)
			f.reschedule(r)
			if r.fewer {
				r.fewer = false
				f.report(r, now)
			}
		}
		f.begun = now
	}
	f.begun = now
}

// commitReplicas commits what ends at a time, and lists the replicas that are to plan then, by
// number. What ends may bring requests to others whose steps end then too, but are planned
// together with later ones: they are among them.
func (f *fleet) commitReplicas(now units.Seconds) {
	f.changed = f.changed[:0]
	for f.failure == nil && f.agenda.next() <= now {
		for f.agenda.next() <= now {
			r := f.replicas[f.agenda.first()]
			r.commit(now)
			f.changed = append(f.changed, r)
			f.agenda.set(r.number, forever) // until it plans
		}
		f.act(now)
	}
	slices.SortFunc(f.changed, func(a, b *replica) int { return a.number - b.number })
	f.changed = slices.Compact(f.changed)
}

// endedBy is the time before which all steps have ended that replicas commit when they are looked at, or
// touched, now: a step that ends at this very time goes on until all replicas have planned what begins then.
func (f *fleet) endedBy(now units.Seconds) units.Seconds {
	if now == f.begun {
		return units.Seconds(math.Nextafter(float64(now), math.Inf(1)))
	}
	return now
}
