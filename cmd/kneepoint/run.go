package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/plots"
)

func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run an experiment: a TOML file, or one that comes with kneepoint",
		Long: `Run simulates every strategy of an experiment at every point of its sweep, with
every seed, on all cores. It prints tables, and writes results.json, runs.ndjson,
results.csv and figures to a folder.`,
		Example: `  kneepoint run quickstart
  kneepoint run mine.toml --out results/a100 --set hardware.accelerator=a100-sxm-80
  kneepoint run mine.toml --set strategy.static.max_num_seqs=64 --seed 7
  kneepoint run mine.toml --set 'sweep."workload.arrival.rate"=[1,2,4]'
  kneepoint run mine.toml --json | jq '.series[].knee'`,
		Args: exactly(1, "an experiment file or name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				flags.set = append(flags.set, fmt.Sprintf("seed=%d", flags.seed))
			}
			return run(cmd.Context(), args[0], &flags, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return experiments.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.out, "out", "", "folder for the results (default results/NAME)")
	f.StringArrayVar(&flags.set, "set", nil, "override a key: KEY=VALUE; may be repeated")
	f.Uint64Var(&flags.seed, "seed", 0, "override the seed")
	f.StringVar(&flags.engine, "engine", "stretch", "stretch, or reference: step by step, slower, the same results")
	f.StringVar(&flags.metrics, "metrics", "exact", "exact, or streaming: constant memory, percentiles by ranks within 0.05%")
	f.IntVar(&flags.workers, "workers", 0, "simulations at a time (default: one per core)")
	f.BoolVar(&flags.requests, "requests", false, "also write requests.csv, one row per request")
	f.BoolVar(&flags.why, "why", false, "show where the time goes at every point, not only at the knee and the last one")
	f.BoolVar(&flags.json, "json", false, "print results.json instead of tables, and draw no figures")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "no progress, no messages")
	f.BoolVar(&flags.noFigures, "no-figures", false, "draw no figures")
	f.BoolVar(&flags.noColor, "no-color", false, "no colour, even on a terminal")
	return cmd
}

// run carries out one experiment.
func run(ctx context.Context, name string, flags *runFlags, stdout, stderr io.Writer) error {
	if err := flags.check(); err != nil {
		return err
	}
	if flags.quiet {
		stderr = io.Discard
	}
	e, err := load(ctx, name, flags.set)
	if err != nil {
		return err
	}
	out := flags.out
	if out == "" {
		out = filepath.Join("results", e.File.Name)
	}
	folder, err := results.OpenFolder(out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	res, err := simulate(ctx, e, folder, flags, stderr)
	if res == nil || len(res.Runs) == 0 {
		return err
	}
	if failed := write(folder, res, flags.figures()); failed != nil {
		return fmt.Errorf("%s: %w", out, failed)
	}
	if failed := printResults(stdout, res, flags); failed != nil {
		return failed
	}
	written := "results and figures"
	if !flags.figures() {
		written = "results"
	}
	fmt.Fprintf(stderr, "\n%s: %s\n", written, out)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "kneepoint: interrupted; the results hold what was finished")
	case err != nil:
		fmt.Fprintln(stderr, "kneepoint: runs failed; the results hold the others")
	}
	return errors.Join(err, missed(res))
}

// load reads and checks an experiment. An interrupt does not wait for the check,
// which may have to draw every arrival.
func load(ctx context.Context, name string, set []string) (*experiments.Experiment, error) {
	type outcome struct {
		experiment *experiments.Experiment
		err        error
	}
	checked := make(chan outcome, 1)
	go func() {
		e, err := check(name, set)
		checked <- outcome{e, err}
	}()
	select {
	case o := <-checked:
		return o.experiment, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// check reads an experiment, sets the keys of the command line, and builds every
// simulation once: whatever is wrong is found before any of them runs.
func check(name string, set []string) (*experiments.Experiment, error) {
	file, err := experiments.Load(name)
	if err != nil {
		return nil, err
	}
	if err := file.Override(set); err != nil {
		return nil, err
	}
	return file.Check()
}

// simulate runs the experiment with a progress display.
func simulate(ctx context.Context, e *experiments.Experiment, folder *results.Folder, flags *runFlags, stderr io.Writer) (*results.Results, error) {
	options := experiments.Options{Workers: flags.workers, Reference: flags.engine == "reference", Streaming: flags.metrics == "streaming"}
	var log *results.RequestLog
	if flags.requests {
		var err error
		if log, err = folder.CreateRequestLog(e.Axes, len(e.Spec.Workload.Client) > 0); err != nil {
			return nil, err
		}
		options.Requests = log.Add
	}
	progress := newProgress(stderr, e.Runs())
	options.Progress = progress.update
	res, err := e.Run(ctx, options)
	progress.close()
	if log != nil {
		err = errors.Join(err, log.Close())
	}
	return res, err
}

// write puts results, and perhaps figures, into the folder, and the folder where
// it belongs: only when all of them are there, so that a crash while figures are
// drawn leaves earlier results as they were.
func write(folder *results.Folder, res *results.Results, figures bool) error {
	if err := folder.Write(res); err != nil {
		return err
	}
	if figures {
		if _, err := plots.Write(folder.Path(), res); err != nil {
			return err
		}
	}
	return folder.Commit()
}

// printResults prints tables, or the JSON that the folder has, for programs that
// read stdout. Tables are printed in one piece: a reader that closes the pipe
// early gets no half of a line.
func printResults(stdout io.Writer, res *results.Results, flags *runFlags) error {
	if flags.json {
		return res.WriteJSON(stdout)
	}
	var text strings.Builder
	renderResults(&text, res, flags.why, isTerminal(stdout) && !flags.noColor)
	_, err := io.WriteString(stdout, text.String())
	return err
}
