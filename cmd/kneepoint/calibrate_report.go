package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/calibrate"
	"kneepoint/units"
)

// stepsReport says how well the fit agrees with the steps that it saw, and with those
// that it did not: only the latter says what to expect of it.
func stepsReport(fit *calibrate.StepFit) string {
	report := fmt.Sprintf("%d steps fitted: %s\n", fit.Training.N, fit.Training)
	if fit.Holdout.N > 0 {
		report += fmt.Sprintf("%d steps held out: %s\n", fit.Holdout.N, fit.Holdout)
	}
	return report + notes(fit.Warnings)
}

// benchReport shows every number before and after the fit, the constants, and the
// errors of all numbers together.
func benchReport(fit *calibrate.BenchFit) string {
	var text strings.Builder
	renderFitRows(&text, fit.Rows)
	fmt.Fprintln(&text)
	renderConstants(&text, fit.Constants)
	fmt.Fprintln(&text)
	renderFitErrors(&text, fit)
	return text.String() + notes(fit.Warnings)
}

// renderFitRows writes a row a measured number, with what was predicted before the fit
// and after it. A result that was held out is marked: its numbers were not fitted to.
func renderFitRows(w io.Writer, rows []calibrate.BenchRow) {
	t := newSheet(values("result", "", "metric", "measured\nms", "before\nms", "error", "after\nms", "error")...)
	for _, r := range rows {
		held := ""
		if r.Holdout {
			held = "held out"
		}
		t.AppendRow(table.Row{r.Name, held, r.Metric, units.Significant(r.Measured), units.Significant(r.Before),
			percentOff(r.Before, r.Measured),
			units.Significant(r.After), percentOff(r.After, r.Measured)})
	}
	t.print(page{Writer: w})
}

// renderConstants writes what the fit changed, so that people can judge whether the
// values are possible and not only whether they fit.
func renderConstants(w io.Writer, constants []calibrate.Constant) {
	t := newSheet(values("constant", "before", "after")...)
	for _, k := range constants {
		t.AppendRow(table.Row{k.Key, k.Before, k.After})
	}
	t.print(page{Writer: w})
}

// renderFitErrors sums up the numbers that were fitted to, and then those that were held
// out, if any.
func renderFitErrors(w io.Writer, fit *calibrate.BenchFit) {
	for _, part := range []struct {
		holdout bool
		name    string
	}{{false, "fitted to"}, {true, "held out"}} {
		if before, after := fit.Errors(part.holdout); after.N > 0 {
			fmt.Fprintf(w, "%d medians %s: %s (before: %s)\n", after.N, part.name, after, before)
		}
	}
}

// percentOff is how far a prediction is from the measurement, in percent of the
// latter.
func percentOff(predicted, measured float64) string {
	return signed(100*(predicted/measured-1)) + " %"
}

// notes writes one warning a line.
func notes(warnings []string) string {
	var text strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&text, "note: %s\n", w)
	}
	return text.String()
}
