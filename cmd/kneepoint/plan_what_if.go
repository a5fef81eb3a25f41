package main

import (
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderWhatIf says what would be if one thing were different.
func renderWhatIf(p page, a *results.Answer) {
	if len(a.WhatIf) == 0 {
		return
	}
	p.heading("what if")
	for i := range a.WhatIf {
		p.paragraph(whatIfText(a, &a.WhatIf[i]))
	}
}

func whatIfText(a *results.Answer, w *results.WhatIf) string {
	fleet := fmt.Sprintf("%s of %s", countOf(w.Units+a.Demand.Spare, "unit"), w.Best)
	switch {
	case w.Best == "" && len(w.Beyond) > 0:
		return fmt.Sprintf("%s: no candidate is within plan.%s", w.What, w.Beyond[0])
	case w.Best == "":
		return w.What + ": no candidate serves it"
	case len(w.Beyond) > 0:
		return fmt.Sprintf("%s: no candidate serves it within the limits. %s", w.What, beyondText(a, w))
	case w.Units == 0 && w.Lost != "":
		return fmt.Sprintf("%s: no %s is left, and nothing is served until it is back", w.What, w.Lost)
	case w.Units == 0:
		return w.What + ": the whole fleet is lost with it, and nothing is served until it is back"
	case w.Lost != "":
		return fmt.Sprintf("%s: the %s of %s left beside all others, %s", w.What, w.Lost, countOf(w.Units, "unit"), leftText(a, w.Judged))
	case w.Judged != nil:
		return fmt.Sprintf("%s: %s left, %s", w.What, countOf(w.Units, "unit"), leftText(a, w.Judged))
	case w.USD != nil:
		fleet += fmt.Sprintf(" for $%s an hour", units.Significant(*w.USD))
	}
	if w.Unchanged {
		return fmt.Sprintf("%s: the same, %s", w.What, fleet)
	}
	return fmt.Sprintf("%s: %s", w.What, fleet)
}

// leftText is how what is left of a fleet serves.
func leftText(a *results.Answer, j *results.Judgement) string {
	switch {
	case j.Meets(a.Target):
		return fmt.Sprintf("which is enough: %s of the requests meet the objective", percentText(j))
	case j.Unsettled:
		return fmt.Sprintf("%s of the requests meet the objective, and longer runs would have to tell whether that lasts", percentText(j))
	case j.Saturated:
		return "and the backlog grows until it is back"
	}
	return fmt.Sprintf("and %s of the requests meet the objective until it is back", percentText(j))
}
