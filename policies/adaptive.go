package policies

import (
	"math/bits"

	"kneepoint/units"
)

// AdaptiveProposals chooses the number of guesses, up to Tokens, with the most
// tokens to be expected a second: Expected(k) tokens a sequence in StepTime(...,
// k). How long a step takes and how many guesses are accepted on average is what such
// a controller measures as it runs.
//
// StepTime must not fall with the context. What it says is kept, so that one serves all
// replicas of a run, one after the other.
//
// Source: Liu et al. 2024, "Optimizing Speculative Decoding for Serving Large
// Language Models Using Goodput", arXiv 2406.14066.
type AdaptiveProposals struct {
	Tokens            int
	DisableAboveBatch int
	Expected          func(guesses int) float64
	StepTime          func(sequences int, context int64, guesses int) units.Seconds

	known map[rangeOfContext]int // the best number in all of it, or undecided
}

// rangeOfContext is the contexts of a number of sequences that begin with the same bits.
type rangeOfContext struct {
	sequences int
	begins    int64
	digits    int // bits that follow
}

const (
	contextBits = 6  // of which contexts have the first in common of which the same is known
	undecided   = -1 // where it depends on the context
)

// Length implements Proposals.
func (a *AdaptiveProposals) Length(sequences int, context int64) int {
	if a.DisableAboveBatch > 0 && sequences > a.DisableAboveBatch {
		return 0
	}
	digits := max(0, bits.Len64(uint64(context))-contextBits)
	r := rangeOfContext{sequences, context >> digits, digits}
	best, found := a.known[r]
	if !found {
		if a.known == nil {
			a.known = map[rangeOfContext]int{}
		}
		best = a.bestIn(r)
		a.known[r] = best
	}
	if best == undecided {
		return a.best(sequences, context)
	}
	return best
}

// best is the number with the most tokens a second, the smallest of several.
func (a *AdaptiveProposals) best(sequences int, context int64) int {
	best, most := 0, 0.0
	for k := range a.Tokens + 1 {
		if rate := a.rate(sequences, context, k); rate > most {
			best, most = k, rate
		}
	}
	return best
}

func (a *AdaptiveProposals) rate(sequences int, context int64, k int) float64 {
	return a.Expected(k) / float64(a.StepTime(sequences, context, k))
}

// bestIn is the number that is best for all contexts of a range. As steps get no shorter, it has at least as many
// tokens a second as at the end of the range, and another one at most as many as at the
// beginning. Where that does not tell, it is undecided.
func (a *AdaptiveProposals) bestIn(r rangeOfContext) int {
	from := r.begins << r.digits
	to := from + 1<<r.digits - 1
	best := a.best(r.sequences, from)
	least := a.rate(r.sequences, to, best)
	for k := range a.Tokens + 1 {
		if k != best && !(a.rate(r.sequences, from, k) < least) {
			return undecided
		}
	}
	return best
}
