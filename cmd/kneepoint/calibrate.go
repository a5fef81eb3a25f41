package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/experiments/calibrate"
	"kneepoint/units/badinput"
)

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	steps      string
	bench      []string
	deployment calibrate.Deployment
	options    calibrate.BenchOptions
	out        string
	quiet      bool
}

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
			stderr := cmd.ErrOrStderr()
			if flags.quiet {
				stderr = io.Discard
			}
			if err := flags.check(cmd); err != nil {
				return err
			}
			if flags.steps != "" {
				return calibrateSteps(cmd.Context(), &flags, cmd.OutOrStdout(), stderr)
			}
			return calibrateBench(cmd.Context(), &flags, cmd.OutOrStdout(), stderr)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.steps, "steps", "", "CSV file of timed steps")
	f.StringSliceVar(&flags.bench, "bench", nil, "JSON results of vllm bench serve: files, or folders of them")
	f.StringVar(&flags.deployment.Accelerator, "accelerator", "", "what the benchmarked server ran on")
	f.StringVar(&flags.deployment.Model, "model", "", "its model (default: as the results name it)")
	f.IntVar(&flags.deployment.TP, "tp", 1, "its accelerators per replica")
	f.StringVar(&flags.deployment.Engine, "engine", "vllm-v1", "profile to start from: a name, or a file")
	f.StringArrayVar(&flags.deployment.Set, "set", nil, "other keys of the deployment: KEY=VALUE; the strategy is called "+calibrate.StrategyName)
	f.StringSliceVar(&flags.options.Parameters, "fit", nil, "constants to fit, of "+strings.Join(calibrate.ParameterKeys(), ",")+" (default: all)")
	f.Float64Var(&flags.options.Holdout, "holdout", 0.2, "share of the measurements to check the fit with")
	f.StringVar(&flags.out, "out", "", "file for the profile (default: stdout)")
	f.IntVar(&flags.options.Workers, "workers", 0, "simulations at a time (default: one per core)")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "no progress, no messages")
	return cmd
}

// benchOnly are the flags that mean nothing to timed steps.
var benchOnly = []string{"accelerator", "model", "tp", "engine", "set", "fit", "workers"}

func (c *calibrateFlags) check(cmd *cobra.Command) error {
	switch {
	case (c.steps == "") == (len(c.bench) == 0):
		return &badinput.Error{Problem: "calibrate needs one kind of measurements", Allowed: "--steps FILE or --bench FILE,..."}
	case c.options.Workers < 0:
		return &badinput.Error{Key: "--workers", Value: c.options.Workers, Problem: "must not be negative"}
	case len(c.bench) > 0 && c.deployment.Accelerator == "":
		return &badinput.Error{Key: "--accelerator", Problem: "missing", Allowed: "a name that `kneepoint list accelerators` shows"}
	}
	for _, name := range benchOnly {
		if c.steps != "" && cmd.Flags().Changed(name) {
			return &badinput.Error{Key: "--" + name, Problem: "has no effect with --steps"}
		}
	}
	return checkProfileTarget(c.out)
}

// checkProfileTarget refuses to replace a file that calibrate did not write.
func checkProfileTarget(path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err):
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return &badinput.Error{Key: "--out", Value: path, Problem: "its folder does not exist"}
		}
		return nil
	case err != nil || !strings.HasPrefix(string(text), calibrate.Marker):
		return &badinput.Error{Key: "--out", Value: path, Problem: "exists, and was not written by kneepoint calibrate", Allowed: "a new file"}
	}
	return nil
}

func calibrateSteps(ctx context.Context, flags *calibrateFlags, stdout, stderr io.Writer) error {
	steps, err := calibrate.ReadSteps(flags.steps)
	if err != nil {
		return err
	}
	fit, err := calibrate.FitSteps(ctx, steps, flags.options.Holdout)
	if err != nil {
		return badinput.In(flags.steps, err)
	}
	report := fmt.Sprintf("%d steps fitted: %s\n", fit.Training.N, fit.Training)
	if fit.Holdout.N > 0 {
		report += fmt.Sprintf("%d steps held out: %s\n", fit.Holdout.N, fit.Holdout)
	}
	return deliver(flags.out, fit.Profile(filepath.Base(flags.steps)), report+notes(fit.Warnings), stdout, stderr)
}

func calibrateBench(ctx context.Context, flags *calibrateFlags, stdout, stderr io.Writer) error {
	benches, err := calibrate.ReadBenches(flags.bench)
	if err != nil {
		return err
	}
	var display *progress
	flags.options.Progress = func(done, total int) {
		if display == nil {
			display = newProgress(stderr, total)
		}
		display.update(done, total)
	}
	fit, err := calibrate.FitBench(ctx, benches, flags.deployment, flags.options)
	if display != nil {
		display.close()
	}
	if err != nil {
		return err
	}
	profile, err := fit.Profile(fmt.Sprintf("%d results of vllm bench serve", len(benches)))
	if err != nil {
		return err
	}
	return deliver(flags.out, profile, benchReport(fit), stdout, stderr)
}

// deliver writes the profile to a file and the report to stdout, or the profile
// to stdout and the report to stderr.
func deliver(path, profile, report string, stdout, stderr io.Writer) error {
	if path == "" {
		if _, err := io.WriteString(stderr, report); err != nil {
			return err
		}
		_, err := io.WriteString(stdout, profile)
		return err
	}
	draft := path + ".draft"
	if err := os.WriteFile(draft, []byte(profile), 0o644); err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%s\nprofile: %s\n", report, path)
	return err
}
