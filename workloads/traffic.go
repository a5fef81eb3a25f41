package workloads

import (
	"errors"
	"math"
	"slices"

	"kneepoint/units"
)

// New builds the traffic of a workload for one replication: the same requests
// for the same spec, seed and replication. trace is what spec.Trace describes,
// as LoadTrace returned it, and nil without one; it is only read.
//
// Wrong input is a *badinput.Error whose key is relative to the [workload]
// table.
func New(spec Spec, trace *Trace, seed uint64, replication int) (Traffic, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if (spec.Trace != nil) != (trace != nil) {
		return nil, errors.New("workloads: a trace must be given exactly when the spec has one")
	}
	if trace != nil && spec.Prefix != nil && trace.shares() {
		return nil, prefixBesideIDs()
	}
	if err := spec.checkSize(trace); err != nil {
		return nil, err
	}
	if spec.Session != nil {
		return newSessions(&spec, spec.count(nil), seed, replication)
	}
	if slices.ContainsFunc(spec.Client, func(c ClientSpec) bool { return c.separate() }) {
		return newMerged(&spec, spec.count(nil), seed, replication)
	}
	lengths, err := newLengths(&spec, trace, seed, replication)
	if err != nil {
		return nil, err
	}
	arrival, n := spec.arrival(), spec.count(trace)
	if arrival.Process == "closed" {
		return newClosedLoop(&arrival, lengths, n, spec.until(), seed, replication), nil
	}
	open := newOpenLoop(newSchedule(&spec, &arrival, trace, n, seed, replication), lengths, n, spec.until())
	if arrival.MaxConcurrency > 0 {
		return newLimited(open, arrival.MaxConcurrency), nil
	}
	return open, nil
}

func newSchedule(s *Spec, a *ArrivalSpec, trace *Trace, n int, seed uint64, replication int) schedule {
	switch {
	case a.Process == "trace":
		return newReplay(trace, s.Trace, seed, replication)
	case a.atOnce():
		return allAtOnce{}
	case a.Normalize:
		return normalized(a, n, seed, replication)
	}
	return newRenewal(a, n, seed, replication)
}

// openLoop sends n requests, those planned by until, when they are planned.
type openLoop struct {
	schedule schedule
	lengths  lengths
	n        int
	until    float64

	id int     // of the next request
	at float64 // its time; +Inf when there is none

	request Request // the one that was taken last
}

func newOpenLoop(s schedule, l lengths, n int, until float64) *openLoop {
	t := &openLoop{schedule: s, lengths: l, n: n, until: until}
	t.plan()
	return t
}

// plan looks up the time of the next request.
func (t *openLoop) plan() {
	t.at = math.Inf(1)
	if t.id >= t.n {
		return
	}
	if at := t.schedule.next(); at <= t.until {
		t.at = at
	} else {
		t.n = t.id
	}
}

func (t *openLoop) Peek() (at units.Seconds, ok bool) {
	return units.Seconds(t.at), !math.IsInf(t.at, 1)
}

func (t *openLoop) Pop() (r Request, ok bool) {
	at, ok := t.Peek()
	if !ok {
		return Request{}, false
	}
	t.request = Request{ID: t.id, Session: -1, Planned: at, Arrival: at}
	t.lengths.next(&t.request)
	t.id++
	t.plan()
	return t.request, true
}

func (t *openLoop) Done(int, units.Seconds) {}

func (t *openLoop) OpenLoop() bool { return true }
