package metrics

import (
	"math"
	"math/rand/v2"
	"sort"
)

// together is how many draws are looked at together: what is known of a request is read once for all of them, and how often it
// was drawn is a word.
const together = 8

// times is how often a request was drawn, in each of some draws. Once on average, so that it fits: more than 255 times comes
// in one of 10^500 draws.
type times [together]uint8

// resample draws as often as it takes, has set store the metrics of each draw, and appends them to those by key.
func (b *bootstrap) resample(random *rand.Rand, draws map[string][]float64, set func(*[together]Values)) {
	for range resamples / together {
		b.draw(random)
		all := noValues()
		set(&all)
		for _, v := range all {
			for key, x := range v {
				draws[key] = append(draws[key], x)
			}
		}
	}
}

// noValues are the metrics of some draws, of which there are none yet.
func noValues() (all [together]Values) {
	for d := range all {
		all[d] = Values{}
	}
	return all
}

// draw draws blocks, some times as many requests as there are.
func (b *bootstrap) draw(random *rand.Rand) {
	n := len(b.times)
	clear(b.times)
	for d := range together {
		for drawn := 0; drawn < n; {
			from, block := random.IntN(n), min(b.block, n-drawn)
			drawn += block
			first := b.times[from:min(from+block, n)]
			for i := range first {
				first[i][d]++
			}
			for i := range block - len(first) {
				b.times[i][d]++
			}
		}
	}
}

// counts are what counts of the requests of a draw.
type counts struct {
	input, output, completed, span, offered float64
	good                                    judgement
}

// setRates stores the metrics that count requests. The time is that of the gaps that were
// drawn, and of what came after the last arrival.
func (b *bootstrap) setRates(all *[together]Values) {
	var sums [together]counts
	for i := range b.requests {
		q := &b.requests[i]
		gap := b.lastGap
		if i+1 < len(b.requests) {
			gap = float64(b.requests[i+1].Arrival - q.Arrival)
		}
		var good judgement
		if q.State == Completed && b.slo.Set() {
			good = b.judge(q)
		}
		for d, times := range b.times[i] {
			sums[d].add(q, gap, good, float64(times))
		}
	}
	for d, v := range all {
		b.setCounts(v, &sums[d])
	}
}

// add adds a request k times.
func (c *counts) add(q *Request, gap float64, good judgement, k float64) {
	c.offered += k
	c.span += k * gap
	if q.State != Completed {
		return
	}
	c.completed += k
	c.input += k * float64(q.Input)
	c.output += k * float64(q.Generated)
	c.good.add(good, k)
}

func (b *bootstrap) setCounts(v Values, c *counts) {
	duration := c.span + b.tail
	v.Set(OfferedRate, c.offered/c.span)
	v.Set(RequestThroughput, c.completed/duration)
	v.Set(OutputThroughput, c.output/duration)
	v.Set(TokenThroughput, (c.input+c.output)/duration)
	if b.slo.Set() {
		v.Set(Goodput, c.good.all/duration)
		v.setAttainments(b.slo, c.good, c.offered)
	}
}

// mark is after how many values of a latency it is noted how many were drawn so far.
const mark = 64

// setLatency stores the statistics of a latency, each value as often as its request was drawn.
func (b *bootstrap) setLatency(all *[together]Values, name string, ranked []valueOf) {
	var n [together]int32
	var sum, squares [together]float64
	b.marks = b.marks[:0]
	var often [mark]times // of the values up to the next mark: read first, so that the processor need not wait for one after the other
	for rest := ranked; len(rest) > 0; rest = rest[min(mark, len(rest)):] {
		part := rest[:min(mark, len(rest))]
		for i := range part {
			often[i] = b.times[part[i].of]
		}
		for i := range part {
			x := part[i].x
			for d, times := range &often[i] {
				k := float64(times)
				n[d] += int32(times)
				sum[d] += k * x
				squares[d] += k * x * x
			}
		}
		b.marks = append(b.marks, n)
	}
	for d, v := range all {
		if n[d] == 0 {
			continue
		}
		mean := sum[d] / float64(n[d])
		quantile := func(p float64) float64 {
			return interpolate(int(n[d]), p, func(rank int) float64 { return b.drawn(ranked, d, rank) })
		}
		v.setStatistics(name, int(n[d]), mean, math.Sqrt(math.Max(squares[d]/float64(n[d])-mean*mean, 0)), quantile)
	}
}

// drawn is the value of a rank, from 0 on, among those of a draw.
func (b *bootstrap) drawn(ranked []valueOf, d, rank int) float64 {
	at := sort.Search(len(b.marks), func(m int) bool { return int(b.marks[m][d]) > rank })
	if at > 0 {
		rank -= int(b.marks[at-1][d])
	}
	i := at * mark
	for ; rank >= int(b.times[ranked[i].of][d]); i++ {
		rank -= int(b.times[ranked[i].of][d])
	}
	return ranked[i].x
}
