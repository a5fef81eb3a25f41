package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderUncertainty writes what the best candidate takes where the constants are off.
func renderUncertainty(p page, a *results.Answer) {
	u := a.Uncertainty
	if u == nil {
		return
	}
	p.heading("how sure the constants are")
	t := newSheet(head{title: "factor", name: isName}, head{title: "at 5%"}, head{title: "at 95%"},
		head{title: "units\nat 5%"}, head{title: "units\nat 95%"},
		head{title: "price\n$/h", spare: unlessPriced(a, 1)}, head{title: "price\n$/h", spare: unlessPriced(a, 1)},
		head{title: "meet the\nSLO at 5%", spare: 2}, head{title: "meet the\nSLO at 95%", spare: 2})
	for i := range u.Tornado {
		b := &u.Tornado[i]
		t.AppendRow(table.Row{b.Factor, timesText(b.Low.Value), timesText(b.High.Value), drawnUnits(b.Low.Units), drawnUnits(b.High.Units),
			known(pointed(b.Low.USDPerHour), units.Significant), known(pointed(b.High.USDPerHour), units.Significant),
			units.Percent(b.Low.Attainment), units.Percent(b.High.Attainment)})
	}
	t.keep = min(t.keep, hidden-1)
	t.print(p)
	p.paragraph(fmt.Sprintf("%s, one factor at a time, the others at 1; what meets the SLO is of the planned units", a.Options[0].Name))
}

func timesText(v float64) string { return "×" + units.Significant(v) }

// pointed is a value that may not be there; NaN then.
func pointed(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// drawnUnits is a number of units that is enough; 0 is none within reach.
func drawnUnits(n int) string {
	if n == 0 {
		return "more"
	}
	return fmt.Sprint(n)
}

// uncertaintyWords are how many units it may take where the constants are off, whether the answer stays the cheapest, and what
// calibration does.
func uncertaintyWords(a *results.Answer) []string {
	u := a.Uncertainty
	if u == nil {
		return nil
	}
	best, planned := &u.Options[0], a.Options[0].Units
	words := []string{fmt.Sprintf("How sure the constants are: %s of %s%s in 90%% of %d draws; %s %s enough with probability %s%s.%s",
		unitsRange(best), best.Option, acceleratorsRange(best, &a.Options[0].Unit), u.Draws, countOf(planned, "unit"), areOf(planned), units.Significant(best.Enough), moreText(best, planned),
		cheapestText(a, u))}
	words = append(words, breakEvenWords(a, u)...)
	for i := range u.Factors {
		if f := &u.Factors[i]; f.Plain > f.Width {
			words = append(words, fmt.Sprintf("Calibration narrows %s from ±%s to ±%s.", f.Name, units.Percent(f.Plain), units.Percent(f.Width)))
		}
	}
	return words
}

// breakEvenWords are between which prices of the best candidate's accelerators, all times as much, another candidate, with none of them,
// comes to cost as little. Of one that has some of them the prices of the others would decide, too.
func breakEvenWords(a *results.Answer, u *results.Uncertainty) []string {
	var words []string
	for i := range u.Options {
		o, best := &u.Options[i], &a.Options[0]
		k := slices.IndexFunc(a.Options, func(other results.Option) bool { return other.Name == o.Option })
		if o.OverBest == nil || a.Least != "cost" || k < 0 || sharesAccelerators(&a.Options[k].Unit, &best.Unit) {
			continue
		}
		words = append(words, fmt.Sprintf("%s comes to cost as little where %s %s as much (%s to %s in 90%% of the draws).", o.Option,
			allOf(&best.Unit), timesText(o.OverBest.Median), timesText(o.OverBest.Low), timesText(o.OverBest.High)))
	}
	return words
}

// sharesAccelerators tells whether there are accelerators that both units have.
func sharesAccelerators(u, other *results.Unit) bool {
	return slices.ContainsFunc(u.Parts(), func(p results.Part) bool {
		return slices.ContainsFunc(other.Parts(), func(q results.Part) bool { return p.Accelerator == q.Accelerator })
	})
}

// allOf are the accelerators of a unit, and that they cost.
func allOf(u *results.Unit) string {
	var names []string
	for _, part := range u.Parts() {
		names = append(names, part.Accelerator)
	}
	if len(names) > 1 {
		return strings.Join(names, " and ") + " cost"
	}
	return u.Accelerator + " costs"
}

func areOf(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// unitsRange is the numbers of units that 90 % of the draws take.
func unitsRange(o *results.UncertainOption) string {
	switch {
	case o.Low == 0:
		return "more units than may be"
	case o.High == 0:
		return fmt.Sprintf("%s and more", countOf(o.Low, "unit"))
	case o.Low == o.High:
		return countOf(o.Low, "unit")
	}
	return fmt.Sprintf("%d to %d units", o.Low, o.High)
}

// acceleratorsRange is how many accelerators these units are; they have no name where steps are synthetic.
func acceleratorsRange(o *results.UncertainOption, unit *results.Unit) string {
	switch {
	case o.Low == 0 || unit.Accelerator == "":
		return ""
	case o.High == 0:
		return " (" + partsText(unit, func(each int) string { return fmt.Sprintf("%d and more", o.Low*each) }) + ")"
	case o.Low == o.High:
		return " (" + partsText(unit, func(each int) string { return fmt.Sprint(o.Low * each) }) + ")"
	}
	return " (" + partsText(unit, func(each int) string { return fmt.Sprintf("%d to %d", o.Low*each, o.High*each) }) + ")"
}

// moreText is how likely the units are enough that all but 5 % of the draws take.
func moreText(o *results.UncertainOption, planned int) string {
	if o.High <= planned {
		return ""
	}
	return fmt.Sprintf(", %d with %s", o.High, units.Significant(o.Probability(o.High)))
}

// cheapestText is whether the best candidate stays it, among those that were drawn.
func cheapestText(a *results.Answer, u *results.Uncertainty) string {
	if len(u.Options) < 2 {
		return ""
	}
	var others []string
	for _, o := range u.Options[1:] {
		others = append(others, o.Option)
	}
	what := "costs less"
	if a.Least != "cost" {
		what = "takes fewer accelerators"
	}
	return fmt.Sprintf(" In %s of the draws none of these %s: %s.", units.Percent(u.Options[0].Cheapest), what, strings.Join(others, "; "))
}
