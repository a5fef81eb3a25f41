package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/internal/units"
)

const (
	saturationGroups     = 20
	saturationConfidence = 0.99
	saturationMinute     = 60 * units.Seconds(1)
	saturationShare      = 0.05
)

// Saturated tells whether the backlog grew until the arrivals ended. Each
// request's record says how many requests were waiting when it arrived. Over
// the second half of the arrivals, in 20 groups of equal size whose means take
// out most of the correlation between neighbours, the slope of the number
// waiting against time is fitted by least squares. A run is saturated when
//
//   - the slope is positive at 99 % (one-sided t test, 18 degrees of freedom), and
//   - more requests wait at the last arrival than arrive in one minute, or than
//     5 % of all requests, whichever is less.
//
// Each record counts the requests at its replica; times the number of replicas
// that is the backlog of all.
//
// Fewer than 40 requests, or requests that all come at once, are never
// called saturated: there is no trend to see.
func Saturated(requests []Request, replicas int) bool {
	n := len(requests)
	second := requests[n/2:]
	if len(second) < saturationGroups || n < 2*saturationGroups {
		return false
	}
	span := requests[n-1].Arrival - requests[0].Arrival
	if span <= 0 {
		return false
	}
	perMinute := float64(n) / float64(span) * float64(saturationMinute)
	if float64(requests[n-1].Waiting)*float64(replicas) <= math.Min(perMinute, saturationShare*float64(n)) {
		return false
	}
	times, waiting := groupMeans(second)
	return slopePositive(times, waiting)
}

// groupMeans averages arrival times and numbers waiting over consecutive groups.
func groupMeans(requests []Request) (times, waiting []float64) {
	for g := range saturationGroups {
		group := requests[g*len(requests)/saturationGroups : (g+1)*len(requests)/saturationGroups]
		var t, w float64
		for i := range group {
			t += float64(group[i].Arrival)
			w += float64(group[i].Waiting)
		}
		times = append(times, t/float64(len(group)))
		waiting = append(waiting, w/float64(len(group)))
	}
	return times, waiting
}

// slopePositive tests whether y grows with x.
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
