package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/units"
)

const (
	saturationGroups     = 20   // at least, in the second half of the arrivals
	saturationConfidence = 0.99 // of the test for a positive slope
	saturationMinute     = 60 * units.Seconds(1)
	saturationShare      = 0.05 // of all requests, that wait in the end
)

// Trend follows the number of requests that wait, over the arrivals, in constant
// memory: sums over groups of consecutive arrivals, of which there are never more
// than four times saturationGroups; when there would be, neighbours are joined.
type Trend struct {
	size   int // arrivals of a group
	groups []trendGroup
	span   trendSpan
}

// trendGroup is consecutive arrivals.
type trendGroup struct {
	count         int
	time, waiting float64 // sums over them: of times in seconds, of numbers waiting
}

// trendSpan is the first and the last arrival.
type trendSpan struct {
	arrivals    int
	first, last units.Seconds
	waiting     int // at the last one
}

// Add notes that the request of an index, counted from 0, arrived at a time, and how
// many requests waited then at its replica. Arrivals at different replicas may be
// noted out of order.
func (t *Trend) Add(index int, at units.Seconds, waiting int) {
	if t.size == 0 {
		t.size = 1
	}
	for index/t.size >= 4*saturationGroups {
		t.joinNeighbours()
	}
	group := index / t.size
	for len(t.groups) <= group {
		t.groups = append(t.groups, trendGroup{})
	}
	g := &t.groups[group]
	g.count++
	g.time += float64(at)
	g.waiting += float64(waiting)
	if index == 0 {
		t.span.first = at
	}
	if index >= t.span.arrivals {
		t.span.arrivals, t.span.last, t.span.waiting = index+1, at, waiting
	}
}

// joinNeighbours makes one group of each two, so that a run of any length has enough
// groups, and never many.
func (t *Trend) joinNeighbours() {
	t.size *= 2
	for i := range t.groups {
		g := t.groups[i]
		if i%2 == 0 {
			t.groups[i/2] = g
			continue
		}
		to := &t.groups[i/2]
		to.count += g.count
		to.time += g.time
		to.waiting += g.waiting
	}
	t.groups = t.groups[:(len(t.groups)+1)/2]
}

// Saturated tells whether the backlog grew until the arrivals ended. Each
// arrival notes how many requests wait where it goes. Over the second half of
// the arrivals, in 20 to 40 groups of equal size whose means take out most of
// the correlation between neighbours, the slope of the number waiting against
// time is fitted by least squares. A run is saturated when
//
//   - the slope is positive at 99 % (one-sided t test), and
//   - more requests wait at the last arrival, at its replica times the number of
//     replicas, than arrive in one minute, or than 5 % of all requests,
//     whichever is less.
//
// Fewer than 40 requests, or requests that all come at once, are never
// called saturated: there is no trend to see.
func (t *Trend) Saturated(replicas int) bool {
	n := float64(t.span.arrivals)
	span := float64(t.span.last - t.span.first)
	if n < 2*saturationGroups || span <= 0 {
		return false
	}
	perMinute := n / span * float64(saturationMinute)
	if float64(t.span.waiting*replicas) <= math.Min(perMinute, saturationShare*n) {
		return false
	}
	return slopePositive(t.secondHalf())
}

// secondHalf is the mean times and numbers waiting of the groups in the second
// half of the arrivals.
func (t *Trend) secondHalf() (times, waiting []float64) {
	for i, g := range t.groups {
		if 2*i*t.size >= t.span.arrivals && 2*g.count >= t.size {
			times = append(times, g.time/float64(g.count))
			waiting = append(waiting, g.waiting/float64(g.count))
		}
	}
	return times, waiting
}

// slopePositive tests whether y grows with x: whether the slope of the least-squares
// line over its standard error is above the quantile of Student's distribution with
// n-2 degrees of freedom. Points on a line have no error.
func slopePositive(x, y []float64) bool {
	intercept, slope := stat.LinearRegression(x, y, nil, false)
	mean := stat.Mean(x, nil)
	var residual, spread float64
	for i := range x {
		e := y[i] - intercept - slope*x[i]
		residual += e * e
		spread += (x[i] - mean) * (x[i] - mean)
	}
	if slope <= 0 || spread == 0 {
		return false
	}
	freedom := float64(len(x) - 2)
	if residual == 0 {
		return true
	}
	t := slope / math.Sqrt(residual/freedom/spread)
	return t > distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(saturationConfidence)
}
