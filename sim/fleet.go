package sim

import (
	"context"

	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// fleet is the replicas of a run and what they share: the traffic, the record,
// and the end of the run. Requests go to the replicas in turn.
type fleet struct {
	config   *Config
	context  context.Context
	kernel   *kernel
	replicas []*replica
	record   metrics.Record
	openLoop bool // arrivals do not depend on what the replicas do
	inFlight int  // replicas of which the kernel will end a step

	scheduled units.Seconds // of the kernel's next call of deliver
	latest    units.Seconds // of everything that happened
	cut       units.Seconds // nothing happens after this time
}

// Run simulates one run. It returns early, with the context's error, when ctx
// is cancelled.
func Run(ctx context.Context, config Config) (*metrics.Record, error) {
	return newFleet(ctx, &config).run()
}

func newFleet(ctx context.Context, config *Config) *fleet {
	f := &fleet{config: config, context: ctx, kernel: newKernel(), openLoop: config.Traffic.OpenLoop(),
		scheduled: forever, cut: forever}
	if config.MaxTime > 0 {
		f.cut = config.MaxTime
	}
	for _, b := range config.Batching {
		f.replicas = append(f.replicas, newReplica(f, b))
	}
	f.record.Stream = config.Stream
	if config.Stream == nil {
		f.record.Requests = make([]metrics.Request, 0, config.Expected)
	}
	f.record.Replicas = len(f.replicas)
	f.record.Blocks = config.Blocks * len(f.replicas)
	return f
}

func (f *fleet) run() (*metrics.Record, error) {
	f.scheduleDelivery()
	for events := 0; f.kernel.step(); events++ {
		if events%1024 == 0 && f.context.Err() != nil {
			return nil, f.context.Err()
		}
		f.scheduleDelivery()
	}
	if f.context.Err() != nil {
		return nil, f.context.Err()
	}
	f.finish()
	return &f.record, nil
}

// scheduleDelivery has the kernel deliver to the replicas that rest, at the time
// of their next delivery, unless that is arranged already; the others do it
// themselves at the end of their step. In a closed loop every completion may
// bring the next delivery forward.
func (f *fleet) scheduleDelivery() {
	if f.inFlight == len(f.replicas) {
		return
	}
	at := forever
	for _, r := range f.replicas {
		if !r.inFlight {
			at = min(at, f.nextDelivery(r))
		}
	}
	if at >= f.scheduled || at > f.cut {
		return
	}
	f.scheduled = at
	f.kernel.at(at, func() {
		f.scheduled = forever
		for _, r := range f.replicas {
			if !r.inFlight {
				f.deliver(r, at)
			}
		}
	})
}

// horizon is the time before which nothing outside can touch a replica: its next
// arrival, or end of front-end work. When completions elsewhere may cause
// arrivals here, there is no such time.
func (f *fleet) horizon(r *replica) units.Seconds {
	if len(f.replicas) > 1 && !f.openLoop {
		return -forever
	}
	return f.nextDelivery(r)
}

// nextDelivery is when the next request arrives for the replica, or leaves its
// front end. In a closed loop the next arrival is everybody's.
func (f *fleet) nextDelivery(r *replica) units.Seconds {
	next := r.frontEnd.next()
	if !f.openLoop {
		if at, ok := f.config.Traffic.Peek(); ok {
			next = min(next, at)
		}
		return next
	}
	if f.lookAhead(r) {
		next = min(next, r.arrivals.first().Arrival)
	}
	return next
}

// lookAhead takes requests from an open loop, for all replicas in turn, until
// this one knows its next. It is false when there is none.
func (f *fleet) lookAhead(r *replica) bool {
	for r.arrivals.empty() {
		if f.take(f.cut) == nil {
			return false
		}
	}
	return true
}

// deliver lets everything arrive that is due by now, in order of time: at the
// replica, or in a closed loop at all of them.
func (f *fleet) deliver(r *replica, now units.Seconds) {
	if f.openLoop {
		for f.lookAhead(r) && r.arrivals.first().Arrival <= min(now, f.cut) {
			r.arrive(r.arrivals.pop())
		}
		r.settle(min(now, f.cut)) // the last arrival may be the end
		return
	}
	for to := f.take(min(now, f.cut)); to != nil; to = f.take(min(now, f.cut)) {
		if !to.arrivals.empty() {
			to.arrive(to.arrivals.pop())
		}
	}
	for _, r := range f.replicas {
		r.settle(min(now, f.cut))
	}
}

// take takes the next request from the traffic, if it arrives by then, and starts
// its record. It is refused, or on its way to the replica whose turn it is, which
// take returns; nil when there is no such request.
func (f *fleet) take(by units.Seconds) *replica {
	if at, _ := f.config.Traffic.Peek(); at > by {
		return nil
	}
	request, ok := f.config.Traffic.Pop()
	if !ok {
		return nil
	}
	truncate := !f.config.Fits(request) && f.config.TooLong == Truncate
	if truncate {
		request = f.config.truncated(request)
	}
	f.open(request, truncate)
	f.latest = max(f.latest, request.Arrival)
	to := f.replicas[f.turn(request)]
	if f.config.Fits(request) {
		to.arrivals.push(request)
	} else {
		f.refuse(request, metrics.Rejected)
	}
	if _, more := f.config.Traffic.Peek(); !more && !f.config.Drain {
		f.cut = min(f.cut, request.Arrival)
	}
	return to
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

// turn is the replica that a request goes to.
func (f *fleet) turn(r workloads.Request) int { return r.ID % len(f.replicas) }

// finish closes the record at the end of the run.
func (f *fleet) finish() {
	end := f.latest
	if f.record.Unfinished() && f.cut < forever {
		end = f.cut
	}
	f.record.Ended = end
	if f.config.WholeAnswers { // between whose tokens there are no gaps
		f.record.ITL, f.record.ITLIn = metrics.Histogram{}, metrics.Histogram{}
	}
	for _, replica := range f.replicas {
		replica.finish(end)
	}
}
