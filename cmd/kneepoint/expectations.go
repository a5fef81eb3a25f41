package main

import (
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderExpectations says of each [[expect]] table whether it was met: a line each, so
// that a log can be searched for what was missed.
func renderExpectations(p page, all []results.Expectation) {
	if len(all) > 0 {
		p.heading("expectations")
	}
	for i := range all {
		p.paragraph(expectationText(p, &all[i]))
	}
}

// expectationText is what was expected and what came out. What was met is as wide as what
// was missed, so that lines are aligned.
func expectationText(p page, x *results.Expectation) string {
	mark := "met   "
	if !x.Met {
		mark = p.red("MISSED")
	}
	return fmt.Sprintf("%s  %s%s, expected %g to %g%s", mark, x.What, foundText(x)+valueInterval(x), x.Low, x.High, sourceText(x.Source))
}

// foundText is the value, and how far outside the bounds it is, in the metric's unit:
// whether that is much only the reader knows. The value is nil where the place has none.
func foundText(x *results.Expectation) string {
	switch {
	case x.Value == nil:
		return " has no value"
	case *x.Value < x.Low:
		return fmt.Sprintf(" is %s, too low by %s", units.Significant(*x.Value), units.Significant(x.Low-*x.Value))
	case *x.Value > x.High:
		return fmt.Sprintf(" is %s, too high by %s", units.Significant(*x.Value), units.Significant(*x.Value-x.High))
	default:
		return " is " + units.Significant(*x.Value)
	}
}

// valueInterval is the interval of the value; nothing where it has none.
func valueInterval(x *results.Expectation) string {
	if x.ValueLow == nil || x.ValueHigh == nil {
		return ""
	}
	return fmt.Sprintf(" (%s to %s, 95%%)", loadText(*x.ValueLow), loadText(*x.ValueHigh))
}

// sourceText says in brackets where bounds come from; nothing where the file does not.
func sourceText(source string) string {
	if source == "" {
		return ""
	}
	return " (" + source + ")"
}

// missed are the expectations that were not met.
func missed(all []results.Expectation) []*results.Expectation {
	var missed []*results.Expectation
	for i := range all {
		if !all[i].Met {
			missed = append(missed, &all[i])
		}
	}
	return missed
}

// expectationsMissed is an error when an expectation was not met: a script that runs an experiment
// as a test needs no other sign than the exit status.
func expectationsMissed(all []results.Expectation) error {
	if n := len(missed(all)); n > 0 {
		return fmt.Errorf("%d of %d expectations missed", n, len(all))
	}
	return nil
}
