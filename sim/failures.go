package sim

import (
	"math"
	"slices"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// Failure is a way in which replicas of a pool are lost, with all that is in their memory, or
// become slow.
type Failure struct {
	// Together is how many replicas a failure takes, as those of a node: 1, or numbers that
	// follow each other from a multiple of it on. 0: all of the pool.
	Together int

	// At is when it happens, to the first replicas that are up. Or it happens again and again:
	// Until is the time from when replicas take requests to their next failure, of the n-th
	// one that is drawn; nil: once.
	At    units.Seconds
	Until func(n int) units.Seconds

	// Detection is how long nobody knows: what the replicas have stands still, and requests are sent to
	// them as before.
	Detection units.Seconds

	// Repair is how long it takes until another replica starts in the place of one, of the
	// n-th that is repaired; it is paid for meanwhile. nil: none does, unless a scaler orders it.
	Repair func(n int) units.Seconds

	// Slowdown, where it is not 0, is how many times as long the steps of replicas take from
	// then on, until they are repaired: none is lost.
	Slowdown float64

	// Link has only the links of the replicas to others fail. What goes over them stands still
	// until they are repaired, or takes Slowdown times as long. Once the loss is noticed no
	// requests are sent to the replicas, and of those whose keys and values stand still then, or
	// are to go over such a link, these are lost; with Wait they wait for the repair.
	Link, Wait bool

	// Lose loses the requests in flight. Otherwise they are sent again, and their prompts and
	// the tokens that they have are computed anew.
	Lose bool
}

// failing is a failure of a roster's replicas.
type failing struct {
	Failure
	roster   *roster
	drawn    int
	repaired int
	struck   bool
}

// beginFailures sets the first failures. Where replicas fail one by one, each has a timer of
// its own from when it takes requests.
func (o *roster) beginFailures() {
	for _, f := range o.pool.Failures {
		x := &failing{Failure: f, roster: o}
		o.failures = append(o.failures, x)
		o.record().Spared++
		switch {
		case f.Until == nil:
			o.fleet.at(f.At, func() { x.strike(x.first(), f.At, func(units.Seconds) {}) })
		case f.Together != 1:
			for unit := range x.units() {
				x.again(unit, 0)
			}
		}
	}
}

// record is that of the roster's pool.
func (o *roster) record() *metrics.PoolRecord { return &o.fleet.record.Pools[o.index] }

// units is how many groups of replicas fail together, of those of the start of the run.
func (x *failing) units() int {
	if x.Together == 0 {
		return 1
	}
	return (x.roster.pool.Replicas + x.Together - 1) / x.Together
}

// next is when a failure comes that is drawn now.
func (x *failing) next(now units.Seconds) units.Seconds {
	x.drawn++
	return now + x.Until(x.drawn-1)
}

// again has a group of replicas fail again and again, as long as there are or will be any.
func (x *failing) again(unit int, now units.Seconds) {
	if o := x.roster; now > 0 && len(o.all) == 0 && o.scale.scaler == nil {
		return
	}
	at := x.next(now)
	x.roster.fleet.atAgain(at, func() { x.strike(x.members(unit), at, func(repaired units.Seconds) { x.again(unit, repaired) }) })
}

// watch has a replica fail that takes requests from now on.
func (o *roster) watch(r *replica, now units.Seconds) {
	for _, x := range o.failures {
		if x.Together == 1 && x.Until != nil {
			x.watch(r, now)
		}
	}
}

// watch has a replica fail after a time that is drawn now, and again where it is not lost.
func (x *failing) watch(r *replica, now units.Seconds) {
	at := x.next(now)
	r.fleet.atAgain(at, func() {
		if r.isUp() {
			x.strike([]*replica{r}, at, func(repaired units.Seconds) {
				if x.Slowdown > 0 || x.Link {
					x.watch(r, repaired)
				}
			})
		}
	})
}

// isUp tells whether a replica serves requests.
func (r *replica) isUp() bool { return (r.stage == ready || r.stage == draining) && !r.hangs }

// first are the first replicas that are up, as many as fail together.
func (x *failing) first() []*replica {
	for unit := range len(x.roster.fleet.replicas) {
		if found := x.members(unit); len(found) > 0 {
			return found
		}
	}
	return nil
}

// members are the replicas of a group that are up.
func (x *failing) members(unit int) []*replica {
	var found []*replica
	for _, r := range x.roster.all {
		if r.isUp() && (x.Together == 0 && unit == 0 || x.Together > 0 && r.place/x.Together == unit) {
			found = append(found, r)
		}
	}
	return found
}

// strike has replicas fail, and calls then with when the last of them is repaired, as soon as
// that is known.
func (x *failing) strike(replicas []*replica, now units.Seconds, then func(repaired units.Seconds)) {
	if !x.struck {
		x.struck = true
		x.roster.record().Spared--
	}
	switch f := x.roster.fleet; {
	case len(replicas) == 0:
		then(now)
	case x.Link && x.Slowdown > 0:
		then(x.slowLinks(replicas, now))
	case x.Link:
		then(x.cutLinks(replicas, now))
	case x.Slowdown > 0:
		then(x.slow(replicas, now))
	default:
		if x.Repair != nil {
			f.beginOutage(len(replicas), now)
		}
		for _, r := range replicas {
			r.hang(now)
		}
		if x.Detection == 0 {
			then(x.lose(replicas, now))
			return
		}
		at := now + x.Detection
		f.at(at, func() { then(x.lose(replicas, at)) })
	}
}

// hang has a replica do nothing any more, though requests may still be sent to it.
func (r *replica) hang(now units.Seconds) {
	r.runUntil(now)
	r.catchUp(now)
	r.hangs, r.active = true, false
	r.record.Failed = max(now, math.SmallestNonzeroFloat64) // 0 would be never
	r.fleet.reschedule(r)
	if n := r.fleet.network; n != nil {
		n.drop(now, func(d *delivery) bool { return d.from == r || d.to == r })
	}
	r.fleet.sharing.lose(r, now)
}

// repairEach calls undo for each of some replicas when it is repaired, and is when the last one is.
func (x *failing) repairEach(replicas []*replica, now units.Seconds, undo func(r *replica, at units.Seconds)) (repaired units.Seconds) {
	repaired = now
	for _, r := range replicas {
		if x.Repair == nil {
			continue
		}
		at := now + x.Repair(x.repaired)
		x.repaired++
		repaired = max(repaired, at)
		r.fleet.at(at, func() { undo(r, at) })
	}
	return repaired
}

// lose loses replicas that hang, and what becomes of their requests follows once all are lost. It
// is when the last of them is repaired.
func (x *failing) lose(replicas []*replica, now units.Seconds) (repaired units.Seconds) {
	var inFlight []visit
	repaired = now
	for _, r := range replicas {
		if r.stage == gone { // was dismissed, before anybody knew
			x.settle(now)
			continue
		}
		why := &loss{x, r}
		had := append(r.evacuate(why, now), r.fleet.recallFrom(why, now)...)
		x.noteRetried(r, had)
		inFlight = append(inFlight, had...)
		repaired = max(repaired, x.replace(r, now))
	}
	x.sendAgain(inFlight, now)
	return repaired
}

// noteRetried counts requests that are sent again since a replica is lost, or its link.
func (x *failing) noteRetried(r *replica, had []visit) {
	for i := range had {
		if x.retries(&had[i]) {
			r.totals.Retried++
		}
	}
}

// sendAgain sends requests again, or loses them, that were in flight.
func (x *failing) sendAgain(inFlight []visit, now units.Seconds) {
	f := x.roster.fleet
	slices.SortFunc(inFlight, func(a, b visit) int { return a.ID - b.ID })
	for i := range inFlight {
		if v := &inFlight[i]; x.retries(v) {
			f.send(v, now)
		} else {
			f.record.Trend.Leave(now)
			f.refuse(v, metrics.Lost, now)
		}
	}
}

// settle notes that a replica which would be repaired is not wanted any more.
func (x *failing) settle(now units.Seconds) {
	if x.Repair != nil {
		x.roster.fleet.endLoss(now)
	}
}

// retries tells whether a request is sent again that was lost with its replica.
func (x *failing) retries(v *visit) bool { return !x.Lose && v.lost.tries < mostTries }

// replace has another replica start in the place of one that has failed, once it is
// repaired, and is when that is.
func (x *failing) replace(r *replica, now units.Seconds) (repaired units.Seconds) {
	o := x.roster
	o.fleet.leaving = slices.DeleteFunc(o.fleet.leaving, func(other *replica) bool { return other == r })
	wanted := r.stage == ready || r.restart != nil
	o.leave(r, now)
	r.record.Replaced = now
	if !wanted {
		x.settle(now)
		return now
	}
	if x.Repair != nil || o.scale.scaler == nil {
		r.record.Replaced = forever
	}
	if x.Repair == nil {
		if r.restart != nil {
			r.restart.startAnew(r, false, now)
		}
		return now
	}
	repaired = now + x.Repair(x.repaired)
	x.repaired++
	by := o.add(starting, now)
	by.replaces, by.restart = r.record, r.restart
	o.fleet.at(repaired, func() {
		if by.stage == starting {
			o.startCold(by, repaired)
		}
	})
	return repaired
}

// stranded is how many requests may wait for ever: where replicas fail that nobody repairs,
// all that are at the router. Where prompts are computed apart from answers, others wait behind
// these for memory that they hold.
func (f *fleet) stranded() int {
	switch {
	case f.inFlight == nil:
		return 0
	case f.config.Transfer != nil && f.atRouter > 0:
		return f.inSystem()
	}
	return f.atRouter
}
