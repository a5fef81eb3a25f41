package metrics

import "math"

// BlockLength is how many consecutive observations of a stationary series a block of the
// circular block bootstrap should have, by the rule of Politis and White ("Automatic
// block-length selection for the dependent bootstrap", Econometric Reviews 23, 2004, with
// the correction of Patton, Politis and White, 28, 2009):
//
//	b = (2 G²/D)^⅓ n^⅓,   G = Σ λ(k/M) |k| R(k),   D = 4/3 (Σ λ(k/M) R(k))²
//
// over the lags k from -M to M, with the autocovariances R and the flat-top window λ(t),
// 1 up to ½ and from there linear to 0 at 1. M is twice the lag after which max(5,
// √log₁₀ n) autocorrelations in a row are within 2·√(log₁₀ n/n) of 0, and at most √n and
// these. A block is at most 3·√n long, and n/3. Independent observations have blocks of
// one.
func BlockLength(series []float64) int {
	n := float64(len(series))
	if n < 10 {
		return 1
	}
	insignificant := int(math.Max(5, math.Sqrt(math.Log10(n))))
	most := int(math.Ceil(math.Sqrt(n))) + insignificant
	covariance := autocovariances(series, min(most, len(series)-1))
	if covariance[0] == 0 {
		return 1
	}
	window := min(2*lastSignificant(covariance, insignificant, 2*math.Sqrt(math.Log10(n)/n)), len(covariance)-1)
	var weighted, spectrum float64
	spectrum = covariance[0]
	for k := 1; k <= window; k++ {
		flatTop := math.Min(1, 2*(1-float64(k)/float64(window)))
		weighted += 2 * flatTop * float64(k) * covariance[k]
		spectrum += 2 * flatTop * covariance[k]
	}
	length := math.Cbrt(2 * weighted * weighted / (4.0 / 3 * spectrum * spectrum) * n)
	longest := math.Ceil(math.Min(3*math.Sqrt(n), n/3))
	return int(math.Max(1, math.Min(math.Round(length), longest)))
}

// autocovariances are those at the lags from 0 up to the most.
func autocovariances(series []float64, most int) []float64 {
	mean := 0.0
	for _, x := range series {
		mean += x / float64(len(series))
	}
	all := make([]float64, most+1)
	for k := range all {
		sum := 0.0
		for i := k; i < len(series); i++ {
			sum += (series[i] - mean) * (series[i-k] - mean)
		}
		all[k] = sum / float64(len(series))
	}
	return all
}

// lastSignificant is the lag after which a number of autocorrelations in a row are within
// a bound; where there are never so many, the last one that is not.
func lastSignificant(covariance []float64, inARow int, bound float64) int {
	last := 0
	for k := 1; k < len(covariance); k++ {
		if math.Abs(covariance[k]/covariance[0]) >= bound {
			last = k
		} else if k-last >= inARow {
			break
		}
	}
	return last
}
