package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/planner"
	"kneepoint/experiments/results"
	"kneepoint/units"
)

// mostDoubts is how many fleets are named that may be cheaper than the best one.
const mostDoubts = 3

// doubt is a fleet that counts as not enough, which is not settled.
type doubt struct {
	*results.Option
	units  int
	judged *results.Judgement
}

// doubtsText names the fleets beside those of the best candidate that would be less, were they enough, of which that is not settled: on
// these the answer rests. Nothing where there are none.
func doubtsText(a *results.Answer) string {
	var all []doubt
	for i := range a.Options[1:] {
		o := &a.Options[i+1]
		all = append(all, doubt{o, o.Units - 1, o.Fewer})
	}
	for i := range a.Pruned {
		all = append(all, doubt{&a.Pruned[i], a.Pruned[i].Units, a.Pruned[i].Judged})
	}
	best := leastOf(a, &a.Options[0], a.Options[0].Units)
	all = slices.DeleteFunc(all, func(d doubt) bool {
		return d.judged == nil || d.judged.Clear(a.Target) || !less(leastOf(a, d.Option, d.units), best)
	})
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(x, y doubt) int { return cmp.Compare(y.judged.Enough, x.judged.Enough) })
	var texts []string
	for _, d := range all[:min(mostDoubts, len(all))] {
		texts = append(texts, d.text(a))
	}
	if more := len(all) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return "Less than that, were they enough: " + strings.Join(texts, "; ") + "."
}

// less tells whether a value is less than another one, by more than rounding; NaN is not.
func less(a, b float64) bool { return a < b && results.Compare(a, b) < 0 }

// leastOf is what a plan wants the least of, for so many units of a candidate and the spares; NaN where it has no price.
func leastOf(a *results.Answer, o *results.Option, n int) float64 {
	n += a.Demand.Spare
	switch {
	case a.Least != "cost":
		return float64(n * o.Unit.Accelerators)
	case o.Unit.USDPerHour == nil:
		return math.NaN()
	}
	return *o.Unit.USDPerHour * float64(n)
}

func (d *doubt) text(a *results.Answer) string {
	text := fmt.Sprintf("%s of %s", countOf(d.units+a.Demand.Spare, "unit"), d.Name)
	if d.Unit.USDPerHour != nil {
		text += fmt.Sprintf(" for $%s an hour", units.Significant(*d.Unit.USDPerHour*float64(d.units+a.Demand.Spare)))
	}
	return text + ", " + percentText(d.judged) + unsettledText(d.judged)
}

// unsettledText says how likely it is that what is not settled is enough, and how many requests would tell.
func unsettledText(j *results.Judgement) string {
	text := ", which is not settled"
	if j.Unsettled {
		text += ": longer runs would have to tell"
	} else {
		text += ": it is enough with probability " + units.Significant(j.Enough)
	}
	switch needed := units.Round(float64(j.Needed), 2); {
	case needed == 0:
		return text
	case needed > planner.MostKept:
		return text + fmt.Sprintf(" (about %s million requests would tell, which are more than may be)", units.Decimals(needed/1e6, 0))
	default:
		return text + fmt.Sprintf(" (plan.max_requests = %.0f would tell, about)", needed)
	}
}
