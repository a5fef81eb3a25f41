package sim

import (
	"math"
	"slices"

	"kneepoint/units"
	"kneepoint/workloads"
)

// Startup is what it takes until a replica that is ordered serves.
type Startup struct {
	Cold units.Seconds // from the order until it takes requests

	// FirstRequest is how much longer its first step takes than a later one.
	FirstRequest units.Seconds

	// WarmPool is how many replicas are kept asleep, at the start of the run and whenever one
	// is no longer wanted. They count as ordered, and are ready Warm after they are needed,
	// their first step as fast as others.
	WarmPool int
	Warm     units.Seconds

	// Factor multiplies both times for the replica that is ordered as number n of its pool, from
	// 0 on; nil: they are always the same.
	Factor func(n int) float64

	// AtStart has the replicas of the start of the run ordered then; otherwise they are
	// ready.
	AtStart bool
}

// stage is where a replica is in its life.
type stage uint8

const (
	ready    stage = iota // takes requests
	asleep                // is kept warm
	starting              // was ordered, or wakes up
	draining              // finishes what it has
	gone                  // its number is for another
)

// roster is the replicas of a pool that come and go.
type roster struct {
	fleet  *fleet
	pool   *Pool
	index  int        // of the pool
	all    []*replica // that are not gone, in the order in which they came
	vacant []*replica // that are gone
	orders int        // so far
	scale  scale

	failures []*failing
	places   int // of replicas in the pool, so far: those of a node are next to each other
}

// comesAndGoes tells whether replicas of the pool may start or stop during a run.
func (p *Pool) comesAndGoes() bool {
	return p.Startup.AtStart || p.Scaling != nil || len(p.Failures) > 0 || p.Restart != nil
}

// makeRosters makes the rosters of the pools whose replicas come and go. The fleet follows
// its replicas then: scalers look at all of them.
func (f *fleet) makeRosters() {
	f.rosters = make([]*roster, len(f.config.Pools))
	for i := range f.config.Pools {
		if p := &f.config.Pools[i]; p.comesAndGoes() {
			f.following = true
			if len(p.Failures) > 0 && f.inFlight == nil {
				f.inFlight = map[int]workloads.Request{}
			}
			f.rosters[i] = &roster{fleet: f, pool: p, index: i}
		}
	}
}

// varies tells whether replicas come and go.
func (f *fleet) varies() bool {
	return slices.ContainsFunc(f.rosters, func(o *roster) bool { return o != nil })
}

// begin makes the replicas with which the run starts.
func (o *roster) begin() {
	o.beginFailures()
	o.beginRestart()
	for range o.pool.Replicas {
		if o.pool.Startup.AtStart {
			o.startCold(o.add(starting, 0), 0)
		} else {
			o.watch(o.add(ready, 0), 0)
		}
	}
	for range o.pool.Startup.WarmPool {
		o.add(asleep, 0)
	}
	o.beginScaling()
}

// add makes a replica, which is paid for from now on.
func (o *roster) add(at stage, now units.Seconds) *replica {
	var r *replica
	if n := len(o.vacant); n > 0 {
		r = o.fleet.replaceReplica(o.vacant[n-1])
		r.place = o.vacant[n-1].place
		o.vacant = o.vacant[:n-1]
	} else {
		r = o.fleet.addReplica(o.index)
		r.place = o.places
		o.places++
	}
	r.roster, r.stage, r.record.Ordered = o, at, now
	if at != ready {
		r.record.Ready = forever
	}
	o.all = append(o.all, r)
	return r
}

// order has more replicas start: those wake up that are asleep, as far as there are any.
func (o *roster) order(n int, now units.Seconds) {
	for range n {
		if i := slices.IndexFunc(o.all, func(r *replica) bool { return r.stage == asleep }); i >= 0 {
			o.start(o.all[i], o.pool.Startup.Warm, now)
			continue
		}
		o.startCold(o.add(starting, now), now)
	}
}

// startCold has a replica start that was not there before.
func (o *roster) startCold(r *replica, now units.Seconds) {
	r.penalty = o.pool.Startup.FirstRequest
	o.start(r, o.pool.Startup.Cold, now)
}

// start has a replica start, which takes a time.
func (o *roster) start(r *replica, takes, now units.Seconds) {
	if f := o.pool.Startup.Factor; f != nil {
		takes *= units.Seconds(f(o.orders))
	}
	o.orders++
	r.stage, r.record.Ready = starting, forever
	at := now + takes
	o.fleet.at(at, func() {
		if r.stage == starting {
			o.makeReady(r, at)
		}
	})
}

// makeReady has a replica take requests from now on, those first that wait for one.
func (o *roster) makeReady(r *replica, now units.Seconds) {
	o.count(now)
	r.stage, r.groups, r.record.Ready = ready, o.groups(), now
	r.isReplaced(now)
	o.watch(r, now)
	r.refresh()
	if x := r.restart; x != nil {
		r.restart = nil
		x.next(now)
	}
}

// groups are those that the pool's replicas are in.
func (o *roster) groups() []*group {
	var groups []*group
	for _, role := range []Role{Both, PrefillOnly, DecodeOnly, mixed} {
		for _, g := range o.fleet.groups[role] {
			if g != nil && g.pools[o.index] && !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// dismiss takes replicas out that are no longer wanted: those first that start, of these
// that which came last, then those with the fewest requests. They finish what they have.
func (o *roster) dismiss(n int, now units.Seconds) {
	for range n {
		r := o.leastNeeded()
		if r.stage == starting {
			o.release(r, now)
			continue
		}
		o.drain(r)
	}
}

// drain takes a replica out that finishes what it has.
func (o *roster) drain(r *replica) {
	r.stage = draining
	r.refresh()
	o.fleet.leaving = append(o.fleet.leaving, r)
}

// leastNeeded is the replica that is dismissed next.
func (o *roster) leastNeeded() *replica {
	var least *replica
	for _, r := range slices.Backward(o.all) {
		switch {
		case r.stage == starting:
			return r
		case r.stage == ready && (least == nil || r.requests() < least.requests()):
			least = r
		}
	}
	return least
}

// takeLeave releases the replicas that have finished what they had.
func (f *fleet) takeLeave(now units.Seconds) {
	if len(f.leaving) == 0 {
		return
	}
	f.leaving = slices.DeleteFunc(f.leaving, func(r *replica) bool {
		if r.requests()+len(r.lent) > 0 {
			return false
		}
		r.roster.release(r, now)
		return true
	})
}

// release gives back a replica that has no requests. Another one starts in its place where it
// starts anew, or is put to sleep where the warm pool has room: what was cached is lost.
func (o *roster) release(r *replica, now units.Seconds) {
	drained := r.stage == draining
	r.integrate(now)
	o.leave(r, now)
	if x := r.restart; x != nil {
		x.startAnew(r, drained, now)
		return
	}
	if o.number(asleep) < o.pool.Startup.WarmPool {
		o.add(asleep, now)
	}
}

// leave takes a replica off the roster.
func (o *roster) leave(r *replica, now units.Seconds) {
	o.count(now)
	r.isReplaced(now)
	r.stage, r.active = gone, false
	r.record.Released = max(now, math.SmallestNonzeroFloat64) // 0 would be never
	r.refresh()
	o.scale.forget(r)
	o.fleet.reschedule(r)
	o.all = slices.DeleteFunc(o.all, func(other *replica) bool { return other == r })
	o.vacant = append(o.vacant, r)
}

// number is how many replicas are at a stage.
func (o *roster) number(at stage) int {
	n := 0
	for _, r := range o.all {
		if r.stage == at {
			n++
		}
	}
	return n
}
