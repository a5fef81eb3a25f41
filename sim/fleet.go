package sim

import (
	"context"
	"slices"

	"kneepoint/internal/units"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// fleet is the replicas of a run and what they share: the traffic, the front
// end, the record, and the end of the run.
type fleet struct {
	config   *Config
	context  context.Context
	kernel   *kernel
	replicas []*replica
	record   metrics.Record
	next     int // replica that the next request goes to

	frontEnd  frontEnd
	scheduled units.Seconds // of the kernel's next call of deliver
	changed   units.Seconds // when the number in the front end last changed
	latest    units.Seconds // of everything that happened
	cut       units.Seconds // nothing happens after this time
}

// Run simulates one run. It returns early, with the context's error, when ctx
// is cancelled.
func Run(ctx context.Context, config Config) (*metrics.Record, error) {
	return newFleet(ctx, &config).run()
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

func newFleet(ctx context.Context, config *Config) *fleet {
	f := &fleet{config: config, context: ctx, kernel: newKernel(), scheduled: forever, cut: forever}
	if config.MaxTime > 0 {
		f.cut = config.MaxTime
	}
	for _, b := range config.Batching {
		f.replicas = append(f.replicas, newReplica(f, b))
	}
	f.record.Replicas = len(f.replicas)
	f.record.Blocks = config.Blocks * len(f.replicas)
	return f
}

// horizon is the time before which nothing outside can touch a replica: the
// next arrival or end of front-end work. When completions elsewhere may cause
// arrivals here, there is no such time.
func (f *fleet) horizon() units.Seconds {
	if len(f.replicas) > 1 && !f.config.Traffic.OpenLoop() {
		return -forever
	}
	return f.nextDelivery()
}

// nextDelivery is when the next request arrives or leaves the front end.
func (f *fleet) nextDelivery() units.Seconds {
	next := f.frontEnd.next()
	if at, ok := f.config.Traffic.Peek(); ok {
		next = min(next, at)
	}
	return next
}

// scheduleDelivery has deliver called at the time of the next delivery, unless
// that is arranged already: every replica delivers at the end of its step, so
// only while one is idle must the kernel do it. In a closed loop every
// completion may bring the next delivery forward.
func (f *fleet) scheduleDelivery() {
	if !slices.ContainsFunc(f.replicas, func(r *replica) bool { return !r.inFlight }) {
		return
	}
	at := f.nextDelivery()
	if at >= f.scheduled || at > f.cut {
		return
	}
	f.scheduled = at
	f.kernel.at(at, func() {
		f.scheduled = forever
		f.deliver(at)
	})
}

// deliver lets everything arrive that is due by now, in order of time.
func (f *fleet) deliver(now units.Seconds) {
	for {
		ready := f.frontEnd.next()
		arrival, ok := f.config.Traffic.Peek()
		switch {
		case ok && arrival <= min(now, ready, f.cut):
			f.arrive(f.config.Traffic.Pop())
		case ready <= min(now, f.cut):
			f.advance(ready)
			f.dispatch(f.frontEnd.pop())
		default:
			return
		}
	}
}

// arrive takes a request into the front end, or refuses it.
func (f *fleet) arrive(r workloads.Request) {
	f.advance(r.Arrival)
	if !f.config.Fits(r) && f.config.TooLong == Truncate {
		r = f.config.truncated(r)
	}
	f.open(r)
	if !f.config.Fits(r) {
		f.record.Requests[r.ID].State = metrics.Rejected
		f.config.Traffic.Done(r.ID, r.Arrival)
	} else {
		f.frontEnd.push(prepared{r.Arrival + f.config.FrontEnd(r.Input), r})
	}
	if _, more := f.config.Traffic.Peek(); !more && !f.config.Drain {
		f.cut = min(f.cut, r.Arrival)
	}
}

// open starts the record of a request.
func (f *fleet) open(r workloads.Request) {
	waiting := 0
	for _, replica := range f.replicas {
		waiting += replica.backlog()
	}
	if len(f.record.Requests) == 0 {
		f.record.Started = r.Arrival
	}
	f.record.Requests = append(f.record.Requests, metrics.Request{
		Arrival:     r.Arrival,
		ClientQueue: r.Arrival - r.Planned,
		Input:       int32(r.Input),
		Output:      int32(r.Output),
		Waiting:     int32(waiting),
		InWindow:    f.config.InWindow != nil && f.config.InWindow(r),
	})
}

// dispatch hands a request from the front end to the next replica.
func (f *fleet) dispatch(p prepared) {
	replica := f.replicas[f.next]
	f.next = (f.next + 1) % len(f.replicas)
	replica.enqueue(p.request, p.ready)
}

// advance integrates the number of requests in the front end up to now.
func (f *fleet) advance(now units.Seconds) {
	f.record.Totals.InFrontEnd += float64(len(f.frontEnd.minHeap)) * float64(now-f.changed)
	f.changed = now
	f.latest = max(f.latest, now)
}

// finish closes the record at the end of the run.
func (f *fleet) finish() {
	end := f.latest
	if f.unfinished() && f.cut < forever {
		end = f.cut
	}
	f.record.Ended = end
	f.advance(end)
	for _, replica := range f.replicas {
		replica.finish(end)
	}
}

func (f *fleet) unfinished() bool {
	for i := range f.record.Requests {
		if f.record.Requests[i].State == metrics.Unfinished {
			return true
		}
	}
	return false
}
