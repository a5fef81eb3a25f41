package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderExpectations says of each [[expect]] table whether it was met.
func renderExpectations(w io.Writer, res *results.Results, colour bool) {
	before := "\n"
	for i := range res.Expectations {
		x := &res.Expectations[i]
		fmt.Fprintf(w, "%s%s  %s%s, expected %g to %g%s\n", before, verdict(x.Met, colour), x.What, found(x),
			x.Low, x.High, source(x))
		before = ""
	}
}

// verdict is as wide when met as when missed, so that the lines are aligned.
func verdict(met, colour bool) string {
	switch {
	case met:
		return "met   "
	case colour:
		return text.FgRed.Sprint("MISSED")
	default:
		return "MISSED"
	}
}

// found is the value, and how far off it is.
func found(x *results.Expectation) string {
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

// source says where the bounds of an expectation come from.
func source(x *results.Expectation) string {
	if x.Source == "" {
		return ""
	}
	return " (" + x.Source + ")"
}

// missed is an error when an expectation was not met.
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
