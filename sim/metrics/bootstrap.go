package metrics

import (
	"cmp"
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
// kept no requests, or has fewer than four blocks.
func Bootstrap(rec *Record, slo Objective, random *rand.Rand) (Bootstrapped, bool) {
	b := newBootstrap(rec, slo)
	blocks := 0
	if b.block > 0 {
		blocks = (len(rec.Requests) + b.block - 1) / b.block
	}
	if blocks < 4 {
		return Bootstrapped{}, false
	}
	draws := map[string][]float64{}
	for range resamples {
		for key, x := range b.resample(random) {
			draws[key] = append(draws[key], x)
		}
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
	requests  []Request
	block     int
	slo       Objective   // each bound that binds any request
	good      []judgement // by request; none where no bound is set
	counted   []counted   // by request
	tail      float64     // from the last arrival to the last end
	latencies []sortedLatency
	times     []int32 // how often each request was drawn
	upTo      []int32 // of the latency that is looked at, how many were drawn up to each value
}

// counted is what counts of a request, which is read once for every draw: close together.
type counted struct {
	gap           float64 // time to the next request in seconds; of the last one the mean
	input, output int32
	completed     bool
}

// sortedLatency is a latency of the requests that have it, in seconds.
type sortedLatency struct {
	name   string
	values []float64 // in ascending order
	of     []int32   // the request of each
}

func newBootstrap(rec *Record, slo Objective) *bootstrap {
	n := len(rec.Requests)
	b := &bootstrap{
		requests: rec.Requests,
		slo:      loosest(rec.Classes, slo),
		counted:  make([]counted, n),
		times:    make([]int32, n),
		upTo:     make([]int32, n),
	}
	if b.slo.Set() {
		b.good = make([]judgement, n)
	}
	if n < 2 {
		return b
	}
	met := make([]float64, n)
	for i := range rec.Requests {
		q := &rec.Requests[i]
		b.counted[i].input, b.counted[i].output = q.Input, q.Generated
		if b.counted[i].completed = q.State == Completed; b.counted[i].completed {
			good := ofClass(rec.Classes, q.Class, slo).judge(q)
			if met[i] = good.all; b.good != nil {
				b.good[i] = good
			}
		}
		if i > 0 {
			b.counted[i-1].gap = float64(q.Arrival - rec.Requests[i-1].Arrival)
		}
		b.tail = math.Max(b.tail, float64(q.Last))
	}
	last := float64(rec.Requests[n-1].Arrival)
	b.counted[n-1].gap = (last - float64(rec.Requests[0].Arrival)) / float64(n-1)
	b.tail = math.Max(b.tail-last, 0)
	b.block = BlockLength(met)
	for _, latency := range bootstrapped {
		series := b.sort(latency.name, latency.of)
		b.block = max(b.block, BlockLength(series))
	}
	return b
}

// bootstrapped are the latencies that a request has.
var bootstrapped = []struct {
	name string
	of   func(*Request) (units.Seconds, bool)
}{
	{"ttft", func(q *Request) (units.Seconds, bool) { return q.TTFT(), true }},
	{"tpot", (*Request).TPOT},
	{"e2el", func(q *Request) (units.Seconds, bool) { return q.E2EL(), true }},
	{"normalized_latency", func(q *Request) (units.Seconds, bool) { return q.E2EL() / units.Seconds(q.Generated), true }},
	{"client_queue_time", func(q *Request) (units.Seconds, bool) { return q.ClientQueue, true }},
}

// sort keeps a latency of all requests that have it in ascending order, and returns it
// in that of the arrivals.
func (b *bootstrap) sort(name string, of func(*Request) (units.Seconds, bool)) []float64 {
	type valueOf struct {
		x float64
		i int32
	}
	series := make([]float64, 0, len(b.requests))
	ranked := make([]valueOf, 0, len(b.requests))
	for i := range b.requests {
		q := &b.requests[i]
		if x, ok := of(q); ok && q.State == Completed {
			series, ranked = append(series, float64(x)), append(ranked, valueOf{float64(x), int32(i)})
		}
	}
	slices.SortFunc(ranked, func(a, b valueOf) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.i, b.i)) })
	l := sortedLatency{name, make([]float64, len(ranked)), make([]int32, len(ranked))}
	for k, r := range ranked {
		l.values[k], l.of[k] = r.x, r.i
	}
	b.latencies = append(b.latencies, l)
	return series
}

// resample draws blocks, and computes the metrics of what was drawn.
func (b *bootstrap) resample(random *rand.Rand) Values {
	n := len(b.requests)
	clear(b.times)
	for drawn := 0; drawn < n; {
		from := random.IntN(n)
		for i := 0; i < b.block && drawn < n; i++ {
			b.times[(from+i)%n]++
			drawn++
		}
	}
	v := Values{}
	b.setRates(v)
	for i := range b.latencies {
		b.latencies[i].set(v, b.times, b.upTo)
	}
	return v
}

// setRates stores the metrics that count requests. The time is that of the gaps that were
// drawn, and of what came after the last arrival.
func (b *bootstrap) setRates(v Values) {
	var input, output, completed, span, offered float64
	var good judgement
	for i, times := range b.times {
		if times == 0 {
			continue
		}
		c, k := &b.counted[i], float64(times)
		offered += k
		span += k * c.gap
		if !c.completed {
			continue
		}
		completed += k
		input += k * float64(c.input)
		output += k * float64(c.output)
		if b.good != nil {
			good.add(b.good[i], k)
		}
	}
	duration := span + b.tail
	v.Set(OfferedRate, offered/span)
	v.Set(RequestThroughput, completed/duration)
	v.Set(OutputThroughput, output/duration)
	v.Set(TokenThroughput, (input+output)/duration)
	if b.slo.Set() {
		v.Set(Goodput, good.all/duration)
		v.setAttainments(b.slo, good, offered)
	}
}

// set stores the statistics of the latency, each value as often as its request was drawn. What counts up to each value is
// written to upTo.
func (l *sortedLatency) set(v Values, times, upTo []int32) {
	upTo = upTo[:len(l.values)]
	var n int32
	var sum, squares float64
	for i, x := range l.values {
		drawn := times[l.of[i]]
		k := float64(drawn)
		n += drawn
		upTo[i] = n
		sum += k * x
		squares += k * x * x
	}
	if n == 0 {
		return
	}
	mean := sum / float64(n)
	quantile := func(p float64) float64 { return l.quantile(upTo, p) }
	v.setStatistics(l.name, int(n), mean, math.Sqrt(math.Max(squares/float64(n)-mean*mean, 0)), quantile)
}

// quantile is that of the values that were drawn, as Quantile has it.
func (l *sortedLatency) quantile(upTo []int32, p float64) float64 {
	n := int(upTo[len(upTo)-1])
	rank := p * float64(n-1)
	lower := int(math.Floor(rank))
	below, above := l.ranked(upTo, lower), l.ranked(upTo, min(lower+1, n-1))
	return below + (rank-float64(lower))*(above-below)
}

// ranked is the value of a rank, from 0 on, among those that were drawn.
func (l *sortedLatency) ranked(upTo []int32, rank int) float64 {
	i, _ := slices.BinarySearch(upTo, int32(rank+1))
	return l.values[i]
}
