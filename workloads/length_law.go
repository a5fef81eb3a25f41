package workloads

import (
	"math"
	"math/rand/v2"
)

// LengthLaw draws numbers of tokens.
type LengthLaw struct {
	quantile func(p float64) float64 // of the law before rounding, for p in [0, 1)
	min, max float64

	// Of a law whose quantile does not rise with p: its distribution function, and the
	// length at p with parts that have no spread given a little, so that every draw has
	// a place of its own. Nil where the quantile rises.
	below, smooth func(float64) float64
}

// Law builds the law that the table describes.
func (s *LengthSpec) Law() (LengthLaw, error) {
	if err := s.Validate(); err != nil {
		return LengthLaw{}, err
	}
	law := LengthLaw{quantile: s.quantile(), min: float64(max(s.Min, 1)), max: mostTokens}
	if s.Type == "lognormal_mix" {
		parts := spreadOut(s.Mix)
		law.below, law.smooth = mixtureBelow(parts), mixture(parts)
	}
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
func (l LengthLaw) At(p float64) int { return l.bounded(l.quantile(p)) }

// AtPlace is the length with a share p in [0, 1) of all lengths below it. It differs
// from At where draws are not in the order of lengths.
func (l LengthLaw) AtPlace(p float64) int {
	if l.below == nil {
		return l.At(p)
	}
	return l.bounded(inverse(l.below, p))
}

// place is the share of lengths below the one at probability p.
func (l LengthLaw) place(p float64) float64 {
	if l.below == nil {
		return p
	}
	return l.below(l.smooth(p))
}

// bounded is a length rounded, then kept within bounds.
func (l LengthLaw) bounded(length float64) int {
	x := math.Round(length)
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
