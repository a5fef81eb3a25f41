package workloads

import (
	"errors"
	"slices"
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
	var rows *cursor
	if trace != nil {
		rows = trace.begin()
	}
	traffic, err := newTraffic(&spec, rows, spec.count(trace), seed, replication)
	if err != nil || trace == nil || trace.file == nil {
		return traffic, err
	}
	return &fromFile{traffic, rows.feed}, nil
}

// newTraffic is traffic of one loop, with the rows of a trace, or nil.
func newTraffic(s *Spec, rows *cursor, n int, seed uint64, replication int) (Traffic, error) {
	arrival := s.arrival()
	planned := newSchedule(s, &arrival, rows, n, seed, replication)
	lengths, err := newLengths(s, rows, seed, replication)
	if err != nil {
		return nil, err
	}
	if arrival.Process == "closed" {
		return newClosedLoop(&arrival, lengths, n, s.until(), seed, replication), nil
	}
	open := newOpenLoop(planned, lengths, n, s.until())
	if arrival.MaxConcurrency > 0 {
		return newLimited(open, arrival.MaxConcurrency), nil
	}
	return open, nil
}

// newSchedule is when the requests of an open loop come; nil of a closed one.
func newSchedule(s *Spec, a *ArrivalSpec, rows *cursor, n int, seed uint64, replication int) schedule {
	switch {
	case a.Process == "closed":
		return nil
	case a.Process == "trace":
		return newReplay(rows.again(), s.Trace, seed, replication)
	case a.atOnce():
		return allAtOnce{}
	case a.Normalize:
		return normalized(a, n, seed, replication)
	}
	return newRenewal(a, n, seed, replication)
}
