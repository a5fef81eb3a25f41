package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kneepoint/experiments/calibrate"
	"kneepoint/units/badinput"
)

// calibrateFlags are the flags of calibrate. Either steps or bench is given.
type calibrateFlags struct {
	steps      string   // path of a CSV file
	bench      []string // paths of JSON files, or of folders of them
	deployment calibrate.Deployment
	options    calibrate.BenchOptions
	out        string // path of the profile; "" is stdout
	quiet      bool
}

// declare gives the flags their names, defaults and help.
func (c *calibrateFlags) declare(set *pflag.FlagSet) {
	set.StringVar(&c.steps, "steps", "", "CSV file of timed steps")
	set.StringSliceVar(&c.bench, "bench", nil, "JSON results of vllm bench serve: files, or folders of them")
	set.StringVar(&c.deployment.Accelerator, "accelerator", "", "what the benchmarked server ran on")
	set.StringVar(&c.deployment.Model, "model", "", "its model (default: as the results name it)")
	intVar(set, &c.deployment.TP, "tp", 1, "its accelerators per replica")
	set.StringVar(&c.deployment.Engine, "engine", "vllm-v1", "profile to start from: a name, or a file")
	set.StringArrayVar(
		&c.deployment.Set,
		"set",
		nil,
		"other keys of the deployment: KEY=VALUE; the strategy is called "+calibrate.StrategyName,
	)
	set.StringSliceVar(
		&c.options.Parameters,
		"fit",
		nil,
		"constants to fit, of "+strings.Join(calibrate.ParameterKeys(), ",")+" (default: all)",
	)
	floatVar(set, &c.options.Holdout, "holdout", 0.2, "share of the measurements to check the fit with")
	set.StringVar(&c.out, "out", "", "file for the profile (default: stdout)")
	intVar(set, &c.options.Workers, "workers", 0, "simulations at a time (default: one per core)")
	set.BoolVarP(&c.quiet, "quiet", "q", false, "no progress, no messages")
}

// benchOnly are the flags that mean nothing to timed steps: they say how to simulate
// a server. Ignoring them would let people believe that they had an effect.
var benchOnly = []string{"accelerator", "model", "tp", "engine", "set", "fit", "workers"}

// check refuses flags that contradict each other, and a file that may not be replaced:
// before minutes are spent on a fit.
func (c *calibrateFlags) check(cmd *cobra.Command) error {
	if (c.steps == "") == (len(c.bench) == 0) {
		return &badinput.Error{Problem: "calibrate needs one kind of measurements", Allowed: "--steps FILE or --bench FILE,..."}
	}
	if err := checkWorkers(c.options.Workers); err != nil {
		return err
	}
	if len(c.bench) > 0 && c.deployment.Accelerator == "" { // the results do not name it
		return &badinput.Error{Key: "--accelerator", Problem: "missing", Allowed: "a name that `kneepoint list accelerators` shows"}
	}
	for _, name := range benchOnly {
		if c.steps != "" && cmd.Flags().Changed(name) {
			return &badinput.Error{Key: "--" + name, Problem: "has no effect with --steps"}
		}
	}
	return checkProfileTarget(c.out)
}
