package sim

import "kneepoint/units"

// outage is the time from a failure that is repaired until the run has recovered. Replicas
// that fail meanwhile lengthen it.
type outage struct {
	from    units.Seconds
	level   float64 // requests that were in the system, then or on average until then, whichever is more
	missing int     // replicas that are not replaced yet
}

// beginOutage begins an outage before replicas are lost, or lengthens the one that there is.
func (f *fleet) beginOutage(replicas int, now units.Seconds) {
	if f.outage != nil {
		f.outage.missing += replicas
		return
	}
	f.outage = &outage{from: now, level: float64(f.inSystem()), missing: replicas}
	if dt := now - f.record.Started; dt > 0 {
		f.outage.level = max(f.outage.level, f.timeInSystem(now)/float64(dt))
	}
}

// inSystem is how many requests are in the system.
func (f *fleet) inSystem() int { return f.flow.offered - f.flow.completed - f.flow.refused }

// timeInSystem is the time integral of the number of requests in the system.
func (f *fleet) timeInSystem(now units.Seconds) float64 {
	sum := f.routerTime + float64(f.atRouter)*float64(now-f.routerChanged) +
		f.transferTime + float64(f.arriving)*float64(now-f.arrivingChanged)
	for _, o := range f.rosters {
		if o != nil {
			sum += o.scale.past.requests
		}
	}
	for _, r := range f.replicas {
		if r.stage != gone {
			sum += r.totals.InSystem() + float64(r.requests())*float64(now-r.changed)
		}
	}
	return sum
}

// isReplaced notes that a replica takes the place of one that has failed, or that nobody
// wants one there any more.
func (r *replica) isReplaced(now units.Seconds) {
	if r.replaces == nil {
		return
	}
	r.replaces.Replaced, r.replaces = now, nil
	r.fleet.endLoss(now)
}

// endLoss notes that one replica fewer is missing.
func (f *fleet) endLoss(now units.Seconds) {
	f.outage.missing--
	f.recover(now)
}

// recover ends the outage when all is as before.
func (f *fleet) recover(now units.Seconds) {
	if o := f.outage; o != nil && o.missing == 0 && float64(f.inSystem()) <= o.level {
		f.record.Recovery.Add(now - o.from)
		f.outage = nil
	}
}
