package main

import (
	"fmt"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// noneText is why there is no answer, as far as it can be said in a few words: what is closest to one.
func noneText(a *results.Answer) string {
	text := strings.TrimSpace(tooDearText(a) + nearestText(a))
	if text == "" {
		return reachableText(a)
	}
	return text
}

// tooDearText is which limit allows too few units, and what the cheapest of the candidates takes that it bounds; nothing where it bounds none.
func tooDearText(a *results.Answer) string {
	var cheapest taken
	limited := 0
	for i := range a.Pruned {
		o := &a.Pruned[i]
		if o.Out != results.OutLimited {
			continue
		}
		if t := takenBy(o, a.Demand.Spare); limited == 0 || t.less(&cheapest) {
			cheapest = t
		}
		limited++
	}
	if limited == 0 {
		return ""
	}
	return fmt.Sprintf("plan.%s allows too few units of %s; the cheapest of them takes about %s. ", cheapest.Detail, countOf(limited, "candidate"), &cheapest)
}

// taken is about what a candidate takes that a limit leaves out, spares included.
type taken struct {
	*results.Option
	units, spare, accelerators int
	usd                        *float64 // an hour; nil: it has no price
}

// takenBy goes by its throughput, and by how many units were not enough.
func takenBy(o *results.Option, spare int) taken {
	t := taken{Option: o, units: max(o.Asked, o.Units+1), spare: spare}
	t.accelerators = (t.units + spare) * o.Unit.Accelerators
	if o.Unit.USDPerHour != nil {
		usd := *o.Unit.USDPerHour * float64(t.units+spare)
		t.usd = &usd
	}
	return t
}

// less tells whether it costs less than another one, or where there are no prices has fewer accelerators.
func (t *taken) less(than *taken) bool {
	if t.usd != nil && than.usd != nil && *t.usd != *than.usd {
		return *t.usd < *than.usd
	}
	return t.accelerators < than.accelerators
}

func (t *taken) String() string {
	text := countOf(t.units, "unit")
	if t.spare > 0 {
		text += " and " + countOf(t.spare, "spare")
	}
	text += fmt.Sprintf(" of %s, %s", t.Name, countOf(t.accelerators, "accelerator"))
	if t.usd != nil {
		text += fmt.Sprintf(" for $%s an hour", units.Significant(*t.usd))
	}
	return text
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

// bounds are those of requests that have a unit for themselves.
func bounds(a *results.Alone, slo *results.SLO) []bound {
	return []bound{{"TTFT", a.TTFTms, slo.TTFTms}, {"TPOT", a.TPOTms, slo.TPOTms}, {"E2EL", a.E2ELms, slo.E2ELms}}
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
			text += fmt.Sprintf("; %s is what bounds it: %s of the requests have up to %s", b.name, targetText(a.Target), span(b.ms))
		}
	}
	return text + "."
}
