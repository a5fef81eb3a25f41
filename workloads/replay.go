package workloads

import (
	"math"
	"math/rand/v2"
)

// replay is the schedule of a trace, pass after pass. Where the clock of the
// trace was coarse, each request of a pass comes up to a tick later, drawn alike;
// the requests keep their order.
type replay struct {
	trace *Trace
	rows  *cursor
	tick  float64    // in seconds of the replay; 0: the times are exact
	draws *rand.Rand // nil when they are

	drawn     times // with a tick: of the rows of the current pass that were read, those that have not come
	read      int   // rows of the pass
	row, pass int
}

// newReplay replays a trace with the tick that its spec gives it, at the times of rows.
func newReplay(rows *cursor, spec *TraceSpec, seed uint64, replication int) *replay {
	t := rows.feed.trace
	r := &replay{trace: t, rows: rows, tick: float64(spec.jitter()) * t.scale}
	if r.tick > 0 {
		r.draws = Stream(seed, replication, StreamTicks)
	}
	return r
}

func (r *replay) next() float64 {
	if r.pass == r.trace.passes {
		return math.Inf(1)
	}
	at := r.at() + float64(r.pass)*r.trace.period(r.tick)
	if r.row++; r.row == r.trace.Rows() {
		r.row, r.read, r.pass = 0, 0, r.pass+1
	}
	return at
}

// at is the time of the current row, from the start of its pass. With a tick it is the least of those that have not come, which
// is known once the next row that is not read comes later.
func (r *replay) at() float64 {
	if r.tick == 0 {
		return r.rows.next().at
	}
	for ; r.read < r.trace.Rows() && (len(r.drawn) == 0 || r.rows.peek().at < r.drawn[0]); r.read++ {
		r.drawn.push(r.rows.next().at + r.tick*r.draws.Float64())
	}
	return r.drawn.pop()
}

// times are a heap, the least one first.
type times []float64

func (t *times) push(at float64) {
	*t = append(*t, at)
	for i := len(*t) - 1; i > 0 && at < (*t)[(i-1)/2]; i = (i - 1) / 2 {
		(*t)[i], (*t)[(i-1)/2] = (*t)[(i-1)/2], at
	}
}

func (t *times) pop() float64 {
	all := *t
	first, last := all[0], len(all)-1
	all[0] = all[last]
	all = all[:last]
	*t = all
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && all[child+1] < all[child] {
			child++
		}
		if all[i] <= all[child] {
			break
		}
		all[i], all[child] = all[child], all[i]
		i = child
	}
	return first
}
