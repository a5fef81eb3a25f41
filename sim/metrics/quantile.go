package metrics

import "math"

// Quantile returns the p-quantile (p in [0,1]) of values sorted in increasing
// order, by linear interpolation between the closest ranks: numpy's default,
// rank p·(n-1). It is NaN for no values.
func Quantile(sorted []float64, p float64) float64 {
	return interpolate(len(sorted), p, func(rank int) float64 { return sorted[rank] })
}

// interpolate is the p-quantile of n values, given each by its rank.
func interpolate(n int, p float64, at func(rank int) float64) float64 {
	if n == 0 {
		return math.NaN()
	}
	rank := p * float64(n-1)
	lower := int(math.Floor(rank))
	if lower >= n-1 {
		return at(n - 1)
	}
	low, high := at(lower), at(lower+1)
	return low + (rank-float64(lower))*(high-low)
}
