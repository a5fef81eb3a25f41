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
	last  rangeOfContext         // whose number is known, and was asked for last
	best  int                    // which that is
}

// rangeOfContext is the contexts of a number of sequences that begin with the same bits.
type rangeOfContext struct {
	sequences int
	begins    int64
	digits    int // bits that follow
}

// holds tells whether a number of sequences with a context is of it.
func (r *rangeOfContext) holds(sequences int, context int64) bool {
	return r.sequences == sequences && r.begins == context>>r.digits
}

const (
	contextBits = 6  // of which contexts have the first in common of which the same is known
	finer       = 3  // by as many more where that does not tell
	undecided   = -1 // where it depends on the context
)

// Length implements Proposals.
func (a *AdaptiveProposals) Length(sequences int, context int64) int {
	if a.DisableAboveBatch > 0 && sequences > a.DisableAboveBatch {
		return 0
	}
	if !a.last.holds(sequences, context) {
		a.find(sequences, context)
	}
	return a.best
}

// find finds the best number, and a range in which it is.
func (a *AdaptiveProposals) find(sequences int, context int64) {
	for digits := max(0, bits.Len64(uint64(context))-contextBits); ; digits = max(0, digits-finer) {
		a.last = rangeOfContext{sequences, context >> digits, digits}
		if a.best = a.knownIn(a.last); a.best != undecided {
			return
		}
	}
}

// knownIn is bestIn, looked for once.
func (a *AdaptiveProposals) knownIn(r rangeOfContext) int {
	best, found := a.known[r]
	if !found {
		if a.known == nil {
			a.known = map[rangeOfContext]int{}
		}
		best = a.bestIn(r)
		a.known[r] = best
	}
	return best
}

// bestAt is the number with the most tokens a second, the smallest of several.
func (a *AdaptiveProposals) bestAt(sequences int, context int64) int {
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
// beginning. Where that does not tell, it is undecided, but for a single context.
func (a *AdaptiveProposals) bestIn(r rangeOfContext) int {
	from := r.begins << r.digits
	to := from + 1<<r.digits - 1
	best := a.bestAt(r.sequences, from)
	if r.digits == 0 {
		return best
	}
	least := a.rate(r.sequences, to, best)
	for k := range a.Tokens + 1 {
		if k != best && !(a.rate(r.sequences, from, k) < least) {
			return undecided
		}
	}
	return best
}
