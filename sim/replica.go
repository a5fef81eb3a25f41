package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// replica is one copy of the model, as the fleet drives it. It says when it next
// changes by itself, commits what has ended by a time, takes requests, and shows
// itself to a router. What it is doing is the machine's state; how it goes from
// one step to the next is the engine's.
type replica struct {
	machine
	engine engine
	active bool // a step is planned: a request that arrives waits for its end
	inbox  []visit

	stage       stage
	place       int        // in its pool, where replicas come and go
	groups      []*group   // of the requests that it serves
	memberships []*member  // in those of them that its role is that of, or in none
	whole       int        // requests that it serves whole, beside a part of others; more than 0: it is in the mixed pool
	reported    report     // what the router was last told of it
	port        port       // over which it sends keys and values, or receives them
	connection  connection // what became of that
	hangs       bool       // has failed, which nobody knows yet
	sharedLink  sharedLink // over which it fetches prompts that others have, and sends its own
	pace        pace
	restart     *restarting            // that it is the turn of, until it takes requests again; nil: none
	dispatched  []dispatch             // what the router has sent to it since then
	replaces    *metrics.ReplicaRecord // of a failed one, whose place it takes when it is ready; nil: of none
}

// engine carries a machine from step to step. Between the calls it has nothing
// planned, or steps whose end is known. Engines differ in how much they compute, and
// not in what: for the same calls they make the same schedule.
type engine interface {
	// plan decides what comes next, from the machine's time on. Steps may be planned
	// together if they end before the horizon, a time until which no request joins
	// the queue. It is false when the machine has nothing to do, or could begin
	// another step at once if a request came.
	plan(horizon units.Seconds) (active bool)

	// next is when what is planned ends; forever when nothing is.
	next() units.Seconds

	// commit ends the planned steps that end by now, which is not after next.
	commit(now units.Seconds)

	// interrupt commits those of the planned steps that end before now, and leaves
	// the one that is under way then. The rest is planned again: whoever interrupts
	// brings a request, which may join the batch. It is as plan when what is under way
	// had been planned alone.
	interrupt(now units.Seconds) (active bool)

	// arrival is as interrupt for whoever brings a request to the front end. Steps that are planned before any plan sees it stay
	// planned together.
	arrival(now units.Seconds) (active bool)

	// lastBegins is when the last step of what is planned begins.
	lastBegins() units.Seconds

	// reach commits those of the planned steps that end before now. The rest stays planned.
	reach(now units.Seconds)

	// taken is the blocks that the step under way has taken, and that are not counted as
	// used yet.
	taken() int

	// synchronize brings Generated and Computed of every sequence up to date, which
	// an engine may keep as totals.
	synchronize()
}

// newReplica makes a replica of a pool, by the pool's index, with a number. A pipeline has an engine
// of its own; totals do where the policy can decide from them; the reference always
// does.
func newReplica(f *fleet, pool, number int) *replica {
	r := &replica{machine: newMachine(f, pool, number), sharedLink: newSharedLink()}
	m := &r.machine
	r.port = newPort(float64(max(1, m.pool.Sent.Lanes)))
	totals := m.batching.Totals()
	if f.config.Reference || f.config.Served != nil {
		totals = nil
	}
	m.waiting.arrive = m.arrive
	if f.config.Served != nil {
		m.waiting.lines = &lines{order: *f.config.Served}
	}
	stages := hardware.PipelineOf(m.pool.Cost).Stages()
	switch {
	case stages > 1 && totals != nil && inTotals(m):
		r.engine = newCohorts(m, totals)
	case stages > 1:
		r.engine = newPipeline(m)
	case totals == nil:
		r.engine = newReference(m)
	case m.pool.Acceptance == nil:
		r.engine = newStretches(m, totals)
	case inTotals(m):
		r.engine = newSpeculating(m, totals)
	default:
		r.engine = newReference(m)
	}
	r.reported.view = r.view()
	return r
}

// next is when the replica next changes by itself: steps end, a request leaves
// the front end of an idle replica, a transfer lands that somebody may wait for, or its
// policy asked to be woken. While a step is under way neither changes anything: a request joins the queue
// at the end of the step, as it would at its own time.
func (r *replica) next() units.Seconds {
	if r.stage == gone || r.hangs {
		return forever
	}
	if r.active {
		return r.engine.next()
	}
	next := min(r.engine.next(), r.wake, r.frontEnd.next())
	if r.backlog()+r.size > 0 {
		next = min(next, r.transfers.next())
	}
	return next
}

// beside is when something next happens beside the steps: a request leaves the front
// end, or a transfer lands.
func (r *replica) beside() units.Seconds {
	at := r.frontEnd.next()
	if landing := r.transfers.next(); landing < at {
		return landing
	}
	return at
}

// commit ends what ends by now, which is next. Of steps that are planned together each is planned when the one before it ends.
func (r *replica) commit(now units.Seconds) {
	if r.mayMiss() || r.beside() <= now {
		r.settleBeside(now)
	}
	r.engine.commit(now)
}

// settleBeside settles what happens beside the steps that end by now.
func (r *replica) settleBeside(now units.Seconds) {
	if at := r.engine.lastBegins(); at > r.now {
		r.settle(at)
		r.enqueueMissed()
	}
	r.settle(now)
}

// plan decides what comes next from now on. No request arrives before until, and
// none leaves the front end before its own next: steps that end before both may be
// planned together.
func (r *replica) plan(now, until units.Seconds) {
	r.settle(now)
	r.now, r.wake = now, forever
	r.keepPace()
	if ready := r.frontEnd.next(); ready < until {
		until = ready
	}
	r.active = r.engine.plan(until)
}

// runUntil does everything that the replica does by itself before a time, at which
// it is changed. The step that is under way then stays planned.
func (r *replica) runUntil(until units.Seconds) {
	r.takeInbox()
	r.runThen(until, engine.interrupt)
}

// runToRequest does everything that the replica does by itself before a time at which it gets a request.
func (r *replica) runToRequest(at units.Seconds) { r.runThen(at, engine.arrival) }

func (r *replica) runThen(until units.Seconds, then func(engine, units.Seconds) bool) {
	whole := r.goOn(until, until)
	r.touched = true
	if r.active && whole {
		r.active = then(r.engine, until)
	}
}

// advance does everything that the replica does by itself before a time at which somebody
// looks at it. Steps that are planned together stay so.
func (r *replica) advance(now units.Seconds) {
	r.takeInbox()
	r.goOn(now, forever)
	if r.active {
		r.engine.reach(now)
	}
}

// goOn lets everything change that changes before a time; steps may be planned together
// until another one. Looking at the context takes a lock, so it is looked at once in 1024
// turns. It is false where the run ends without results: the steps that are planned may all be due then.
func (r *replica) goOn(until, horizon units.Seconds) (whole bool) {
	for turns := 1; turns%1024 != 0 || r.fleet.context.Err() == nil; turns++ {
		next := r.next()
		if next >= until || r.fleet.stopsBefore(next) {
			return r.fleet.failure == nil
		}
		r.commit(next)
		r.plan(next, horizon)
	}
	return false
}

// view is what the replica shows a router: counts alone, which every engine knows
// without looking at sequences.
func (r *replica) view() routing.View {
	return routing.View{Waiting: len(r.frontEnd.minHeap) + r.backlog(), Running: r.size, Pending: r.pending,
		FreeBlocks: r.memory.free - r.engine.taken(), TotalBlocks: r.memory.total}
}

// finish closes the replica's part of the record at the end of the run:
// unfinished requests may have generated something, too.
func (r *replica) finish(end units.Seconds) {
	if r.stage == gone {
		return
	}
	if !r.hangs {
		r.settle(end)
	}
	r.integrate(end)
	r.engine.synchronize()
	for _, s := range r.sequences.all {
		if s.request == nobody || s.handover != nil && s.handover.from == nil {
			continue
		}
		if open := r.fleet.record.Of(s.request); open != nil {
			open.Generated = max(open.Generated, int32(s.Generated))
		}
	}
}
