package main

import (
	"cmp"
	"fmt"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderClaims says of each [[claim]] table where it holds. Unlike an expectation a
// claim does not fail a run: it is others who claim it.
func renderClaims(p page, res *results.Results) {
	if len(res.Claims) > 0 {
		p.heading("claims")
	}
	for i := range res.Claims {
		p.paragraph(claimText(&res.Claims[i]))
		p.paragraph("  " + verdictsText(&res.Claims[i]))
	}
}

// claimText is what is claimed, and by whom.
func claimText(c *results.Claim) string {
	return fmt.Sprintf("%s of %s over %s: %s%s", metricTitle(c.Metric), c.Strategy, c.Over, factorRange(c), sourceText(c.Source))
}

// factorRange is the range of factors that a claim allows.
func factorRange(c *results.Claim) string {
	if c.Low == c.High {
		return factor(&c.Low)
	}
	return factor(&c.Low) + " to " + factor(&c.High)
}

// ruling is the verdict on a claim at one place, as it is said of one and of several.
type ruling struct{ ofOne, ofSeveral string }

var (
	itHolds = ruling{"holds", "hold"}
	isMore  = ruling{"is exceeded", "exceeded"}
	fails   = ruling{"does not hold", "do not hold"}
	unclear = ruling{"cannot be told", "cannot be told"}
	hasNone = ruling{"has no value", "without a value"}
)

// rulings are in the order in which they are listed: first what supports a claim, last what says
// nothing.
var rulings = []ruling{itHolds, isMore, fails, unclear, hasNone}

// verdictsText lists where a claim holds, and what comes out where it does not.
func verdictsText(c *results.Claim) string {
	places := map[ruling][]string{}
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
	for _, verdict := range rulings {
		if places[verdict] != nil {
			parts = append(parts, verdict.ofOne+" "+strings.Join(places[verdict], ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// verdictOn says what became of a claim at one place; the factor is nil where a
// strategy has no value, or there is no such place. A factor whose interval holds a
// bound of the claim says nothing.
func verdictOn(c *results.Claim, v *results.Verdict) ruling {
	switch {
	case v.Factor == nil:
		return hasNone
	case !v.Clear:
		return unclear
	case v.Holds:
		return itHolds
	case c.Exceeded(*v.Factor):
		return isMore
	default:
		return fails
	}
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
