package main

import (
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// tooDearText is which limit leaves candidates without a single unit, and what the cheapest of these would cost; nothing where none does.
func tooDearText(a *results.Answer) string {
	var cheapest *results.Option
	none := 0
	for i := range a.Pruned {
		o := &a.Pruned[i]
		if o.Out != results.OutLimited || o.Judged != nil {
			continue
		}
		if none++; cheapest == nil || cheaper(&o.Unit, &cheapest.Unit) {
			cheapest = o
		}
	}
	if none == 0 {
		return ""
	}
	text := fmt.Sprintf("plan.%s allows not one unit of %s; the least of them is %s, of %s",
		cheapest.Detail, countOf(none, "candidate"), cheapest.Name, countOf(cheapest.Unit.Accelerators, "accelerator"))
	if usd := cheapest.Unit.USDPerHour; usd != nil {
		text += fmt.Sprintf(" for $%s an hour", units.Significant(*usd))
	}
	return text + ". "
}

// cheaper tells whether a unit costs less than another one, or where there are no prices has fewer accelerators.
func cheaper(u, than *results.Unit) bool {
	if u.USDPerHour != nil && than.USDPerHour != nil {
		return *u.USDPerHour < *than.USDPerHour
	}
	return u.Accelerators < than.Accelerators
}

// nearestText is the candidate that came nearest to the objective.
func nearestText(a *results.Answer) string {
	var nearest *results.Option
	for i := range a.Pruned {
		o := &a.Pruned[i]
		if o.Judged != nil && (nearest == nil || o.Judged.Attainment > nearest.Judged.Attainment) {
			nearest = o
		}
	}
	if nearest == nil {
		return reachableText(a)
	}
	text := fmt.Sprintf("The nearest is %s: with %s, %s of the requests meet the objective", nearest.Name, countOf(nearest.Units, "unit"),
		percentText(nearest.Judged))
	if nearest.Judged.Saturated || nearest.Judged.Unsettled {
		text += ", for a while: the backlog grows, or is not known to end"
	}
	return text + "."
}

// reachableText is the best that requests can have which have a unit for themselves, and what they miss.
func reachableText(a *results.Answer) string {
	var best *results.Option
	for i := range a.Pruned {
		if o := &a.Pruned[i]; o.Alone != nil && (best == nil || o.Alone.Attainment > best.Alone.Attainment) {
			best = o
		}
	}
	if best == nil {
		return ""
	}
	text := fmt.Sprintf("The best that can be reached is %s, where a request has a unit of %s for itself", units.Percent(best.Alone.Attainment), best.Name)
	for _, bound := range []struct {
		name      string
		ms, limit float64
	}{{"TTFT", best.Alone.TTFTms, a.SLO.TTFTms}, {"TPOT", best.Alone.TPOTms, a.SLO.TPOTms}, {"E2EL", best.Alone.E2ELms, a.SLO.E2ELms}} {
		if bound.limit > 0 && bound.ms > bound.limit {
			text += fmt.Sprintf("; %s is what bounds it: %s of the requests have up to %s", bound.name, targetText(a.Target), span(bound.ms))
		}
	}
	return text + "."
}
