package sim

import (
	"context"
	"fmt"

	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// fleet is the replicas of a run and what is between them: the traffic and its
// router, the clock of the event kernel, the record, and the end of the run.
//
// In an open loop a replica runs on only when a request arrives at it, up to that
// time: nothing that it does touches anybody else before. In a closed loop the end
// of a request may bring the next arrival forward, so the kernel calls when a
// replica next changes by itself, too.
type fleet struct {
	config   *Config
	context  context.Context
	kernel   *kernel
	router   policies.Router
	replicas []*replica
	record   metrics.Record
	openLoop bool // arrivals do not depend on what the replicas do
	failure  error

	scheduled units.Seconds // when the kernel calls next
	arrival   units.Seconds // of the request that is being routed
	agenda    agenda        // of a closed loop
	changed   []*replica    // at the present time, in a closed loop
	latest    units.Seconds // of everything that happened
	cut       units.Seconds // nothing happens after this time
}

// Run simulates one run. It returns early, with the context's error, when ctx
// is cancelled, and with an error when the router names a replica that is not
// there.
func Run(ctx context.Context, config Config) (*metrics.Record, error) {
	return newFleet(ctx, &config).run()
}

func newFleet(ctx context.Context, config *Config) *fleet {
	f := &fleet{config: config, context: ctx, kernel: newKernel(), router: config.Router,
		openLoop: config.Traffic.OpenLoop(), scheduled: forever, cut: forever}
	if f.router == nil {
		f.router = policies.InTurn{}
	}
	if config.MaxTime > 0 {
		f.cut = config.MaxTime
	}
	f.record.Stream = config.Stream
	if config.Stream == nil {
		f.record.Requests = make([]metrics.Request, 0, config.Expected)
	}
	for i := range config.Pools {
		p := &config.Pools[i]
		f.record.Pools = append(f.record.Pools, metrics.PoolRecord{Name: p.Name, Replicas: p.Replicas, Blocks: p.Blocks, BlockSize: p.BlockSize})
	}
	for i := range config.Pools {
		for range config.Pools[i].Replicas {
			r := newReplica(f, i)
			f.replicas = append(f.replicas, r)
			f.agenda.push(r)
		}
	}
	return f
}

func (f *fleet) run() (*metrics.Record, error) {
	f.schedule()
	for f.failure == nil && f.context.Err() == nil && f.kernel.step() {
		f.schedule()
	}
	for _, r := range f.replicas {
		r.runUntil(forever) // no more requests will come
	}
	if f.context.Err() != nil {
		return nil, f.context.Err()
	}
	if f.failure != nil {
		return nil, f.failure
	}
	f.finish()
	return &f.record, nil
}

// schedule has the kernel call when something next happens between the replicas,
// unless that is arranged already.
func (f *fleet) schedule() {
	at := f.nextEvent()
	if at >= f.scheduled || at > f.cut {
		return
	}
	f.scheduled = at
	f.kernel.at(at, func() {
		f.scheduled = forever
		f.happen(at)
	})
}

// nextEvent is when something next happens between the replicas: an arrival, and in
// a closed loop the change of a replica, which may bring the next arrival forward.
func (f *fleet) nextEvent() units.Seconds {
	at := f.nextArrival()
	if !f.openLoop {
		at = min(at, f.nextChange())
	}
	return at
}

// happen lets everything happen that happens at a time. As long as nobody else has
// asked the kernel for a call, what comes next is the fleet's own, and happens
// without one.
func (f *fleet) happen(now units.Seconds) {
	for turns := 1; turns%1024 != 0; turns++ {
		f.deliver(now)
		if !f.openLoop {
			f.change(now)
		}
		if now = f.nextEvent(); f.kernel.waiting > 0 || now > f.cut || now == forever {
			return
		}
	}
}

// nextArrival is when the next request arrives, as far as that is known.
func (f *fleet) nextArrival() units.Seconds {
	if at, ok := f.config.Traffic.Peek(); ok {
		return at
	}
	return forever
}

// deliver lets the requests arrive that are due by now.
func (f *fleet) deliver(now units.Seconds) {
	for f.failure == nil && f.nextArrival() <= min(now, f.cut) {
		request, ok := f.config.Traffic.Pop()
		if !ok {
			return
		}
		if to := f.route(request); to != nil {
			f.hand(request, to)
		}
	}
}

// hand gives a request to a replica, once that has done what it does before the
// request arrives, or refuses it where it does not fit.
func (f *fleet) hand(request workloads.Request, to *replica) {
	truncate := f.config.TooLong == Truncate && !to.pool.Fits(request)
	if truncate {
		request = to.pool.truncated(request)
	}
	f.open(request, truncate)
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

// route is the replica that a request goes to; nil when the router names none.
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
// request that is being routed.
func (f *fleet) At(i int) policies.ReplicaView {
	r := f.replicas[i]
	r.runUntil(f.arrival)
	f.reschedule(r)
	return r.view()
}

// refuse ends a request that has just arrived.
func (f *fleet) refuse(r workloads.Request, state metrics.State) {
	f.record.Of(r.ID).State = state
	f.record.Close(r.ID)
	f.config.Traffic.Done(r.ID, r.Arrival)
}

// open starts the record of a request.
func (f *fleet) open(r workloads.Request, truncated bool) {
	if r.ID == 0 {
		f.record.Started = r.Arrival
	}
	f.record.Open(r.ID, metrics.Request{
		Arrival:     r.Arrival,
		ClientQueue: r.Arrival - r.Planned,
		Input:       int32(r.Input),
		Output:      int32(r.Output),
		Class:       int16(r.Class),
		Truncated:   truncated,
		InWindow:    f.config.InWindow != nil && f.config.InWindow(r),
	})
}

// finish closes the record at the end of the run.
func (f *fleet) finish() {
	end := f.latest
	if f.record.Unfinished() && f.cut < forever {
		end = f.cut
	}
	f.record.Ended = end
	for _, r := range f.replicas {
		r.finish(end)
	}
	f.record.AddPools()
}
