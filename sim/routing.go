package sim

import (
	"slices"

	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// nextArrival is when the next request arrives; forever when none will, or when that
// depends on the end of one that is still served.
func (f *fleet) nextArrival() units.Seconds {
	if at, ok := f.config.Traffic.Peek(); ok {
		return at
	}
	return forever
}

// deliver routes the requests that are due by now and hands them over. A refused
// request may bring the next arrival forward, even to now, so each is looked for anew.
func (f *fleet) deliver(now units.Seconds) {
	for f.failure == nil && f.nextArrival() <= min(now, f.cut) {
		request, ok := f.config.Traffic.Pop()
		if !ok {
			return
		}
		f.flow.offered++
		if f.failure = checkClock(request.Arrival); f.failure != nil {
			return
		}
		f.visit = visit{Request: request}
		f.send(&f.visit, request.Arrival)
	}
}

// send has the router of a request's group choose a replica for it, and hands it over.
func (f *fleet) send(v *visit, now units.Seconds) {
	var to *replica
	if to, f.failure = f.groupOf(v.Class).route(v, now); f.failure == nil {
		f.handOver(v, to, now)
	}
}

// groupOf is the group of the replicas that serve a class of requests. Classes that the same
// pools serve are one group.
func (f *fleet) groupOf(class int) *group {
	if class < len(f.groups) && f.groups[class] != nil {
		return f.groups[class]
	}
	for len(f.groups) <= class {
		f.groups = append(f.groups, nil)
	}
	serves := func(class int) []bool {
		all := make([]bool, len(f.config.Pools))
		for i := range f.config.Pools {
			all[i] = f.config.Pools[i].serves(class)
		}
		return all
	}
	for other, g := range f.groups {
		if g != nil && slices.Equal(serves(other), serves(class)) {
			f.groups[class] = g
			return g
		}
	}
	f.groups[class] = f.newGroup(serves(class))
	return f.groups[class]
}

// newGroup is a group of the replicas of some pools, with a router of its own.
func (f *fleet) newGroup(pools []bool) *group {
	g := &group{fleet: f, router: &routing.RoundRobin{}}
	if f.config.Router != nil {
		g.router = f.config.Router()
	}
	for _, r := range f.replicas {
		if pools[r.poolIndex] {
			g.join(r)
		}
	}
	return g
}

// handOver gives a request to a replica, once that has done what it does before now, or
// refuses it where it does not fit. Without Drain the run ends when no further request is
// to come.
func (f *fleet) handOver(v *visit, to *replica, now units.Seconds) {
	truncate := f.config.TooLong == Truncate && !to.pool.Fits(v.Request)
	if truncate {
		v.Request = to.pool.truncated(v.Request)
	}
	f.openRecord(v.Request, truncate)
	f.latest = max(f.latest, now)
	if f.nextArrival() == forever && !f.config.Drain {
		f.cut = min(f.cut, now)
	}
	if !to.pool.Fits(v.Request) {
		f.refuse(v.Request, metrics.Rejected)
		return
	}
	to.runUntil(now)
	if f.signals != nil {
		f.signals.sent(to, now, v.Input)
	}
	to.accept(v, now)
	to.setLevels()
	f.report(to, now)
	f.reschedule(to)
}

// refuse ends a request that has just arrived; state says why.
func (f *fleet) refuse(r workloads.Request, state metrics.State) {
	f.flow.refused++
	f.record.Of(r.ID).State = state
	f.record.Close(r.ID)
	f.config.Traffic.Done(r.ID, r.Arrival)
}
