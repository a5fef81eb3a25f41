package workloads

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// schedule yields the times at which a client wants to send its requests, in
// seconds, never decreasing; +Inf when there are no more.
type schedule interface {
	next() float64
}

// unitGaps draws the gaps of a process at rate 1. The requests at a rate r are
// those at rate 1 in a clock that runs r times as fast, whatever r is.
func unitGaps(a *ArrivalSpec, u *rand.Rand) func() float64 {
	b := a.burstiness()
	switch {
	case a.Process == "constant":
		return func() float64 { return 1 }
	case a.Process == "weibull":
		quantile := unitWeibull(1 / math.Sqrt(b))
		return func() float64 { return quantile(u.Float64()) }
	case a.Process == "poisson" || b == 1:
		return u.ExpFloat64
	}
	return distuv.Gamma{Alpha: b, Beta: b, Src: u}.Rand
}

// renewal is a renewal process in the time of clocks, each of which gives its
// wall time to the next.
type renewal struct {
	gap    func() float64
	rate   float64
	clocks []*clock
	factor float64 // 1, or what puts the last arrival where normalize wants it
	end    float64 // no request comes later
	units  float64 // the sum of the unit gaps so far
}

func (r *renewal) next() float64 {
	r.units += r.gap()
	t := r.units / r.rate
	for _, c := range r.clocks {
		t = c.wall(t)
	}
	if t > r.end {
		return infinity
	}
	return t * r.factor
}

// newRenewal builds the process of gaps of a valid table for n requests at most, at its start.
func newRenewal(a *ArrivalSpec, n int, seed uint64, replication int) *renewal {
	r := &renewal{
		gap:    unitGaps(a, Stream(seed, replication, StreamArrivals)),
		rate:   float64(a.Rate),
		factor: 1,
		end:    infinity,
	}
	switch {
	case a.Stages != nil:
		r.rate, r.end = 1, a.stagesEnd()
	case a.Ramp != nil:
		r.gap, r.rate = a.Ramp.gaps(r.gap, n), 1
	}
	if a.Process == "onoff" {
		u := Stream(seed, replication, StreamPhases)
		r.clocks = append(r.clocks, &clock{next: phases(float64(a.On), float64(a.Off), u)})
	}
	if next := changes(a, seed, replication); next != nil {
		r.clocks = append(r.clocks, &clock{next: next})
	}
	return r
}

// changes are those of the rate, by design and by chance; nil where there are none.
func changes(a *ArrivalSpec, seed uint64, replication int) segments {
	var designed, drifting segments
	switch {
	case a.Stages != nil:
		designed = stageSegments(a.Stages)
	case a.Hourly != nil:
		designed = hourSegments(a)
	}
	if m := a.Modulation; m != nil && m.CV > 0 {
		drifting = drift(m.CV, float64(m.Tau), Stream(seed, replication, StreamModulation))
	}
	switch {
	case designed == nil:
		return drifting
	case drifting == nil:
		return designed
	}
	return product(designed, drifting)
}

// normalized is newRenewal with its times scaled so that request n arrives at n/rate. It
// draws the n gaps once more instead of keeping them.
func normalized(a *ArrivalSpec, n int, seed uint64, replication int) *renewal {
	var last float64
	for rehearsal, i := newRenewal(a, n, seed, replication), 0; i < n; i++ {
		last = rehearsal.next()
	}
	r := newRenewal(a, n, seed, replication)
	if last > 0 {
		r.factor = float64(n) / float64(a.Rate) / last
	}
	return r
}

// allAtOnce is the schedule of requests that all come at time 0.
type allAtOnce struct{}

func (allAtOnce) next() float64 { return 0 }
