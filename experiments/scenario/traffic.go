package scenario

import (
	"math"
	"sync"

	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// Traces are traces by the digest of their rows, which a scenario's traffic has
// instead of a path. The zero Traces has none. It is safe for concurrent use:
// scenarios may be built while traces of others are added.
type Traces struct{ byDigest sync.Map }

// Add makes a trace known, and returns its digest.
func (t *Traces) Add(trace *workloads.Trace) (digest string) {
	digest = trace.Digest()
	t.byDigest.Store(digest, trace)
	return digest
}

// trace is what the scenario's traffic replays; nil where it replays nothing.
func (t *Traces) trace(traffic *workloads.Spec) *workloads.Trace {
	if traffic.Trace == nil {
		return nil
	}
	trace, _ := t.byDigest.Load(traffic.Trace.Path)
	found, _ := trace.(*workloads.Trace)
	return found
}

// traffic makes the requests of a scenario, from the first one on.
func (t *Traces) traffic(s *Scenario) (workloads.Traffic, error) {
	traffic, err := workloads.New(s.Traffic, t.trace(&s.Traffic), s.Seed, s.Replication)
	return traffic, badinput.Under("workload", err)
}

// Traffic makes the requests of a scenario, as its simulation has them.
func (b *Builder) Traffic(s *Scenario) (workloads.Traffic, error) { return b.traces.traffic(s) }

// requests is about how many requests a scenario has.
func (t *Traces) requests(s *Scenario) int {
	n, _ := s.Traffic.Requests(t.trace(&s.Traffic))
	return n
}

// window is the part of a run that counts as its steady state: requests that
// arrive from one time to another, and from one index to another. It depends on
// the arrivals, which the scenario's traffic draws, so that it is found when the
// scenario is built and is no part of its value.
type window struct {
	from, to   units.Seconds // arrivals, both ends included
	first, end int           // indices of requests; end is not included
}

func (w *window) contains(r workloads.Request) bool {
	return r.Arrival >= w.from && r.Arrival <= w.to && r.ID >= w.first && r.ID < w.end
}

// containsAny tells whether it contains a request of an open loop.
func (w *window) containsAny(traffic workloads.Traffic) bool {
	for r, ok := traffic.Pop(); ok; r, ok = traffic.Pop() {
		if w.contains(r) {
			return true
		}
	}
	return false
}

// trims tells whether anything is cut off the run.
func (m *Measure) trims() bool { return m.Warmup != Trim{} || m.Cooldown != Trim{} }

// window returns the window that is measured, nil for the whole run. The arrivals
// of an open loop are generated once to know where it ends, and as far as the first
// request that is measured to know that there is one.
func (t *Traces) window(s *Scenario) (*window, error) {
	m := &s.Measure
	if !m.trims() {
		return nil, nil
	}
	traffic, err := t.traffic(s)
	if err != nil {
		return nil, err
	}
	w := &window{from: m.Warmup.Time, to: units.Seconds(math.Inf(1)), end: math.MaxInt}
	if !traffic.OpenLoop() {
		if m.Warmup.Fraction == 0 && m.Cooldown == (Trim{}) {
			return w, nil
		}
		return nil, &badinput.Error{
			Key:     "measure",
			Problem: "in a closed loop only a warmup given as a time can be cut off, since arrivals depend on the run",
		}
	}
	n, last := scan(traffic)
	if err := workloads.Failure(traffic); err != nil {
		return nil, err
	}
	w.first = int(math.Ceil(m.Warmup.Fraction * float64(n)))
	w.end = n - int(math.Ceil(m.Cooldown.Fraction*float64(n)))
	w.to = last - m.Cooldown.Time
	if traffic, err = t.traffic(s); err != nil {
		return nil, err
	}
	if !w.containsAny(traffic) {
		return nil, &badinput.Error{Key: "measure", Problem: "warmup and cooldown leave no request to measure", Allowed: "less of them"}
	}
	return w, nil
}

// scan counts the requests of an open loop and finds its last arrival.
func scan(traffic workloads.Traffic) (n int, last units.Seconds) {
	for {
		r, ok := traffic.Pop()
		if !ok {
			return n, last
		}
		n, last = n+1, r.Arrival
	}
}
