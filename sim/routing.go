package sim

import (
	"slices"

	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// nextArrival is when the next request arrives; forever when none will, or when that
// depends on the end of one that is still served.
func (f *fleet) nextArrival() units.Seconds {
	if at, ok := f.config.Traffic.Peek(); ok {
		return at
	}
	return forever
}

// act does what is to be done at a time beside the changes of replicas: what timers run,
// what arrives, and what waited at the router for a replica that has room again. Each may
// bring on more, even now.
func (f *fleet) act(now units.Seconds) {
	for f.failure == nil {
		switch {
		case f.timers.next() <= min(now, f.cut):
			f.timers.pop().what()
		case len(f.handovers) > 0:
			h := f.handovers[0]
			f.handovers = f.handovers[1:]
			f.continueElsewhere(h, now)
		case len(f.ready) > 0:
			g := f.ready[0]
			f.ready, g.ready = f.ready[1:], false
			g.dispatch(now)
		case f.nextArrival() <= min(now, f.cut):
			f.deliver()
		default:
			return
		}
	}
}

// deliver takes the request that arrives next to the router of its group. Without Drain the
// run ends when no further request is to come.
func (f *fleet) deliver() {
	request, ok := f.config.Traffic.Pop()
	if !ok {
		return
	}
	f.flow.offered++
	if f.failure = checkClock(request.Arrival); f.failure != nil {
		return
	}
	f.visit = visit{}
	f.visit.Request = request
	f.send(&f.visit, request.Arrival)
	if f.nextArrival() == forever && !f.config.Drain {
		f.cut = min(f.cut, request.Arrival)
	}
}

// send has a request go to a replica now that does its first part, or all of it, or wait at the router.
func (f *fleet) send(v *visit, now units.Seconds) {
	if f.sendWhole(v, now) || f.failure != nil {
		return
	}
	f.sendTo(f.groupOf(v.Class, f.firstRole(v)), v, now)
}

// sendTo has a request go to a replica of a group now, or wait at the router.
func (f *fleet) sendTo(g *group, v *visit, now units.Seconds) {
	if g.blocked(now) {
		g.enqueue(v, now)
		return
	}
	f.route(g, v, now)
}

// route has a group's router choose a replica for a request, and hands it over.
func (f *fleet) route(g *group, v *visit, now units.Seconds) {
	var to *replica
	if to, f.failure = g.choose(v, now); f.failure == nil {
		g.takeToken(now)
		f.handOver(v, to, now)
	}
}

// groupOf is the group of the replicas that do a part of the requests of a class. Classes of
// which the same pools do it are one group.
func (f *fleet) groupOf(class int, role Role) *group {
	if of := f.groups[role]; class < len(of) && of[class] != nil {
		return of[class]
	}
	for len(f.groups[role]) <= class {
		f.groups[role] = append(f.groups[role], nil)
	}
	pools := func(class int) []bool {
		all := make([]bool, len(f.config.Pools))
		for i := range f.config.Pools {
			all[i] = f.config.Pools[i].does(role) && f.config.Pools[i].serves(class)
		}
		return all
	}
	of := f.groups[role]
	for other, g := range of {
		if g != nil && slices.Equal(pools(other), pools(class)) {
			of[class] = g
			return g
		}
	}
	of[class] = f.newGroup(pools(class), role)
	return of[class]
}

// newGroup is a group of the replicas of some pools, with a router of its own.
func (f *fleet) newGroup(pools []bool, role Role) *group {
	g := &group{fleet: f, pools: pools, mixed: role == mixed, router: &routing.RoundRobin{}, lobby: lobby{woken: forever}}
	if f.config.Router != nil {
		g.router = f.config.Router()
	}
	for i, serves := range pools {
		if p := &f.config.Pools[i]; serves && (g.roomiest == nil || p.longest() > g.roomiest.longest()) {
			g.roomiest = p
		}
	}
	for _, r := range f.replicas {
		if !pools[r.poolIndex] {
			continue
		}
		r.groups = append(r.groups, g)
		if r.admits() && g.takes(r) {
			g.join(r)
		}
	}
	return g
}

// handOver gives a request to a replica, or refuses it where it does not fit.
func (f *fleet) handOver(v *visit, to *replica, now units.Seconds) {
	f.open(v)
	f.latest = max(f.latest, now)
	if v.waited {
		f.observeRouter(to.number, v, now)
	}
	if !f.servable(v, to.pool) {
		if v.counted {
			f.record.Trend.Leave(now)
		}
		f.refuse(v, v.refused(metrics.Rejected), now)
		return
	}
	if !v.counted {
		f.record.Trend.Arrive(v.ID, now)
	}
	if f.keepsInboxes() {
		f.deposit(v, to)
		return
	}
	if f.inFlight != nil {
		f.inFlight[v.ID] = v.Request
	}
	f.bring(v, to, now)
}

// bring has a replica take a request now, once it has done what it does before.
func (f *fleet) bring(v *visit, to *replica, now units.Seconds) {
	to.runToRequest(now)
	if f.signals != nil {
		f.signals.sent(to, now, v.Input)
	}
	f.pair(v, to, now)
	f.nameSource(v, to, now)
	to.accept(v, now)
	to.setLevels()
	to.refresh()
	f.report(to, now)
	f.reschedule(to)
}

// fit cuts a request to what a pool's replicas hold, where that is asked for and nothing
// of its answer is there yet. It is false
// where it does not fit. Requests are recorded with the lengths that are served.
func (f *fleet) fit(v *visit, p *Pool) bool {
	if f.config.TooLong == Truncate && v.lost == nil && !v.reserved() && !p.Fits(v.Request) {
		v.Request = p.truncated(v.Request)
		record := f.record.Of(v.ID)
		record.Input, record.Output, record.Truncated = int32(v.Input), int32(v.Output), true
	}
	return p.fits(v.Request, p.generates(v))
}

// refuse ends a request that nobody serves; state says why. One that has waited has its
// time in the system.
func (f *fleet) refuse(v *visit, state metrics.State, now units.Seconds) {
	f.flow.refused++
	f.recover(now)
	if v.handover != nil {
		f.abandon(v.handover, now)
	}
	record := f.record.Of(v.ID)
	record.State = state
	if v.counted {
		record.Last = now
	}
	f.record.Close(v.ID)
	f.config.Traffic.Done(v.ID, now)
}
