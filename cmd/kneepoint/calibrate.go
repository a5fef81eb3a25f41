package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"kneepoint/experiments/calibrate"
	"kneepoint/units/badinput"
)

// newCalibrate makes the verb that fits a profile to measurements.
func newCalibrate() *cobra.Command {
	var flags calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate (--steps FILE | --bench FILE...)",
		Short: "Fit a profile to your own measurements",
		Long: `Calibrate fits the few constants of a profile to measurements, and checks them
on a part of the measurements that it did not see.

--steps takes a table of timed steps and writes a [hardware.measured] table for
an experiment. --bench takes results of vLLM's serving benchmark, simulates every
run of them, and writes an engine profile that hardware.engine can name.
The profile goes to stdout, or to a file with --out.`,
		Example: `  kneepoint calibrate --steps steps.csv --out measured.toml
  kneepoint calibrate --bench results/ --accelerator h100-sxm --out engine.toml
  kneepoint calibrate --bench results/ --accelerator h100-sxm --fit step_cpu,request_fixed
  kneepoint calibrate --bench a.json,b.json,c.json --accelerator h100-sxm --tp 2 --set hardware.kv_tokens=180000`,
		Args: exactly(0, "no arguments, but --steps or --bench"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			// The flags' own check sees which were given, which their values do not say.
			if err := flags.check(cmd); err != nil {
				return err
			}
			fit := calibrateBench
			if flags.steps != "" {
				fit = calibrateSteps
			}
			return fit(cmd.Context(), &flags, cmd.OutOrStdout(), messages(cmd, flags.quiet))
		},
	}
	flags.declare(cmd.Flags())
	return cmd
}

// calibrateSteps fits the constants of single steps: a least-squares problem, which
// needs no simulation and no progress.
func calibrateSteps(ctx context.Context, flags *calibrateFlags, stdout, stderr io.Writer) error {
	steps, err := calibrate.ReadSteps(flags.steps)
	if err != nil {
		return err
	}
	fit, err := calibrate.FitSteps(ctx, steps, flags.options.Holdout)
	if err != nil {
		return badinput.In(flags.steps, err)
	}
	// The profile names its source without folders, which mean nothing elsewhere.
	profile := fit.Profile(filepath.Base(flags.steps))
	return writeProfile(flags.out, profile, stepsReport(fit), stdout, stderr)
}

// calibrateBench fits the constants of whole runs: each trial simulates every run, so
// it takes minutes and shows progress.
func calibrateBench(ctx context.Context, flags *calibrateFlags, stdout, stderr io.Writer) error {
	benches, err := calibrate.ReadBenches(flags.bench)
	if err != nil {
		return err
	}
	fit, err := fitBench(ctx, benches, flags, stderr)
	if err != nil {
		return err
	}
	profile, err := fit.Profile(fmt.Sprintf("%d results of vllm bench serve", len(benches)))
	if err != nil {
		return err
	}
	return writeProfile(flags.out, profile, benchReport(fit), stdout, stderr)
}

// fitBench fits with a progress display.
func fitBench(ctx context.Context, benches []calibrate.Bench, flags *calibrateFlags, stderr io.Writer) (*calibrate.BenchFit, error) {
	display := newProgress(stderr)
	defer display.close()
	flags.options.Progress = display.update
	return calibrate.FitBench(ctx, benches, flags.deployment, flags.options)
}
