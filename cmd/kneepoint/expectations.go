package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderExpectations says of each [[expect]] table whether it was met: a line each, so
// that a log can be searched for what was missed.
func renderExpectations(w io.Writer, res *results.Results, colour bool) {
	before := "\n" // one empty line, and none where nothing was expected
	for i := range res.Expectations {
		x := &res.Expectations[i]
		fmt.Fprintf(w, "%s%s  %s%s, expected %g to %g%s\n", before, metMark(x.Met, colour), x.What, foundText(x),
			x.Low, x.High, sourceText(x.Source))
		before = ""
	}
}

// metMark is as wide when met as when missed, so that the lines are aligned.
func metMark(met, colour bool) string {
	switch {
	case met:
		return "met   "
	case colour:
		return text.FgRed.Sprint("MISSED")
	default:
		return "MISSED"
	}
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

// sourceText says in brackets where bounds come from; nothing where the file does not.
func sourceText(source string) string {
	if source == "" {
		return ""
	}
	return " (" + source + ")"
}

// missed is an error when an expectation was not met: a script that runs an experiment
// as a test needs no other sign than the exit status.
func missed(res *results.Results) error {
	n := 0
	for i := range res.Expectations {
		if !res.Expectations[i].Met {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d expectations missed", n, len(res.Expectations))
}
