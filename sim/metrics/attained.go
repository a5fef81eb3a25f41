package metrics

import (
	"math"

	"kneepoint/units"
)

// Attained lists the requests of a run in the order of their arrival: whether each
// completed and met its objective (1 or 0), and its time to first token in seconds, NaN
// where it has none. With window only those count that arrived inside the measuring
// window. waiting is how many of them had not ended when the last one arrived. The run
// must have kept its requests.
func (r *Record) Attained(slo Objective, window bool) (met, ttft []float64, waiting int) {
	if len(r.Requests) == 0 {
		return nil, nil, 0
	}
	last := r.Requests[len(r.Requests)-1].Arrival
	for i := range r.Requests {
		q := &r.Requests[i]
		if window && !q.InWindow {
			continue
		}
		good, first := 0.0, math.NaN()
		if q.State == Completed {
			first = float64(q.TTFT())
			if ofClass(r.Classes, q.Class, slo).Met(q) {
				good = 1
			}
		}
		if q.endsAfter(last) {
			waiting++
		}
		met, ttft = append(met, good), append(ttft, first)
	}
	return met, ttft, waiting
}

// endsAfter tells whether the request was in the system after a time. One that is refused
// never is.
func (r *Request) endsAfter(at units.Seconds) bool {
	switch r.State {
	case Unfinished:
		return true
	case Completed, TimedOut, Lost:
		return r.Last > at
	}
	return false
}
