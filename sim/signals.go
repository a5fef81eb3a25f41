package sim

import (
	"math"

	"kneepoint/policies/routing"
	"kneepoint/units"
)

// Signals say how late a router learns what replicas do. The zero value shows them as
// they are.
type Signals struct {
	Interval units.Seconds // all replicas report together, this often, from 0 on; 0: each whenever its requests change
	Delay    units.Seconds // how old a report is when it reaches the router

	// IgnoreDispatches leaves out what the router has sent since a report was made. It
	// adds that otherwise.
	IgnoreDispatches bool
}

// signals are the reports of a fleet's replicas, on their way and arrived.
type signals struct {
	Signals
	fleet   *fleet
	next    float64  // the number of intervals after which all report next
	onWay   []report // in the order in which they were made
	arrived int      // of these, the first ones that have arrived
}

// report is what a replica told the router.
type report struct {
	replica *replica
	at      units.Seconds
	view    routing.View
}

// dispatch is a request that was sent to a replica which has not reported since.
type dispatch struct {
	at     units.Seconds
	prompt int
}

// newSignals are nil where the router sees replicas as they are. Those that report by
// themselves are followed.
func newSignals(f *fleet, s Signals) *signals {
	if s.Interval == 0 && s.Delay == 0 {
		return nil
	}
	return &signals{Signals: s, fleet: f}
}

// shown is what the router knows of a replica.
func (s *signals) shown(r *replica, now units.Seconds) routing.View {
	s.receive(now)
	v := r.reported.view
	for _, d := range r.dispatched {
		v.Waiting++
		v.Pending += d.prompt
	}
	return v
}

// receive hands over the reports that have reached the router by now.
func (s *signals) receive(now units.Seconds) {
	for ; s.arrived < len(s.onWay) && s.onWay[s.arrived].at+s.Delay <= now; s.arrived++ {
		got := s.onWay[s.arrived]
		got.replica.receive(got)
	}
	if s.arrived > 1024 && 2*s.arrived > len(s.onWay) {
		s.onWay = append(s.onWay[:0], s.onWay[s.arrived:]...)
		s.arrived = 0
	}
}

// receive takes a report for what is known of the replica, beside what was sent to it since.
func (r *replica) receive(got report) {
	r.reported = got
	kept := r.dispatched[:0]
	for _, d := range r.dispatched {
		if d.at > got.at {
			kept = append(kept, d)
		}
	}
	r.dispatched = kept
	r.setLevels()
}

// sent notes that the router has sent a request to a replica.
func (s *signals) sent(r *replica, now units.Seconds, prompt int) {
	if s.IgnoreDispatches {
		return
	}
	r.dispatched = append(r.dispatched, dispatch{now, prompt})
	r.setLevels()
}

// takeReports has all replicas report as they were at every time of the interval before now,
// after all that happened at that time: none has changed since the last event. Times whose
// report is overtaken by a later one that has arrived, too, are left out.
func (s *signals) takeReports(now units.Seconds) {
	if s.Interval == 0 {
		return
	}
	s.next = max(s.next, math.Ceil(float64((now-s.Delay)/s.Interval))-1)
	for {
		at := units.Seconds(s.next) * s.Interval
		if at >= now {
			return
		}
		for _, r := range s.fleet.replicas {
			r.advance(units.Seconds(math.Nextafter(float64(at), float64(now))))
			s.onWay = append(s.onWay, report{r, at, r.view()})
		}
		s.next++
	}
}

// report has a replica report whose requests have changed, where it does so by itself.
func (f *fleet) report(r *replica, now units.Seconds) {
	if s := f.signals; s != nil && s.Interval == 0 {
		s.onWay = append(s.onWay, report{r, now, r.view()})
	}
}

// counted is how many requests the router believes a replica to have.
func (r *replica) counted() int {
	if r.fleet.signals != nil {
		return r.reported.view.Requests() + len(r.dispatched)
	}
	return r.requests()
}

// setLevels tells the groups of a replica how many requests the router believes it to have.
func (r *replica) setLevels() {
	if !r.fleet.following && r.fleet.signals == nil {
		return
	}
	n := r.counted()
	for _, m := range r.memberships {
		m.group.levels.set(m, n)
	}
}
