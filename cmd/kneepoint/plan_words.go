package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// demandText is what a plan is asked for, in one sentence.
func demandText(a *results.Answer) string {
	d := &a.Demand
	parts := []string{loadText(d.Load) + " " + d.Unit}
	if d.Load == 1 && !strings.Contains(d.Unit, "/") { // people
		parts[0] = strings.TrimSuffix(parts[0], "s")
	}
	if d.Load == 0 {
		parts = []string{"a trace, replayed whole"}
	}
	if d.Peak != nil {
		parts[0] += fmt.Sprintf(" in the mean, %s at the peak (%s)", loadText(d.Peak.Load), peakText(d.Peak))
	}
	switch {
	case d.Factor == 1:
	case d.Load == 0:
		parts = append(parts, fmt.Sprintf("%s times as fast (growth and headroom)", units.Significant(d.Factor)))
	default:
		parts = append(parts, fmt.Sprintf("planned for %s (growth and headroom)", loadText(d.Planned())))
	}
	if d.Spare > 0 {
		parts = append(parts, fmt.Sprintf("%s on top that may fail", countOf(d.Spare, "unit")))
	}
	return fmt.Sprintf("demand: %s; %s of the requests are to have %s", strings.Join(parts, ", "), targetText(a.Target), sloText(a.SLO))
}

// peakText is when the rate is highest.
func peakText(p *results.Peak) string {
	if p.Profile == "ramp" {
		return "the end of the ramp that has the higher rate"
	}
	return fmt.Sprintf("%s, from %s to %s", p.Profile, units.Seconds(p.From), units.Seconds(p.Until))
}

// peakWords say what a plan for a rate that changes takes for granted, and what a scaler would save.
func peakWords(a *results.Answer) []string {
	if a.Demand.Peak == nil {
		return nil
	}
	words, saved := []string{"It is sized for the peak as if that went on for ever, with the requests that come then: a shorter peak is served better."}, false
	for i := range a.Options[:min(2, len(a.Options))] {
		o := &a.Options[i]
		if len(o.Following) != len(a.Demand.Levels) || len(o.Following) == 0 {
			continue
		}
		if o.Following[0] == o.Units {
			words = append(words, fmt.Sprintf("A scaler that followed the rate would save nothing of %s: it takes %s at all times.", o.Name,
				countOf(o.Units+a.Demand.Spare, "unit")))
			continue
		}
		saved = true
		text := fmt.Sprintf("A scaler that followed the rate would have %d to %s of %s", o.Following[0]+a.Demand.Spare,
			countOf(o.Units+a.Demand.Spare, "unit"), o.Name)
		if usd := a.Demand.FollowedPrice(o); !math.IsNaN(usd) {
			text += fmt.Sprintf(" for $%s an hour in the mean, %s less", units.Significant(usd), units.Percent(1-usd/hourly(a, o)))
		}
		words = append(words, text+".")
	}
	if saved {
		words = append(words, "That takes for granted that it knows the rate, and units are there at once and paid for by the second.")
	}
	return words
}

// sloText is the objective of a request.
func sloText(slo results.SLO) string {
	var parts []string
	for _, bound := range slo.Bounds() {
		parts = append(parts, fmt.Sprintf("%s up to %s", bound.Name, span(bound.MS)))
	}
	if len(parts) == 0 {
		return "what their class asks for"
	}
	return strings.Join(parts, ", ")
}

// countOf is a number of things.
func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// verb is that of a number of things.
func verb(n int, plural string) string {
	if n == 1 {
		return plural + "s"
	}
	return plural
}

// planWords is what follows from a plan: the answer, how sure it is, the runner-up, and what
// would change it.
func planWords(a *results.Answer) []string {
	if len(a.Options) == 0 {
		return []string{"No candidate serves the demand. " + cmp.Or(noneText(a), "See above why.")}
	}
	best := &a.Options[0]
	words := []string{answerText(a, best), sureText(a, best)}
	if len(a.Options) > 1 {
		words = append(words, runnerUpText(a, best))
	}
	if doubts := doubtsText(a); doubts != "" {
		words = append(words, doubts)
	}
	words = append(words, peakWords(a)...)
	words = append(words, uncertaintyWords(a)...)
	words = append(words, frontWords(a)...)
	if a.Incomplete {
		words = append(words, "The plan was interrupted: a candidate that was not looked at may be better.")
	}
	return words
}

// answerText names the best candidate, and what it costs.
func answerText(a *results.Answer, o *results.Option) string {
	text := fmt.Sprintf("%s of %s (%s)", countOf(o.Units+a.Demand.Spare, "unit"), o.Name, acceleratorsText(a, o))
	if a.Demand.Spare > 0 {
		text += fmt.Sprintf(", of which %d may fail,", a.Demand.Spare)
	}
	text += " " + verb(o.Units+a.Demand.Spare, "serve") + " the demand"
	if usd := hourly(a, o); !math.IsNaN(usd) {
		text += fmt.Sprintf(" for $%s an hour", units.Significant(usd))
		if e, ok := o.Metric(metrics.CostPerMillionGoodTokens); ok {
			text += fmt.Sprintf(", $%s per million output tokens that meet the objective", units.Significant(e.Mean))
		}
	}
	return text + "."
}

// acceleratorsText is how many there are of which; they have no name where steps are synthetic.
func acceleratorsText(a *results.Answer, o *results.Option) string {
	if o.Unit.Accelerator == "" {
		return countOf(o.Unit.Accelerators*(o.Units+a.Demand.Spare), "accelerator")
	}
	return partsText(&o.Unit, func(each int) string { return fmt.Sprint(each * (o.Units + a.Demand.Spare)) })
}

// partsText is how many there are of each of a unit's accelerators.
func partsText(u *results.Unit, count func(each int) string) string {
	var parts []string
	for _, part := range u.Parts() {
		parts = append(parts, count(part.Accelerators)+" × "+part.Accelerator)
	}
	return strings.Join(parts, " + ")
}

// sureText says how sure it is that no unit less would do, and that these do.
func sureText(a *results.Answer, o *results.Option) string {
	text := fmt.Sprintf("With %s %s of the requests meet it", countOf(o.Units, "unit"), percentText(o.Judged))
	if !o.Judged.Clear(a.Target) {
		text += unsettledText(o.Judged)
	}
	switch {
	case o.Fewer == nil:
	case o.Fewer.Saturated:
		text += "; with one less the backlog grows without end"
	case o.Fewer.Clear(a.Target):
		text += "; with one less " + percentText(o.Fewer)
	default:
		text += "; with one less " + percentText(o.Fewer) + unsettledText(o.Fewer)
	}
	return text + "." + headroomText(o.Headroom, o.Units)
}

// runnerUpText says what is second best, and what is with other accelerators, and at which
// prices that would win.
func runnerUpText(a *results.Answer, best *results.Option) string {
	second := &a.Options[1]
	text := "Runner-up: " + rivalText(a, best, second)
	if second.Unit.Mix() != best.Unit.Mix() {
		return text + breakEvenText(a, best, second) + "."
	}
	for i := range a.Options {
		if other := &a.Options[i]; other.Unit.Mix() != best.Unit.Mix() {
			return text + ". With other accelerators: " + rivalText(a, best, other) + breakEvenText(a, best, other) + "."
		}
	}
	return text + "."
}

// rivalText is another candidate, and how much more it costs than the best.
func rivalText(a *results.Answer, best, other *results.Option) string {
	text := fmt.Sprintf("%s of %s (%s)", countOf(other.Units+a.Demand.Spare, "unit"), other.Name, acceleratorsText(a, other))
	switch more := hourly(a, other)/hourly(a, best) - 1; {
	case math.IsNaN(more):
		return text
	case results.Compare(hourly(a, other), hourly(a, best)) == 0:
		return fmt.Sprintf("%s at the same price, of whose requests %s meet the objective", text, percentText(other.Judged))
	default:
		return fmt.Sprintf("%s for $%s an hour, %s more", text, units.Significant(hourly(a, other)), units.Percent(more))
	}
}

// breakEvenText is at which prices of accelerators another candidate costs as little as the best.
func breakEvenText(a *results.Answer, best, other *results.Option) string {
	if a.Least != "cost" || len(a.PriceBreakEvens(best, other)) == 0 {
		return ""
	}
	text := "; it wins where "
	for i, b := range a.PriceBreakEvens(best, other) {
		verb, more := " costs", "more"
		if i > 0 {
			text, verb = text+", or ", ""
		}
		if b.Factor < 1 {
			more = "less"
		}
		text += fmt.Sprintf("%s%s over %s %s", b.Accelerator, verb, units.Percent(math.Abs(b.Factor-1)), more)
	}
	return text
}

// outText says why a candidate is no answer.
func outText(a *results.Answer, o *results.Option) string {
	judged := ""
	switch {
	case o.Judged == nil:
	case o.Judged.Saturated:
		judged = countOf(o.Units, "unit") + ": overload"
	default:
		judged = fmt.Sprintf("%s: %s meet the objective", countOf(o.Units, "unit"), percentText(o.Judged))
		if !o.Judged.Clear(a.Target) {
			judged += unsettledText(o.Judged)
		}
	}
	switch o.Out {
	case results.OutUnfit:
		return o.Detail
	case results.OutPriceless:
		return pricelessText(a, o)
	case results.OutUnreachable:
		return "misses the objective even where a request has the unit for itself"
	case results.OutLimited:
		return limitedText(judged, o.Detail)
	case results.OutDearer:
		if o.Judged == nil {
			return "one unit is dearer than two others of the same accelerator"
		}
		return judged + "; more are dearer than two others of the same accelerator"
	}
	return o.Detail
}

// limitedText says that the most units of a candidate are not enough, where one may be had, and
// which limit allows no more; none where more units would change nothing.
func limitedText(judged, limit string) string {
	switch {
	case judged == "":
		return limit + " allows none"
	case limit == "":
		return judged
	}
	return judged + ", and " + limit + " allows no more"
}

// prunedSummary counts the candidates that are no answer, by why.
func prunedSummary(a *results.Answer) []string {
	words := []struct {
		out  results.Out
		text string
	}{
		{results.OutDearer, "not enough at the price of two others of the same accelerator"},
		{results.OutUnfit, "cannot be built"},
		{results.OutUnreachable, "miss the objective even where a request has a unit for itself"},
		{results.OutLimited, "not enough within the limits"},
		{results.OutPriceless, "without a price"},
		{results.OutFailed, "failed"},
	}
	var lines, missing []string
	for _, w := range words {
		var names []string
		for i := range a.Pruned {
			if a.Pruned[i].Out != w.out {
				continue
			}
			names = append(names, a.Pruned[i].Name)
			if text := pricelessText(a, &a.Pruned[i]); w.out == results.OutPriceless && !slices.Contains(missing, text) {
				missing = append(missing, text)
			}
		}
		if n := len(names); n > 0 {
			if n > 4 {
				names = append(names[:3:3], fmt.Sprintf("and %d more", n-3))
			}
			lines = append(lines, fmt.Sprintf("%d %s: %s", n, w.text, strings.Join(names, "; ")))
		}
	}
	return append(lines, missing...)
}

// pricelessText says which accelerator of a candidate has no price, and where there is one.
func pricelessText(a *results.Answer, o *results.Option) string {
	text := "no price of " + o.Detail
	if a.Prices != nil && a.Prices.Basis != "" {
		text += " in " + a.Prices.Basis
	}
	return fmt.Sprintf("%s (%s; --price states one)", text, hardware.PricedIn(o.Detail))
}
