package sim

import (
	"fmt"

	"kneepoint/policies"
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
		if to := f.route(request); to != nil {
			f.handOver(request, to)
		}
	}
}

// handOver gives a request to a replica, once that has done what it does before the
// request arrives, or refuses it where it does not fit. Without Drain the run ends
// when no further request is to come.
func (f *fleet) handOver(request workloads.Request, to *replica) {
	truncate := f.config.TooLong == Truncate && !to.pool.Fits(request)
	if truncate {
		request = to.pool.truncated(request)
	}
	f.openRecord(request, truncate)
	f.latest = max(f.latest, request.Arrival)
	if f.nextArrival() == forever && !f.config.Drain {
		f.cut = min(f.cut, request.Arrival)
	}
	if !to.pool.Fits(request) {
		f.refuse(request, metrics.Rejected)
		return
	}
	to.runUntil(request.Arrival)
	to.accept(request)
	f.reschedule(to)
}

// route is the replica that a request goes to; nil when the router names one that is
// not there, which ends the run: its request would never end.
func (f *fleet) route(r workloads.Request) *replica {
	f.arrival = r.Arrival
	i := f.router.Route(policies.Arrival{ID: r.ID, Prompt: r.Input, Class: r.Class}, f)
	if i < 0 || i >= len(f.replicas) {
		f.failure = fmt.Errorf("sim: the router sends request %d to replica %d, of %d", r.ID, i, len(f.replicas))
		return nil
	}
	return f.replicas[i]
}

// Len implements policies.Replicas.
func (f *fleet) Len() int { return len(f.replicas) }

// At implements policies.Replicas: what a replica shows at the arrival of the
// request that is being routed. It runs up to then first, so that a router which
// does not look at a replica does not pay for it.
func (f *fleet) At(i int) policies.ReplicaView {
	r := f.replicas[i]
	r.runUntil(f.arrival)
	f.reschedule(r)
	return r.view()
}

// refuse ends a request that has just arrived; state says why.
func (f *fleet) refuse(r workloads.Request, state metrics.State) {
	f.flow.refused++
	f.record.Of(r.ID).State = state
	f.record.Close(r.ID)
	f.config.Traffic.Done(r.ID, r.Arrival)
}
