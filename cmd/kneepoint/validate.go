package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"kneepoint/experiments/validate"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

func newValidate() *cobra.Command {
	var workers int
	var asJSON, quiet bool
	cmd := &cobra.Command{
		Use:   "validate DIR",
		Short: "Hold predictions against measurements of real serving runs",
		Long: `Validate repeats measured serving runs in the simulator and reports the error of
every number: each row's measured and predicted value, and per metric the median,
mean and 90th percentile of the absolute percentage error and the bias, by
accelerator, engine, precision and model. DIR holds e2e/experiments.csv (with the
requests' files beside it) or silicon/closed_loop.csv, or both.`,
		Example: `  kneepoint validate ../measurements
  kneepoint validate ../measurements --json | jq .metrics`,
		Args: exactly(1, "a folder of measurements"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if workers < 0 {
				return &badinput.Error{Key: "--workers", Value: workers, Problem: "must not be negative"}
			}
			stderr := cmd.ErrOrStderr()
			if quiet {
				stderr = io.Discard
			}
			report, err := validation(cmd.Context(), args[0], workers, stderr)
			if err != nil {
				return err
			}
			return printReport(cmd.OutOrStdout(), report, asJSON)
		},
	}
	cmd.Flags().IntVar(&workers, "workers", 0, "simulations at a time (default: one per core)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "no progress")
	return cmd
}

func validation(ctx context.Context, dir string, workers int, stderr io.Writer) (*validate.Report, error) {
	cases, err := validate.Read(dir)
	if err != nil {
		return nil, err
	}
	progress := newProgress(stderr, len(cases))
	rows, skipped, err := validate.Run(ctx, cases, workers, progress.update)
	progress.close()
	if err != nil {
		return nil, err
	}
	return validate.NewReport(rows, skipped), nil
}

func printReport(w io.Writer, r *validate.Report, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	var text strings.Builder
	renderRows(&text, r.Rows)
	renderSkipped(&text, r.Skipped)
	renderErrors(&text, r)
	_, err := io.WriteString(w, text.String())
	return err
}

// renderRows writes one line per measured run, with measured and predicted
// values of the metrics that summarise it.
func renderRows(w io.Writer, rows []validate.Row) {
	t := newTable()
	t.AppendHeader(table.Row{"run", "metric", "measured", "predicted", "error"})
	for i := range rows {
		row := &rows[i]
		if isHeadline(row.Metric) {
			t.AppendRow(table.Row{row.ID, row.Metric, duration(row.Measured), duration(row.Predicted), signed(100*row.Error()) + "%"})
		}
	}
	render(w, t, 5)
	fmt.Fprintln(w)
}

// isHeadline tells whether a metric is shown per run and by group; all others
// are in the JSON output and in the last table.
func isHeadline(metric string) bool {
	return strings.Contains(metric, "_mean_") || strings.HasPrefix(metric, "silicon_") || metric == "e2e_p99_ms"
}

// renderSkipped counts the runs that were not simulated, by reason.
func renderSkipped(w io.Writer, skipped []validate.Skipped) {
	count := map[string]int{}
	for _, s := range skipped {
		count[s.Reason]++
	}
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

func renderErrors(w io.Writer, r *validate.Report) {
	t := newTable()
	t.AppendHeader(table.Row{"metric", "of", "runs", "median error", "mean", "p90", "bias"})
	add := func(metric, of string, e validate.Errors) {
		t.AppendRow(table.Row{metric, of, e.N, units.Significant(e.MedianAPE) + "%", units.Significant(e.MeanAPE) + "%",
			units.Significant(e.P90APE) + "%", signed(e.MPE) + "%"})
	}
	for _, g := range r.Groups {
		if isHeadline(g.Metric) {
			add(g.Metric, g.Label+" "+g.Value, g.Errors)
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(r.Metrics)) {
		add(metric, "all", r.Metrics[metric])
	}
	render(w, t, 7)
}
