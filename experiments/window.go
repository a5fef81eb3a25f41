package experiments

import (
	"math"

	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// window is the part of a run that counts as its steady state: requests that
// arrive from one time to another, and from one index to another.
type window struct {
	from, to   units.Seconds
	first, end int // indices; end is not included
}

func (w *window) contains(r workloads.Request) bool {
	return r.Arrival >= w.from && r.Arrival <= w.to && r.ID >= w.first && r.ID < w.end
}

// newWindow returns the window that [measure] asks for, nil for the whole run.
// The arrivals of an open loop are generated once to know where it ends.
func newWindow(j *job) (*window, error) {
	m := &j.spec.Measure
	if m.Warmup == (Trim{}) && m.Cooldown == (Trim{}) {
		return nil, nil
	}
	traffic, err := j.traffic()
	if err != nil {
		return nil, err
	}
	w := &window{from: m.Warmup.Time, to: units.Seconds(math.Inf(1)), end: math.MaxInt}
	if !traffic.OpenLoop() {
		if m.Warmup.Fraction == 0 && m.Cooldown == (Trim{}) {
			return w, nil
		}
		return nil, &badinput.Error{Key: "measure", Problem: "in a closed loop only a warmup given as a time can be cut off, since arrivals depend on the run"}
	}
	n, last := scan(traffic)
	w.first = int(math.Ceil(m.Warmup.Fraction * float64(n)))
	w.end = n - int(math.Ceil(m.Cooldown.Fraction*float64(n)))
	w.to = last - m.Cooldown.Time
	if w.first >= w.end || w.from > w.to {
		return nil, &badinput.Error{Key: "measure", Problem: "warmup and cooldown leave no request to measure"}
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
