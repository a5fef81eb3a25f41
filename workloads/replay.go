package workloads

import (
	"math"
	"math/rand/v2"
	"slices"
)

// replay is the schedule of a trace, pass after pass. Where the clock of the
// trace was coarse, each request of a pass comes up to a tick later, drawn alike;
// the requests keep their order.
type replay struct {
	trace *Trace
	tick  float64    // in seconds of the replay; 0: the times are exact
	draws *rand.Rand // nil when they are

	times     []float64 // of the current pass, with a tick
	row, pass int
}

// newReplay replays a trace with the tick that its spec gives it.
func newReplay(t *Trace, spec *TraceSpec, seed uint64, replication int) *replay {
	r := &replay{trace: t, tick: float64(spec.jitter()) * t.scale}
	if r.tick > 0 {
		r.draws, r.times = Stream(seed, replication, StreamTicks), make([]float64, len(t.rows))
	}
	return r
}

func (r *replay) next() float64 {
	if r.pass == r.trace.passes {
		return math.Inf(1)
	}
	at := r.at() + float64(r.pass)*r.trace.period(r.tick)
	if r.row++; r.row == len(r.trace.rows) {
		r.row, r.pass = 0, r.pass+1
	}
	return at
}

// at is the time of the current row, from the start of its pass.
func (r *replay) at() float64 {
	if r.tick == 0 {
		return r.trace.rows[r.row].at
	}
	if r.row == 0 {
		for i, row := range r.trace.rows {
			r.times[i] = row.at + r.tick*r.draws.Float64()
		}
		slices.Sort(r.times)
	}
	return r.times[r.row]
}
