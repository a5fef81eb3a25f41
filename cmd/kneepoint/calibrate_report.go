package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/calibrate"
)

// benchReport shows every number before and after, and the constants.
func benchReport(fit *calibrate.BenchFit) string {
	var text strings.Builder
	t := newTable()
	t.AppendHeader(table.Row{"result", "", "metric", "measured", "before", "error", "after", "error"})
	for _, r := range fit.Rows {
		held := ""
		if r.Holdout {
			held = "held out"
		}
		t.AppendRow(table.Row{r.Name, held, r.Metric, duration(r.Measured), duration(r.Before), percentOff(r.Before, r.Measured),
			duration(r.After), percentOff(r.After, r.Measured)})
	}
	render(&text, t, 8)
	c := newTable()
	c.AppendHeader(table.Row{"constant", "before", "after"})
	for _, k := range fit.Constants {
		c.AppendRow(table.Row{k.Key, k.Before, k.After})
	}
	fmt.Fprintln(&text)
	render(&text, c, 3)
	fmt.Fprintln(&text)
	for _, held := range []bool{false, true} {
		what := map[bool]string{false: "fitted to", true: "held out"}[held]
		if before, after := fit.Errors(held); after.N > 0 {
			fmt.Fprintf(&text, "%d medians %s: %s (before: %s)\n", after.N, what, after, before)
		}
	}
	return text.String() + notes(fit.Warnings)
}

func percentOff(predicted, measured float64) string {
	return signed(100*(predicted/measured-1)) + " %"
}

func notes(warnings []string) string {
	var text strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&text, "note: %s\n", w)
	}
	return text.String()
}
