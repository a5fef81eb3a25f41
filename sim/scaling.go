package sim

import (
	"slices"

	"kneepoint/policies/scaling"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// Scaling changes the number of a pool's replicas during a run.
type Scaling struct {
	Scaler func() scaling.Scaler
	Bounds scaling.Bounds

	// Met tells whether a completed request meets its objective; nil: nobody asks.
	Met func(*metrics.Request) bool
}

// scale is how a roster follows its scaler.
type scale struct {
	scaler scaling.Scaler // nil: there is none
	bounds scaling.Bounds
	wanted int           // what the scaler said last
	asked  units.Seconds // when
	due    units.Seconds // when it is asked next
	looks  units.Seconds // when the roster looks next: then, or when the pool has been idle long enough

	busyUntil units.Seconds // when the last request ended
	ended     int           // requests since the scaler was asked
	met       int           // of these, those that met their objective
	requests  float64       // ∫ number of requests dt until it was asked
	busy      units.Seconds // in steps until then
	serving   units.Seconds // of replicas that were up until then
	served    units.Seconds // the same until now
	counted   units.Seconds // now: when their number last changed

	past struct { // of replicas that are gone
		requests float64 // ∫ number of requests dt
		busy     units.Seconds
	}
}

// beginScaling makes the scaler, which is asked first at the end of its first interval.
func (o *roster) beginScaling() {
	config := o.pool.Scaling
	if config == nil {
		return
	}
	scaler := config.Scaler()
	o.scale = scale{scaler: scaler, bounds: config.Bounds, wanted: o.pool.Replicas, due: scaler.Next(0)}
	o.lookAt(min(o.scale.due, o.scale.sleepAt(0, o.pool.Replicas)))
}

// sleepAt is when the pool has been idle for long enough to have no replica, if no request
// comes after it was busy until a time.
func (c *scale) sleepAt(busy units.Seconds, replicas int) units.Seconds {
	if replicas == 0 || c.bounds.Min > 0 || c.bounds.IdleTimeout == 0 {
		return forever
	}
	return busy + c.bounds.IdleTimeout
}

// lookAt has the roster look again at a time, and not before.
func (o *roster) lookAt(at units.Seconds) {
	if o.scale.looks = at; at < forever {
		o.fleet.atAgain(at, func() {
			if o.scale.looks == at {
				o.look(at)
			}
		})
	}
}

// look has the pool have as many replicas as its scaler wants now.
func (o *roster) look(now units.Seconds) {
	s := o.signals(now)
	if now >= o.scale.due {
		o.scale.wanted = o.scale.scaler.Wanted(o.sinceAsked(s))
		o.scale.due = o.scale.scaler.Next(now)
	}
	o.follow(s)
}

// wake has a pool without any replica order one for the request that has come.
func (o *roster) wake(now units.Seconds) {
	if o.scale.scaler != nil && o.number(ready)+o.number(starting) == 0 {
		o.follow(o.signals(now))
	}
}

// mayOrder tells whether some scaler may order a replica for requests that wait at the router.
func (f *fleet) mayOrder() bool {
	return slices.ContainsFunc(f.rosters, func(o *roster) bool {
		return o != nil && o.scale.scaler != nil && (o.scale.bounds.Max == 0 || len(o.all) < o.scale.bounds.Max) &&
			slices.ContainsFunc(o.groups(), func(g *group) bool { return len(g.lobby.waiting) > 0 })
	})
}

// follow orders or dismisses replicas until there are as many as are wanted, and sees when
// to look again.
func (o *roster) follow(s *scaling.Signals) {
	wanted := o.scale.bounds.Limit(o.scale.wanted, s)
	if n := wanted - s.Replicas(); n > 0 {
		o.order(n, s.Now)
	} else {
		o.dismiss(-n, s.Now)
	}
	busy := s.Now
	if s.Requests() == 0 {
		busy = o.scale.busyUntil
	}
	o.lookAt(min(o.scale.due, o.scale.sleepAt(busy, wanted)))
}

// signals are what the pool's replicas report now.
func (o *roster) signals(now units.Seconds) *scaling.Signals {
	s := &scaling.Signals{Now: now, Since: o.scale.asked}
	for _, g := range o.groups() {
		s.AtRouter += len(g.lobby.waiting)
	}
	for _, r := range o.all {
		o.report(r, s)
	}
	if s.Ready > 0 {
		s.KVUse /= float64(s.Ready)
	}
	if s.Requests() == 0 {
		s.Idle = now - o.scale.busyUntil
		if timeout := o.scale.bounds.IdleTimeout; now >= o.scale.busyUntil+timeout {
			s.Idle = max(s.Idle, timeout) // whatever the rounding
		}
	}
	return s
}

// report adds what a replica reports.
func (o *roster) report(r *replica, s *scaling.Signals) {
	r.advance(s.Now)
	o.fleet.reschedule(r)
	v := r.view()
	s.Waiting += v.Waiting
	s.Running += v.Running
	switch r.stage {
	case starting:
		s.Starting++
	case draining:
		s.Draining++
	case ready:
		s.Ready++
		use := 1 - float64(v.FreeBlocks)/float64(v.TotalBlocks)
		s.KVUse += use
		s.Loads = append(s.Loads, scaling.Load{Replica: r.number, Waiting: v.Waiting, KVUse: use})
	}
}

// sinceAsked adds what there was since the scaler was asked, which it is now.
func (o *roster) sinceAsked(s *scaling.Signals) *scaling.Signals {
	o.count(s.Now)
	c := &o.scale
	requests, busy := c.past.requests, c.past.busy
	for _, r := range o.all {
		requests += r.totals.InSystem() + float64(r.requests())*float64(s.Now-r.changed) // the rest is not integrated yet
		busy += r.totals.Busy
	}
	for _, g := range o.groups() {
		g.lobby.count(s.Now)
		requests += g.lobby.time
	}
	if dt := s.Now - c.asked; dt > 0 {
		s.MeanRequests = (requests - c.requests) / float64(dt)
	}
	if serving := c.served - c.serving; serving > 0 {
		s.BusyFraction = min(1, float64((busy-c.busy)/serving))
	}
	s.Ended, s.Met = c.ended, c.met
	c.asked, c.requests, c.busy, c.serving, c.ended, c.met = s.Now, requests, busy, c.served, 0, 0
	return s
}

// count adds the time since the number of replicas that are up last changed.
func (o *roster) count(now units.Seconds) {
	c := &o.scale
	c.served += units.Seconds(o.number(ready)+o.number(draining)) * (now - c.counted)
	c.counted = now
}

// forget adds what a replica did that leaves to the sums.
func (c *scale) forget(r *replica) {
	c.past.requests += r.totals.InSystem()
	c.past.busy += r.totals.Busy
}

// noteLeft notes that a request has left a replica of the pool.
func (o *roster) noteLeft(now units.Seconds) {
	if o != nil {
		o.scale.busyUntil = max(o.scale.busyUntil, now)
	}
}

// noteEnd notes that a request has completed at a replica of the pool.
func (o *roster) noteEnd(record *metrics.Request, now units.Seconds) {
	if o == nil {
		return
	}
	o.noteLeft(now)
	o.scale.ended++
	if s := o.pool.Scaling; s != nil && s.Met != nil && s.Met(record) {
		o.scale.met++
	}
}

// callFor has pools without any replica order one for the request that waits in a group.
func (f *fleet) callFor(g *group, now units.Seconds) {
	for i, o := range f.rosters {
		if o != nil && g.pools[i] {
			o.wake(now)
		}
	}
}
