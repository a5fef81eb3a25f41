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
	most = min(most, len(series)-1)
	covariance := newCovariances(series)
	if covariance.at(0) == 0 {
		return 1
	}
	window := min(2*covariance.lastSignificant(most, insignificant, 2*math.Sqrt(math.Log10(n)/n)), most)
	var weighted, spectrum float64
	spectrum = covariance.at(0)
	for k := 1; k <= window; k++ {
		flatTop := math.Min(1, 2*(1-float64(k)/float64(window)))
		weighted += 2 * flatTop * float64(k) * covariance.at(k)
		spectrum += 2 * flatTop * covariance.at(k)
	}
	length := math.Cbrt(2 * weighted * weighted / (4.0 / 3 * spectrum * spectrum) * n)
	longest := math.Ceil(math.Min(3*math.Sqrt(n), n/3))
	return int(math.Max(1, math.Min(math.Round(length), longest)))
}

// covariances are the autocovariances of a series, by lag, as far as they were asked for.
type covariances struct {
	series []float64
	mean   float64
	found  []float64
}

func newCovariances(series []float64) *covariances {
	c := &covariances{series: series}
	for _, x := range series {
		c.mean += x / float64(len(series))
	}
	return c
}

// at is that at a lag.
func (c *covariances) at(lag int) float64 {
	for len(c.found) <= lag {
		c.extend()
	}
	return c.found[lag]
}

// extend finds those at the next four lags, in one pass over the series: each is a chain of additions, which wait for each other.
func (c *covariances) extend() {
	lag, series, mean := len(c.found), c.series, c.mean
	var sums [4]float64
	for k := range sums {
		for i := lag + k; i < min(lag+3, len(series)); i++ {
			sums[k] += (series[i] - mean) * (series[i-lag-k] - mean)
		}
	}
	a, b, c0, d := sums[0], sums[1], sums[2], sums[3]
	for i := lag + 3; i < len(series); i++ {
		x, before := series[i]-mean, series[i-lag-3:i-lag+1]
		d += x * (before[0] - mean)
		c0 += x * (before[1] - mean)
		b += x * (before[2] - mean)
		a += x * (before[3] - mean)
	}
	n := float64(len(series))
	c.found = append(c.found, a/n, b/n, c0/n, d/n)
}

// lastSignificant is the lag, of up to the most, after which a number of autocorrelations in a row are within
// a bound; where there are never so many, the last one that is not.
func (c *covariances) lastSignificant(most, inARow int, bound float64) int {
	last := 0
	for k := 1; k <= most; k++ {
		if math.Abs(c.at(k)/c.at(0)) >= bound {
			last = k
		} else if k-last >= inARow {
			break
		}
	}
	return last
}
