package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/validate"
	"kneepoint/units"
)

// renderRows writes a line for each metric that summarises a measured run, with the
// measured and the predicted value.
func renderRows(w io.Writer, rows []validate.Row) {
	t := newSheet(values("run", "metric", "measured\nms", "predicted\nms", "error")...)
	for i := range rows {
		row := &rows[i]
		if isHeadline(row.Metric) {
			t.AppendRow(table.Row{
				row.ID, row.Metric, units.Significant(row.Measured), units.Significant(row.Predicted), signed(100*row.Error()) + "%",
			})
		}
	}
	t.print(page{Writer: w})
	fmt.Fprintln(w)
}

// isHeadline tells whether a metric is shown per run and by group: with all of them
// the table would have thousands of lines. The others are in the JSON output and in
// the last table.
func isHeadline(metric string) bool {
	return strings.Contains(metric, "_mean_") || strings.HasPrefix(metric, "silicon_") || metric == "e2e_p99_ms"
}

// renderSkipped counts the runs that were not simulated, by reason, the most frequent
// one first. Errors without them would look better than they are.
func renderSkipped(w io.Writer, skipped []validate.Skipped) {
	count := map[string]int{}
	for _, s := range skipped {
		count[s.Reason]++
	}
	// Of equal counts the alphabet decides: maps have no order.
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		fmt.Fprintf(w, "skipped %d runs: %s\n", count[reason], reason)
	}
	if len(reasons) > 0 {
		fmt.Fprintln(w)
	}
}

// renderErrors writes the errors by group and then over all runs, so that the line
// that people quote is the last one.
func renderErrors(w io.Writer, r *validate.Report) {
	t := newSheet(values("metric", "of", "runs", "median error", "mean", "p90", "bias")...)
	for _, g := range r.Groups {
		if isHeadline(g.Metric) {
			t.AppendRow(errorsRow(g.Metric, g.Label+" "+g.Value, g.Errors))
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(r.Metrics)) {
		t.AppendRow(errorsRow(metric, "all", r.Metrics[metric]))
	}
	t.print(page{Writer: w})
}

// errorsRow is the errors of a metric over some runs, in percent. Only the bias has a
// sign: the others are of absolute errors, which do not cancel.
func errorsRow(metric, of string, e validate.Errors) table.Row {
	return table.Row{metric, of, e.N, units.Significant(e.MedianAPE) + "%", units.Significant(e.MeanAPE) + "%",
		units.Significant(e.P90APE) + "%", signed(e.MPE) + "%"}
}
