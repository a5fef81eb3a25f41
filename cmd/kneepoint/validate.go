package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/experiments/validate"
	"kneepoint/experiments/validate/heldout"
	"kneepoint/units/badinput"
)

// newValidate makes the verb that measures how wrong the simulator is.
func newValidate() *cobra.Command {
	var workers int
	var asJSON, quiet, heldOut bool
	var plot string
	var figure figureFlags
	cmd := &cobra.Command{
		Use:   "validate DIR",
		Short: "Hold predictions against measurements of real serving runs",
		Long: `Validate repeats measured serving runs in the simulator and reports the error of
every number: each row's measured and predicted value, and per metric the median,
mean and 90th percentile of the absolute percentage error and the bias, by
accelerator, engine, version, precision, tensor parallelism and model. DIR holds e2e/experiments.csv (with the
requests' files beside it) or silicon/closed_loop.csv, or both. --plot draws what
was predicted against what was measured. --held-out fits the constants that such runs
entered again, without each model, version of an engine and accelerator in turn, and
reports the error of what was left out beside that of the fit to all; it takes minutes.`,
		Example: `  kneepoint validate ../measurements
  kneepoint validate ../measurements --plot parity
  kneepoint validate ../measurements --held-out
  kneepoint validate ../measurements --json | jq .metrics`,
		Args: exactly(1, "a folder of measurements"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkWorkers(workers); err != nil {
				return err
			}
			if cmd.Flags().Changed("plot") && plot == "" {
				return &badinput.Error{Key: "--plot", Value: "", Problem: "must not be empty", Allowed: "a folder"}
			}
			figures, err := openFigures(plot, &figure)
			if err != nil {
				return err
			}
			defer figures.discard()
			stderr := messages(cmd, quiet)
			report, err := predictAll(cmd.Context(), args[0], workers, heldOut, stderr)
			if err != nil {
				return err
			}
			if err := printReport(cmd.OutOrStdout(), report, asJSON); err != nil || figures == nil {
				return err
			}
			if err := figures.draw(parityFigures(report.Report), stderr); err != nil {
				return err
			}
			_, err = fmt.Fprintf(stderr, "figures: %s\n", plot)
			return err
		},
	}
	intVar(cmd.Flags(), &workers, "workers", 0, "simulations at a time (default: one per core)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&heldOut, "held-out", false, "refit without each model, engine version and accelerator, and predict what was left out")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "no progress")
	cmd.Flags().StringVar(&plot, "plot", "", "folder for figures of what was predicted against what was measured")
	figure.declareLook(cmd.Flags())
	return cmd
}

// predictAll repeats the runs that a folder holds, and reports the errors. Runs that
// cannot be simulated are counted and not simulated; they are no failure.
// heldOut also refits without every group.
func predictAll(ctx context.Context, dir string, workers int, heldOut bool, stderr io.Writer) (*validation, error) {
	cases, err := validate.Read(dir)
	if err == nil && heldOut {
		err = heldout.Check(cases)
	}
	if err != nil {
		return nil, err
	}
	progress := newProgress(stderr)
	rows, skipped, err := validate.Run(ctx, cases, workers, progress.update)
	progress.close()
	if err != nil {
		return nil, err
	}
	v := &validation{Report: validate.NewReport(rows, skipped)}
	if heldOut {
		progress := newProgress(stderr)
		v.HeldOut, err = heldout.Study(ctx, cases, rows, heldout.Options{Workers: workers, Progress: progress.refit})
		progress.close()
	}
	return v, err
}

// validation is the outcome of a validation, and of the refits where these were asked for.
type validation struct {
	*validate.Report
	HeldOut *heldout.Report `json:"held_out,omitempty"`
}

// printReport prints tables, or JSON, which has every metric of every run.
func printReport(w io.Writer, r *validation, asJSON bool) error {
	if asJSON {
		return printJSON(w, r)
	}
	var text strings.Builder
	renderRows(&text, r.Rows)
	renderSkipped(&text, r.Skipped)
	renderErrors(&text, r.Report)
	if r.HeldOut != nil {
		renderHeldOut(&text, r.HeldOut)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
