package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderClaims says of each [[claim]] table where it holds. Unlike an expectation a
// claim does not fail a run: it is others who claim it.
func renderClaims(w io.Writer, res *results.Results) {
	before := "\nclaims\n"
	for i := range res.Claims {
		c := &res.Claims[i]
		fmt.Fprintf(w, "%s%s of %s over %s: %s%s\n  %s\n", before, metricTitle(c.Metric), c.Strategy, c.Over,
			factorRange(c), sourceText(c.Source), verdictsText(c))
		before = ""
	}
}

// factorRange is the range of factors that a claim allows.
func factorRange(c *results.Claim) string {
	if c.Low == c.High {
		return factor(&c.Low)
	}
	return factor(&c.Low) + " to " + factor(&c.High)
}

// The verdicts on a claim at one place, in the order in which they are listed: first
// what supports it, last what says nothing.
const (
	holds   = "holds "
	isMore  = "is exceeded "
	fails   = "does not hold "
	unclear = "cannot be told "
	hasNone = "has no value "
)

// verdictsText lists where a claim holds, and what comes out where it does not.
func verdictsText(c *results.Claim) string {
	places := map[string][]string{}
	for _, v := range c.Verdicts {
		verdict := verdictOn(c, &v)
		place := cmp.Or(strings.TrimSuffix("at "+v.Place, "at "), "here") // nothing is swept
		if v.Factor != nil {
			place += " " + factor(v.Factor)
		}
		if verdict == unclear {
			place += fmt.Sprintf(" (%s to %s)", factor(v.FactorLow), factor(v.FactorHigh))
		}
		places[verdict] = append(places[verdict], place)
	}
	var parts []string
	for _, verdict := range []string{holds, isMore, fails, unclear, hasNone} {
		if places[verdict] != nil {
			parts = append(parts, verdict+strings.Join(places[verdict], ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// verdictOn says what became of a claim at one place; the factor is nil where a
// strategy has no value, or there is no such place. A factor whose interval holds a
// bound of the claim says nothing.
func verdictOn(c *results.Claim, v *results.Verdict) string {
	switch {
	case v.Factor == nil:
		return hasNone
	case !v.Clear:
		return unclear
	case v.Holds:
		return holds
	case exceeded(c, *v.Factor):
		return isMore
	default:
		return fails
	}
}

// exceeded tells whether a factor x is further from 1 than a claim has it, on the same
// side: the effect is there, and larger than claimed. A range around 1 claims that
// there is none, and cannot be exceeded.
func exceeded(c *results.Claim, x float64) bool {
	return c.High < 1 && x < c.Low || c.Low > 1 && x > c.High
}

// same is the largest ratio that is written as its inverse: up to here that is 1.01 or more.
const same = 0.995

// factor writes "×1.80", or "÷2.30" for what became less: people compare ×2 with ÷2
// more easily than with ×0.5. It is nil where there is none.
func factor(x *float64) string {
	switch {
	case x == nil:
		return "–"
	case *x == 0:
		return "0"
	case *x < same:
		return "÷" + units.Significant(1 / *x)
	default:
		return "×" + units.Significant(*x)
	}
}
