package metrics

import "math"

// Quantile returns the p-quantile (p in [0,1]) of values sorted in increasing
// order, by linear interpolation between the closest ranks: numpy's default,
// rank p·(n-1). It is NaN for no values.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	rank := p * float64(len(sorted)-1)
	lower := int(math.Floor(rank))
	if lower >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	return sorted[lower] + (rank-float64(lower))*(sorted[lower+1]-sorted[lower])
}
