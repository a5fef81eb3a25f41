package search

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/sim/metrics"
)

// Misses of a queue come together, in episodes that may be so seldom that runs have none: then they do not tell how long they last.
// What is in the system always changes, and while it is remembered an episode lasts, about: of M/M/k misses are correlated over
// .5 to 1.2 times as many requests as the number in the system is.

// stays is when the requests of a run came, in the order of which they did, and when they left.
type stays struct{ came, left []float64 }

func staysOf(rec *metrics.Record, window bool) *stays {
	s := &stays{}
	for i := range rec.Requests {
		r := &rec.Requests[i]
		if window && !r.InWindow {
			continue
		}
		s.came, s.left = append(s.came, float64(r.Arrival)), append(s.left, float64(max(r.Last, r.Arrival)))
	}
	return s
}

// found is how many requests each of the first n found in the system.
func (s *stays) found(n int) []float64 {
	left, gone := slices.Sorted(slices.Values(s.left)), 0
	found := make([]float64, n)
	for i := range found {
		for gone < len(left) && left[gone] <= s.came[i] {
			gone++
		}
		found[i] = float64(max(i-gone, 0))
	}
	return found
}

// presentIn is how many requests each of the counted ones found in the system, by run; nil where it is not known.
func presentIn(runs []sample, warmUp int) [][]float64 {
	var present [][]float64
	for i := range runs {
		if runs[i].found != nil && len(runs[i].attained) > warmUp {
			present = append(present, runs[i].found()[warmUp:])
		}
	}
	if len(present) < fewest {
		return nil
	}
	return present
}

// memoryOf is for how long runs remember what is in the system; 0: it is not known.
func memoryOf(present [][]float64) float64 {
	if present == nil {
		return 0
	}
	return correlationOf(present, stat.Variance(slices.Concat(present...), nil))
}

// growthOf is by how many requests more the second half of runs finds in the system than the first, at most; infinite where that is not known.
func growthOf(present [][]float64) float64 {
	if present == nil {
		return math.Inf(1)
	}
	growth := make([]float64, len(present))
	for i, found := range present {
		half := len(found) / 2
		growth[i] = stat.Mean(found[half:], nil) - stat.Mean(found[:half], nil)
	}
	mean, deviation := stat.MeanStdDev(growth, nil)
	return mean + quantile(len(growth), surer)*deviation/math.Sqrt(float64(len(growth)))
}

// waitsRise tells whether some run has longer waits in the second half of its counted requests than before, by more than a part of what
// they differ by: those of an overload do, however small it is, and those that rise and fall do not.
func waitsRise(runs []sample, warmUp int) bool {
	const part = 0.05
	for i := range runs {
		waits := runs[i].ttft
		half := (len(waits) + warmUp) / 2
		if half == 0 || half == len(waits) {
			return true
		}
		before := slices.Max(waits[:half])
		lowest := min(slices.Min(waits), before)
		if !(slices.Max(waits[half:])-before <= part*(before-lowest)) { // NaN: a request without a token
			return true
		}
	}
	return false
}

// lasting is the correlation of misses, times as much as Student's distribution is wider than the
// normal one, since the few episodes that were seen tell how long they last. None lasts longer than it is remembered what is in the
// system, or than under a larger load, and those that come within that time are one.
func (l *look) lasting(sureness float64) float64 {
	p, own := l.smoothed(), l.correlation
	episodes := float64(l.requests) * min(p, 1-p) / max(l.correlation, l.lastingMost)
	wider := distuv.StudentsT{Sigma: 1, Nu: episodes}.Quantile((1+sureness)/2) / normal(sureness)
	return max(own, min(own*wider*wider, l.lastingMost))
}

// correlationOf is that of the misses.
func (l *look) correlationOf(runs []sample) float64 {
	var attained [][]float64
	for i := range runs {
		if len(runs[i].attained) > l.warmUp {
			attained = append(attained, runs[i].attained[l.warmUp:])
		}
	}
	p := l.smoothed()
	return correlationOf(attained, p*(1-p))
}

// correlationOf is the number of requests that tell as much as one independent one, of what they have in common: m s²/σ², of s²
// between the means of the same m requests of different runs, and of σ² the variance of a request. Runs are cut into as many batches
// of m as are ten times as long as it, since the more there are the better s² is known.
func correlationOf(runs [][]float64, variance float64) float64 {
	const mostBatches, long = 16, 10
	if len(runs) < fewest || !(variance > 0) {
		return 1
	}
	counted := len(slices.MinFunc(runs, func(a, b []float64) int { return len(a) - len(b) }))
	for batches := mostBatches; batches > 1; batches /= 2 {
		length := counted / batches
		correlation := max(float64(length)*batchVariance(runs, length, batches)/variance, 1)
		if float64(length) >= long*correlation {
			return correlation
		}
	}
	whole := make([]float64, len(runs))
	for i, run := range runs {
		whole[i] = stat.Mean(run, nil)
	}
	s := stat.StdDev(whole, nil)
	return max(float64(counted)*s*s/variance, 1)
}

// batchVariance is the variance between runs of the means of as many batches of each, in the mean over the batches.
func batchVariance(runs [][]float64, length, batches int) float64 {
	sum, means := 0.0, make([]float64, len(runs))
	for b := range batches {
		for i, run := range runs {
			means[i] = stat.Mean(run[b*length:(b+1)*length], nil)
		}
		sum += stat.Variance(means, nil)
	}
	return sum / float64(batches)
}
