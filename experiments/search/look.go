package search

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/sim/metrics"
)

// sample is one run: of every request, in the order of their arrival, whether it met the
// objective (1 or 0), and its time to first token in seconds, NaN where it got none.
type sample struct {
	attained, ttft []float64
	run            Run
	found          func() []float64 // how many requests each found in the system; nil: it is not known
	saturated      bool
	present        int // requests that were in the system when the last one arrived
}

// look is the replications at one load.
type look struct {
	load      float64   // as a hardship
	first     int       // number of the first replication
	warmUp    int       // requests at the start of each run that do not count
	counted   int       // those of each run that do; of the shortest
	settled   bool      // the runs are longer than twice their warm-up, and than it takes to fill the system
	requests  int       // that count, of all runs
	shares    []float64 // of the counted requests that met the objective, by replication; of those in which some came
	saturated bool      // in most runs the backlog grew until the end

	correlation float64 // requests that tell as much as one independent one; at least 1
	memory      float64 // likewise, of what is in the system; 0: it is not known
	growth      float64 // requests more that the second half of the counted ones finds in the system, at most
	rising      bool    // in some run that half waits longer than any before it
	lastingMost float64 // that of misses is at most so much, where that was asked
}

// newLook looks at runs, without their first warmUp requests.
func newLook(load float64, first int, runs []sample, warmUp int) look {
	l := look{load: load, first: first, warmUp: warmUp, counted: max(shortest(runs)-warmUp, 1), settled: true}
	saturated := 0
	for _, run := range runs {
		if run.saturated {
			saturated++
		}
		if counted := run.attained[warmUp:]; len(counted) > 0 {
			l.requests += len(counted)
			l.shares = append(l.shares, stat.Mean(counted, nil))
		}
	}
	l.saturated = 2*saturated > len(runs)
	l.correlation = l.correlationOf(runs)
	present := presentIn(runs, warmUp)
	l.memory, l.growth, l.rising = memoryOf(present), growthOf(present), waitsRise(runs, warmUp)
	return l
}

// shortest is the number of requests of the shortest run.
func shortest(runs []sample) int {
	n := math.MaxInt
	for _, run := range runs {
		n = min(n, len(run.attained))
	}
	return n
}

// warmUp is how many requests at the start of runs do not count, by the mean over
// the runs, which has less noise than one of them: of attainment and of the time to first
// token, whichever takes longer, and no less than it takes to fill the system.
func warmUp(runs []sample) (requests int, settled bool) {
	n, present := shortest(runs), 0
	for i := range runs {
		present += runs[i].present
	}
	attained, settledA := metrics.WarmUp(meanSeries(runs, n, func(s *sample) []float64 { return s.attained }))
	ttft, settledT := metrics.WarmUp(meanSeries(runs, n, func(s *sample) []float64 { return s.ttft }))
	requests = max(attained, ttft, refills*present/len(runs))
	return min(requests, n/2), settledA && settledT && requests <= n/2
}

// refills is how often as many requests as are in the system have to come before it is like one that was never empty:
// where misses are few, the wait does not show that it still fills.
const refills = 5

// meanSeries is the mean over runs, request by request, of those that have a value; where
// none has, the one before.
func meanSeries(runs []sample, n int, of func(*sample) []float64) []float64 {
	series := make([]float64, n)
	for i := range series {
		sum, known := 0.0, 0.0
		for r := range runs {
			if x := of(&runs[r])[i]; !math.IsNaN(x) {
				sum, known = sum+x, known+1
			}
		}
		switch {
		case known > 0:
			series[i] = sum / known
		case i > 0:
			series[i] = series[i-1]
		}
	}
	return series
}

// share is the mean attainment.
func (l *look) share() float64 { return stat.Mean(l.shares, nil) }

// distanceFrom is how far it is from a target.
func (l *look) distanceFrom(target float64) float64 { return math.Abs(l.share() - target) }

// smoothed is the attainment as (k+½)/(n+1), which has a logit.
func (l *look) smoothed() float64 {
	n := float64(l.counted * len(l.shares))
	return (l.share()*n + 0.5) / (n + 1)
}

// deviation is the standard deviation of the replications' attainment, no less than
// that of independent requests.
func (l *look) deviation() float64 {
	p := l.smoothed()
	return max(stat.StdDev(l.shares, nil), math.Sqrt(p*(1-p)/float64(l.counted)))
}

// How sure an interval is that it holds what it is of.
const (
	sure  = 0.95
	surer = 0.99
)

// half is half the interval of the mean attainment.
func (l *look) half(sureness float64) float64 {
	return l.halfOf(float64(len(l.shares)), float64(l.requests), sureness)
}

// halfOf is that of a number of runs with so many requests in all: by how far runs are from each other, and no less than what is due
// to as many independent requests as tell as much, where it was asked how long they may last.
func (l *look) halfOf(runs, requests, sureness float64) float64 {
	half := quantile(int(runs), sureness) * l.deviation() * math.Sqrt(float64(l.requests)/(float64(len(l.shares))*requests))
	if l.memory > 0 {
		half = max(half, l.score(requests, sureness))
	}
	return half
}

// score is how far from the mean Wilson's interval of independent requests ends, on the side of the rarer ones: where hardly any misses, at
// an attainment of which it would be seldom that so few do, even though the runs do not differ at all.
func (l *look) score(requests, sureness float64) float64 {
	n, z := requests/l.lasting(sureness), normal(sureness)
	rare := min(l.share(), 1-l.share())
	end := (rare + z*z/(2*n) + z*math.Sqrt(rare*(1-rare)/n+z*z/(4*n*n))) / (1 + z*z/n)
	return end - rare
}

// quantile is Student's, of the interval for the mean of n values.
func quantile(n int, sureness float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + sureness) / 2)
}

// normal is that of the normal distribution.
func normal(sureness float64) float64 { return distuv.UnitNormal.Quantile((1 + sureness) / 2) }

// verdict is what a look says of a load.
type verdict int

const (
	unclear verdict = iota // the interval holds the target
	meets
	misses
	untold // it does, and so few requests came that their mean says nothing either
)

// verdict holds the interval of the attainment against the target. An overloaded system
// misses it whatever its requests show: they would not, had the run been longer.
func (l *look) verdict(target, sureness float64) verdict {
	if len(l.shares) < fewest {
		return unclear
	}
	half := l.half(sureness)
	switch d := l.share() - target; {
	case l.saturated || d < -half:
		return misses
	case d > half:
		return meets
	}
	return unclear
}

// fewest is how many runs must have requests for an interval.
const fewest = 3

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
