package workloads

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// quantile is the inverse distribution function of a valid table.
func (s *LengthSpec) quantile() func(p float64) float64 {
	switch s.Type {
	case "uniform":
		return s.uniform()
	case "normal":
		return normal(s.Mean, s.Std)
	case "lognormal":
		return lognormal(s.Mean, s.Std)
	case "lognormal_mix":
		return mixture(s.Mix)
	case "exponential":
		return func(p float64) float64 { return -s.Mean * math.Log1p(-p) }
	case "gamma":
		return gamma(s.Mean, s.Std)
	case "weibull":
		unit := unitWeibull(s.Std / s.Mean)
		return func(p float64) float64 { return s.Mean * unit(p) }
	case "zipf":
		return zipf(s.Exponent, max(s.Min, 1), s.Max)
	case "empirical":
		if s.Percentiles != nil {
			return unequalSteps(s.Percentiles, s.Quantiles)
		}
		return equalSteps(s.Quantiles)
	}
	return func(float64) float64 { return s.Mean }
}

// uniform gives every whole number between the ends the same probability.
func (s *LengthSpec) uniform() func(p float64) float64 {
	low, high := float64(max(s.Min, 1)), float64(s.Max)
	if s.Mean > 0 {
		low, high = math.Floor(s.Mean*(1-s.RangeRatio)), math.Ceil(s.Mean*(1+s.RangeRatio))
	}
	return func(p float64) float64 { return low + math.Floor(p*(high-low+1)) }
}

// zipf gives every whole number n from low to high a probability proportional to n^-exponent.
func zipf(exponent float64, low, high int) func(p float64) float64 {
	ends, sum := make([]float64, high-low+1), 0.0
	for i := range ends {
		sum += math.Pow(float64(low+i)/float64(low), -exponent)
		ends[i] = sum
	}
	return func(p float64) float64 {
		i := sort.Search(len(ends)-1, func(i int) bool { return ends[i] > p*sum })
		return float64(low + i)
	}
}

// standardNormal is the inverse of the standard normal distribution function.
func standardNormal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

func normal(mean, std float64) func(p float64) float64 {
	return func(p float64) float64 { return mean + std*standardNormal(p) }
}

// lognormal takes the moments of the length m and s to those of its logarithm:
// sigma² = ln(1 + (s/m)²), mu = ln m - sigma²/2.
func lognormal(mean, std float64) func(p float64) float64 {
	variance := math.Log1p(std / mean * std / mean)
	mu, sigma := math.Log(mean)-variance/2, math.Sqrt(variance)
	return func(p float64) float64 { return math.Exp(mu + sigma*standardNormal(p)) }
}

// gamma has shape (m/s)² and rate m/s². Below a probability of 1e-15 its length
// is no token at all, and gonum's root search may fail.
func gamma(mean, std float64) func(p float64) float64 {
	law := distuv.Gamma{Alpha: mean / std * mean / std, Beta: mean / std / std}
	return tabulated(func(p float64) float64 { return law.Quantile(max(p, 1e-15)) })
}

// tabulated makes a slow inverse distribution function fast: from p = 0.03 to
// 0.97 it runs linearly between 1,024 equal steps, which for an exponential law
// misses by at most 1.3e-4 of the mean; the tails stay exact.
func tabulated(quantile func(p float64) float64) func(p float64) float64 {
	const low, high, steps = 0.03, 0.97, 1024
	values := make([]float64, steps+1)
	for i := range values {
		values[i] = quantile(low + (high-low)*float64(i)/steps)
	}
	middle := equalSteps(values)
	return func(p float64) float64 {
		if p < low || p > high {
			return quantile(p)
		}
		return middle((p - low) / (high - low))
	}
}

// mixture spends one uniform number twice: its place among the weights chooses
// the part, and its place within that part's share, uniform again, the length.
// It has the law of the mixture without being its inverse distribution function.
func mixture(parts []LognormalPart) func(p float64) float64 {
	ends, sum := make([]float64, len(parts)), 0.0
	for i, part := range parts {
		sum += part.W
		ends[i] = sum
	}
	return func(p float64) float64 {
		at, i, start := p*sum, 0, 0.0
		for i < len(parts)-1 && at >= ends[i] {
			start, i = ends[i], i+1
		}
		part := parts[i]
		return math.Exp(part.Mu + part.Sigma*standardNormal((at-start)/part.W))
	}
}

// spreadOut gives parts without spread one, far below a token.
func spreadOut(parts []LognormalPart) []LognormalPart {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Sigma = max(parts[i].Sigma, 1e-9)
	}
	return parts
}

// mixtureBelow is the distribution function of a mixture whose parts have a spread.
func mixtureBelow(parts []LognormalPart) func(length float64) float64 {
	return func(length float64) float64 {
		below, sum := 0.0, 0.0
		for _, part := range parts {
			sum += part.W
			below += part.W * normalPlace((math.Log(length)-part.Mu)/part.Sigma)
		}
		return below / sum
	}
}

// inverse is the least length, within a hundredth of a token, that has a share p below
// it, up to mostTokens.
func inverse(below func(length float64) float64, p float64) float64 {
	low, high := 0.0, 1.0
	for high < mostTokens && below(high) < p {
		low, high = high, 2*high
	}
	for high-low > 0.01 {
		if middle := (low + high) / 2; below(middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// equalSteps runs linearly through values at 0, 1/n, 2/n, …, 1.
func equalSteps(values []float64) func(p float64) float64 {
	return func(p float64) float64 {
		at := p * float64(len(values)-1)
		i := min(int(at), len(values)-2)
		return values[i] + (at-float64(i))*(values[i+1]-values[i])
	}
}

// unequalSteps runs linearly through values at the percentiles.
func unequalSteps(percentiles, values []float64) func(p float64) float64 {
	return func(p float64) float64 {
		at := 100 * p
		i := sort.SearchFloat64s(percentiles[1:len(percentiles)-1], at)
		share := (at - percentiles[i]) / (percentiles[i+1] - percentiles[i])
		return values[i] + share*(values[i+1]-values[i])
	}
}

// unitWeibull is the inverse distribution function of the Weibull law with mean
// 1 and the given coefficient of variation: (-ln(1-p))^(1/k) / Γ(1+1/k).
func unitWeibull(cv float64) func(p float64) float64 {
	inverse := 1 / weibullShape(cv)
	scale := 1 / math.Gamma(1+inverse)
	return func(p float64) float64 { return scale * math.Pow(-math.Log1p(-p), inverse) }
}

// weibullShape solves 1 + cv² = Γ(1+2/k) / Γ(1+1/k)² for the shape k, by halving
// the interval of ln k; the right side falls with k.
func weibullShape(cv float64) float64 {
	target := math.Log1p(cv * cv)
	low, high := math.Log(0.1), math.Log(1e5)
	for range 60 {
		middle := (low + high) / 2
		k := math.Exp(middle)
		square, _ := math.Lgamma(1 + 2/k)
		mean, _ := math.Lgamma(1 + 1/k)
		if square-2*mean > target {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp((low + high) / 2)
}
