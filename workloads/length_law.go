package workloads

import (
	"math"
	"math/rand/v2"
)

// LengthLaw draws numbers of tokens.
type LengthLaw struct {
	quantile func(p float64) float64 // of the law before rounding, for p in [0, 1)
	min, max float64
}

// Law builds the law that the table describes.
func (s *LengthSpec) Law() (LengthLaw, error) {
	if err := s.Validate(); err != nil {
		return LengthLaw{}, err
	}
	law := LengthLaw{quantile: s.quantile(), min: float64(max(s.Min, 1)), max: mostTokens}
	if s.Max > 0 {
		law.max = float64(s.Max)
	}
	return law, nil
}

// Sample draws a length by inverting the distribution function at one uniform
// number, so that the n-th length depends on the n-th number alone.
func (l LengthLaw) Sample(u *rand.Rand) int { return l.At(u.Float64()) }

// At is the length at probability p in [0, 1): rounded, then kept within
// bounds.
func (l LengthLaw) At(p float64) int {
	x := math.Round(l.quantile(p))
	if !(x > l.min) {
		return int(l.min)
	}
	return int(min(x, l.max))
}

// Mean is the mean number of tokens after rounding and bounding, as the average
// over 10,000 equally likely slices of the distribution: good to about 0.1 % for
// laws whose tail is not heavier than that of published traces.
func (l LengthLaw) Mean() float64 {
	const slices = 10_000
	var sum float64
	for i := range slices {
		sum += float64(l.At((float64(i) + 0.5) / slices))
	}
	return sum / slices
}
