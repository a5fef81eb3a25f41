package metrics

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/units"
)

// resamples is how many times a run is resampled; the standard error that follows is good
// to 5 %.
const resamples = 200

// Bootstrapped is what one run tells of the precision of its own metrics.
type Bootstrapped struct {
	Block int                // consecutive requests of a block
	Half  map[string]float64 // half widths of 95 % intervals, by metric
}

// Bootstrap estimates how precise the metrics of a run's requests are from the run alone, by
// the circular block bootstrap over time (Politis and Romano 1992): blocks of consecutive
// requests, each with the gap to the next one, are drawn with replacement until there
// are as many requests, and the metrics computed again; their standard deviation over
// the draws, times the quantile of Student's distribution with as many degrees of freedom
// as there are further blocks, is the half width. The length of a block is the largest that
// BlockLength finds for TTFT, TPOT, E2EL and whether the objective is met. It is for
// a single sample of traffic, like a replayed trace, and says what another stretch of the
// same traffic would give: not what another day would. Gaps between tokens, and metrics of
// resources, belong to no single request and have no interval. It is false where the run
// kept no requests, or has fewer than four blocks. Latencies are looked at one after the other, so that memory has but one of
// them in order: random starts the same random numbers anew for each.
func Bootstrap(rec *Record, slo Objective, random func() *rand.Rand) (Bootstrapped, bool) {
	b := newBootstrap(rec, slo)
	blocks := 0
	if b.block > 0 {
		blocks = (len(rec.Requests) + b.block - 1) / b.block
	}
	if blocks < 4 {
		return Bootstrapped{}, false
	}
	draws := map[string][]float64{}
	b.times = make([]times, len(b.requests))
	b.resample(random(), draws, b.setRates)
	var ranked []valueOf
	for _, latency := range bootstrapped {
		ranked = b.rank(ranked[:0], latency.of)
		b.resample(random(), draws, func(all *[together]Values) { b.setLatency(all, latency.name, ranked) })
	}
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(blocks - 1)}.Quantile(0.975)
	found := Bootstrapped{Block: b.block, Half: map[string]float64{}}
	for key, values := range draws {
		found.Half[key] = student * stat.StdDev(values, nil)
	}
	return found, true
}

// bootstrap is a run that is being resampled.
type bootstrap struct {
	requests []Request
	classes  []Objective
	own      Objective // of requests without a class
	slo      Objective // each bound that binds any request
	block    int
	lastGap  float64           // what counts as the time from the last request to a next one, in seconds
	tail     float64           // from the last arrival to the last end
	times    []times           // by request
	marks    [][together]int32 // how many values of a latency were drawn up to each mark
}

// latency is what a request may have, in seconds.
type latency func(*Request) (units.Seconds, bool)

// valueOf is a latency of a request.
type valueOf struct {
	x  float64
	of int32
}

func newBootstrap(rec *Record, slo Objective) *bootstrap {
	n := len(rec.Requests)
	b := &bootstrap{requests: rec.Requests, classes: rec.Classes, own: slo, slo: loosest(rec.Classes, slo)}
	if n < 2 {
		return b
	}
	series := make([]float64, n) // whether the objective is met
	for i := range rec.Requests {
		q := &rec.Requests[i]
		if q.State == Completed {
			series[i] = b.judge(q).all
		}
		b.tail = math.Max(b.tail, float64(q.Last))
	}
	last := float64(rec.Requests[n-1].Arrival)
	b.lastGap = (last - float64(rec.Requests[0].Arrival)) / float64(n-1)
	b.tail = math.Max(b.tail-last, 0)
	b.block = BlockLength(series)
	for _, latency := range bootstrapped {
		series = series[:0]
		for _, x := range b.each(latency.of) {
			series = append(series, x)
		}
		b.block = max(b.block, BlockLength(series))
	}
	return b
}

func (b *bootstrap) judge(q *Request) judgement { return ofClass(b.classes, q.Class, b.own).judge(q) }

// bootstrapped are the latencies that a request has.
var bootstrapped = []struct {
	name string
	of   latency
}{
	{"ttft", func(q *Request) (units.Seconds, bool) { return q.TTFT(), true }},
	{"tpot", (*Request).TPOT},
	{"e2el", func(q *Request) (units.Seconds, bool) { return q.E2EL(), true }},
	{"normalized_latency", func(q *Request) (units.Seconds, bool) { return q.E2EL() / units.Seconds(q.Generated), true }},
	{"client_queue_time", func(q *Request) (units.Seconds, bool) { return q.ClientQueue, true }},
}

// each is a latency of all requests that completed and have it, in order of the arrivals, with the index of each.
func (b *bootstrap) each(of latency) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for i := range b.requests {
			q := &b.requests[i]
			if x, ok := of(q); ok && q.State == Completed && !yield(i, float64(x)) {
				return
			}
		}
	}
}

// rank appends a latency of all requests that have it in ascending order, equal ones in that of the arrivals.
func (b *bootstrap) rank(ranked []valueOf, of latency) []valueOf {
	ranked = slices.Grow(ranked, len(b.requests))
	for i, x := range b.each(of) {
		ranked = append(ranked, valueOf{x, int32(i)})
	}
	slices.SortFunc(ranked, func(a, b valueOf) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return cmp.Compare(a.of, b.of)
	})
	return ranked
}
