package main

import (
	"cmp"
	"fmt"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// noneText is why there is no answer, as far as it can be said in a few words: what is closest to one.
func noneText(a *results.Answer) string {
	if text := beyondText(a, a.Unlimited); text != "" {
		return strings.TrimSpace(text + ". " + nearestText(a))
	}
	return cmp.Or(nearestText(a), reachableText(a))
}

// beyondText is the fleet that would serve the demand if there were no limits, and which it is not within; nothing where none would.
func beyondText(a *results.Answer, w *results.WhatIf) string {
	if w == nil || w.Best == "" {
		return ""
	}
	text := "The cheapest fleet that does"
	if a.Least != "cost" {
		text = "The smallest fleet that does"
	}
	if len(w.Beyond) > 0 {
		text += " is beyond plan." + strings.Join(w.Beyond, " and plan.")
	}
	text += fmt.Sprintf(": %s of %s, %s", unitsOf(w.Units, a.Demand.Spare), w.Best, countOf(w.Fleet, "accelerator"))
	if w.USD != nil {
		text += fmt.Sprintf(" for $%s an hour", units.Significant(*w.USD))
	}
	if w.KW > 0 {
		text += fmt.Sprintf(", %s kW", units.Significant(w.KW))
	}
	return text
}

// unitsOf is a number of units and spares.
func unitsOf(n, spare int) string {
	if spare == 0 {
		return countOf(n, "unit")
	}
	return countOf(n, "unit") + " and " + countOf(spare, "spare")
}

// worthTelling is the share of requests from which on a candidate is near to the objective at all.
const worthTelling = 0.01

// nearestText is the candidate that came nearest to the objective.
func nearestText(a *results.Answer) string {
	var nearest *results.Option
	for i := range a.Pruned {
		o := &a.Pruned[i]
		if o.Judged != nil && (nearest == nil || o.Judged.Attainment > nearest.Judged.Attainment) {
			nearest = o
		}
	}
	if nearest == nil || nearest.Judged.Attainment < worthTelling {
		return ""
	}
	text := fmt.Sprintf("The nearest is %s: with %s, %s of the requests meet the objective", nearest.Name, countOf(nearest.Units, "unit"),
		percentText(nearest.Judged))
	if nearest.Judged.Saturated || nearest.Judged.Unsettled {
		text += ", for a while: the backlog grows, or longer runs would have to tell"
	}
	return text + "."
}

// servesBetter tells whether more requests meet the objective that have a unit for themselves than with another one, or where as many
// do, whether they miss its bounds by less.
func servesBetter(alone, than *results.Alone, slo *results.SLO) bool {
	if alone.Attainment != than.Attainment {
		return alone.Attainment > than.Attainment
	}
	far := func(a *results.Alone) (most float64) {
		for _, b := range bounds(a, slo) {
			if b.limit > 0 {
				most = max(most, b.ms/b.limit)
			}
		}
		return most
	}
	return far(alone) < far(than)
}

// bound is a latency of requests, and its limit; 0: there is none.
type bound struct {
	name      string
	ms, limit float64
}

// gapsName is the bound whose latency is that of all gaps together.
const gapsName = "p99 ITL"

// bounds are those of requests that have a unit for themselves.
func bounds(a *results.Alone, slo *results.SLO) []bound {
	return []bound{{"TTFT", a.TTFTms, slo.TTFTms}, {"TPOT", a.TPOTms, slo.TPOTms}, {"E2EL", a.E2ELms, slo.E2ELms}, {gapsName, a.ITLp99ms, slo.ITLp99ms}}
}

// reachableText is the best that requests can have which have a unit for themselves, and what they miss.
func reachableText(a *results.Answer) string {
	var best *results.Option
	for i := range a.Pruned {
		if o := &a.Pruned[i]; o.Alone != nil && (best == nil || servesBetter(o.Alone, best.Alone, &a.SLO)) {
			best = o
		}
	}
	if best == nil {
		return ""
	}
	text := fmt.Sprintf("The best that can be reached is %s, where a request has a unit of %s for itself", units.Percent(best.Alone.Attainment), best.Name)
	for _, b := range bounds(best.Alone, &a.SLO) {
		if b.limit > 0 && b.ms > b.limit {
			whose := targetText(a.Target) + " of the requests have"
			if b.name == gapsName {
				whose = "99% of all gaps between tokens are"
			}
			text += fmt.Sprintf("; %s is what bounds it: %s up to %s", b.name, whose, span(b.ms))
		}
	}
	return text + "."
}
