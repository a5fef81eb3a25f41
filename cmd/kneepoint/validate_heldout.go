package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/validate/heldout"
	"kneepoint/units"
)

// renderHeldOut writes the errors of what was left out beside those of what was fitted, by
// group, and those of every group in turn after them; then the constants.
func renderHeldOut(w io.Writer, r *heldout.Report) {
	t := newSheet(values("left out", "metric", "runs", "median error\nbuilt in", "\nfitted to all", "\nheld out", "held out over\nfitted")...)
	for i := range r.Errors {
		e := &r.Errors[i]
		left := e.Of + " " + e.Left
		if e.Left == "" {
			left = "every " + e.Of + " in turn"
		}
		t.AppendRow(table.Row{left, e.Metric, e.HeldOut.N, units.Significant(e.BuiltIn.MedianAPE) + "%", units.Significant(e.Fitted.MedianAPE) + "%",
			units.Significant(e.HeldOut.MedianAPE) + "%", units.Significant(e.Excess())})
	}
	fmt.Fprintln(w)
	t.print(page{Writer: w})
	fmt.Fprintln(w)
	renderRefitted(w, r)
}

// renderRefitted writes the constants that were fitted to all groups, and between which values
// they were in the fits without one.
func renderRefitted(w io.Writer, r *heldout.Report) {
	t := newSheet(values("refitted constant", "of", "fitted to all", "least without\na group", "\nmost")...)
	for i, c := range r.Constants {
		least, most := c, c
		for _, f := range r.Folds {
			if v := f.Constants[i]; v.Value < least.Value {
				least = v
			} else if v.Value > most.Value {
				most = v
			}
		}
		t.AppendRow(table.Row{c.Key, c.Owner, constantText(c), constantText(least), constantText(most)})
	}
	t.print(page{Writer: w})
}

// constantText is the value of a constant with its unit.
func constantText(c heldout.Constant) string { return units.Significant(c.Value) + c.Unit }
