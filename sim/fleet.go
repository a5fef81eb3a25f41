package sim

import (
	"cmp"
	"context"
	"errors"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// fleet is the replicas of a run and what is between them: the traffic and its
// router, the clock of the event kernel, the record, and the end of the run.
//
// In an open loop a replica runs on only when a request arrives at it, or its inbox is full of them, or a router
// looks at it, up to that time: nothing that it does before changes when requests
// arrive or what other replicas do. So it can compute a long stretch of steps at
// once, however many other replicas have events meanwhile. In a closed loop the end
// of a request may bring the next arrival forward, and a router that counts requests
// needs to hear of their ends, so the fleet follows its replicas then: it acts when one
// next changes by itself, too.
type fleet struct {
	config    *Config
	context   context.Context
	kernel    *kernel
	replicas  []*replica      // by number
	rosters   []*roster       // by pool; nil where replicas do not come and go
	leaving   []*replica      // that finish what they have
	groups    [roles][]*group // by the part of requests that they do and by class, as far as they were asked for
	signals   *signals        // nil: routers see replicas as they are
	record    metrics.Record
	openLoop  bool  // arrivals do not depend on what the replicas do
	deposited int   // requests in inboxes
	failure   error // what ends the run early; nil: nothing
	flow      flow
	visit     visit                 // scratch: of the request that arrives
	views     []*policies.Aggregate // scratch, by pool: what a policy sees
	lines     []*costLines          // by pool: of the cost model of its replicas
	other     hardware.Work         // scratch: another step than one under way, to compare costs
	curves    curves                // of what steps of sequences that guess cost
	ready     []*group              // in which requests wait that may be sent now
	timers    upcoming[func()]
	perpetual int                       // of these, those that come again and again
	inFlight  map[int]workloads.Request // by ID, where replicas fail: what they have
	outage    *outage                   // nil: no replica is missing that is repaired, and none was since all was well

	handovers       []*handover   // whose prompts were computed just now
	network         *network      // nil: nothing is sent
	sharing         *sharing      // nil: replicas share no prompts
	reserved        int           // requests with blocks where they are to be sent, whose prompts are not computed yet
	arriving        int           // requests whose keys and values are on their way
	transferTime    float64       // its time integral
	arrivingChanged units.Seconds // when it last changed

	atRouter      int           // requests that wait there, or are to come back
	routerTime    float64       // its time integral
	routerChanged units.Seconds // when it last changed
	reuse         []*reuse      // by pool, as far as it was asked for

	scheduled units.Seconds // when the kernel calls next; forever: never
	following bool          // the changes of replicas are events of the fleet
	agenda    agenda        // when replicas next change, once they are followed
	changed   []*replica    // of these, those whose steps ended at the present time
	begun     units.Seconds // when all of them last planned what begins then
	latest    units.Seconds // time of the last event so far: the run ends then
	cut       units.Seconds // nothing happens after this time; forever: no limit
}

// Run simulates one run, and returns its record. It returns early, with the context's error, when ctx is cancelled, and
// with an error of its own when there is no replica, pools do only a part of requests that no other completes, the
// router names a replica that is not there, or the run lasts too long (ErrClock). It panics when a request was lost (see
// checkConservation). The config is not checked otherwise: package scenario does that for input of users.
func Run(ctx context.Context, config Config) (*metrics.Record, error) {
	if err := config.checkRoles(); err != nil {
		return nil, err
	}
	f := newFleet(ctx, &config)
	if len(f.replicas) == 0 && !f.varies() {
		return nil, errors.New("sim: there are no replicas")
	}
	return f.run()
}

func newFleet(ctx context.Context, config *Config) *fleet {
	f := &fleet{config: config, context: ctx, kernel: newKernel(), openLoop: config.Traffic.OpenLoop(), scheduled: forever, cut: forever, begun: -1}
	f.signals = newSignals(f, config.Signals)
	f.network = newNetwork(f, config.Transfer)
	f.sharing = newSharing(f, config.Sharing)
	f.following = !f.openLoop || config.Queue != nil || config.Transfer != nil || config.Sharing != nil || f.signals != nil && config.Signals.Interval == 0
	if config.MaxTime > 0 {
		f.cut = config.MaxTime
	}
	f.record.Stream = config.Stream
	if config.Stream == nil {
		f.record.Requests = make([]metrics.Request, 0, config.Expected)
	}
	for i := range config.Pools {
		p := &config.Pools[i]
		f.record.Pools = append(f.record.Pools,
			metrics.PoolRecord{Name: p.Name, Fails: len(p.Failures) > 0, Blocks: p.Blocks, BlockSize: p.BlockSize})
		f.views = append(f.views, newView(p, config.LeastUrgentFirst))
	}
	f.makeRosters()
	for i, o := range f.rosters {
		if o != nil {
			o.begin()
			continue
		}
		for range config.Pools[i].Replicas {
			f.addReplica(i)
		}
	}
	return f
}

// addReplica makes a replica of a pool.
func (f *fleet) addReplica(pool int) *replica {
	r := newReplica(f, pool, len(f.replicas))
	f.replicas = append(f.replicas, r)
	f.agenda.add()
	return r
}

// replaceReplica makes one that takes the number of another of the same pool.
func (f *fleet) replaceReplica(other *replica) *replica {
	r := newReplica(f, other.poolIndex, other.number)
	f.replicas[r.number] = r
	f.agenda.set(r.number, forever)
	return r
}

func (f *fleet) run() (*metrics.Record, error) {
	f.schedule()
	for f.failure == nil && f.context.Err() == nil && f.kernel.step() {
		f.schedule()
	}
	for _, r := range f.replicas {
		r.runUntil(forever) // no more requests will arrive
	}
	if f.context.Err() != nil {
		return nil, f.context.Err()
	}
	if f.failure == nil {
		f.failure = cmp.Or(workloads.Failure(f.config.Traffic), checkClock(f.latest))
	}
	if f.failure != nil {
		return nil, f.failure
	}
	f.finish()
	f.checkConservation()
	return &f.record, nil
}

// schedule has the kernel call when something next happens between the replicas,
// unless it will call by then anyway. A call that is no longer needed does no harm:
// it finds nothing to do.
func (f *fleet) schedule() {
	at := f.nextEvent()
	if at >= f.scheduled || f.stopsBefore(at) {
		return
	}
	f.scheduled = at
	f.kernel.at(at, func() {
		f.scheduled = forever
		f.runEvents(at)
	})
}

// nextEvent is when something next happens between the replicas: an arrival, what a timer
// runs, and where they are followed the change of a replica.
func (f *fleet) nextEvent() units.Seconds {
	at := f.nextArrival()
	if f.following {
		at = min(at, f.agenda.next())
	}
	if len(f.timers.minHeap) > 0 && !f.over() {
		at = min(at, f.timers.next())
	}
	return at
}

// runEvents delivers the requests that arrive at a time, and lets the replicas change
// that are followed. As long as nothing else is scheduled, the next event is the
// fleet's own too, and is run without the kernel, whose events cost an allocation
// each. After 1024 of them it returns, so that run looks at the context.
func (f *fleet) runEvents(now units.Seconds) {
	for turns := 1; turns%1024 != 0; turns++ {
		if f.signals != nil {
			f.signals.takeReports(now)
		}
		f.act(now)
		if f.following {
			f.changeReplicas(now)
		}
		f.takeLeave(now)
		if now = f.nextEvent(); f.kernel.waiting > 0 || f.stopsBefore(now) {
			return
		}
	}
}

// open starts the record of a request, unless it was opened before.
func (f *fleet) open(v *visit) {
	if v.opened {
		return
	}
	v.opened = true
	r := &v.Request
	if r.ID == 0 {
		f.record.Started = r.Arrival
	}
	f.recordArrival(r.ID, r.Arrival)
	f.record.Open(r.ID, metrics.Request{
		Arrival:     r.Arrival,
		ClientQueue: r.Arrival - r.Planned,
		Input:       int32(r.Input),
		Output:      int32(r.Output),
		Session:     int32(r.Session),
		Turn:        uint16(r.Turn),
		Turns:       uint16(r.Turns),
		Class:       int16(r.Class),
		InWindow:    f.config.InWindow != nil && f.config.InWindow(v.Request),
	})
}

// finish closes the record at the end of the run: that of the last event, or, where
// requests were left unfinished, that of the limit on the run's time.
func (f *fleet) finish() {
	end := f.latest
	if f.record.Unfinished() && f.cut < forever {
		end = f.cut
	}
	f.record.Ended = end
	for _, r := range f.replicas {
		r.finish(end)
	}
	f.record.AddUp()
	f.integrateRouter(end)
	f.record.Totals.AtRouter = f.routerTime
	f.noteArriving(0, end)
	f.record.Totals.InTransfer = f.transferTime
}
