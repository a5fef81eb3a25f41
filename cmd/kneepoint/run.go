package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// newRun makes the verb that simulates an experiment.
func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run an experiment: a TOML file, or one that comes with kneepoint",
		Long: `Run simulates every strategy of an experiment at every point of its sweep, with
every seed, on all cores. It prints a table and a summary, and writes all tables
(tables.txt), results.json, runs.ndjson, results.csv, points.csv and figures to a
folder.`,
		Example: `  kneepoint run quickstart
  kneepoint run mine.toml --out results/a100 --set hardware.accelerator=a100-sxm-80
  kneepoint run mine.toml --set strategy.static.max_num_seqs=64 --seed 7
  kneepoint run mine.toml --set 'sweep."workload.arrival.rate"=[1,2,4]'
  kneepoint run mine.toml --price h100-sxm=2.10 --set prices.pue=1.4
  kneepoint run mine.toml --json | jq '.series[].knee'`,
		Args: exactly(1, "an experiment file or name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// As the last override, so that --seed wins over --set seed. Any seed may be
			// meant, 0 included, so only Changed can say that one was given.
			if cmd.Flags().Changed("seed") {
				flags.set = append(flags.set, fmt.Sprintf("seed=%d", flags.seed))
			}
			if err := flags.storing.check(cmd.Flags()); err != nil {
				return err
			}
			if err := flags.addPrices(); err != nil {
				return err
			}
			for flag, folder := range map[string]string{"out": flags.out, "vllm": flags.vllm} {
				if cmd.Flags().Changed(flag) && folder == "" {
					return &badinput.Error{Key: "--" + flag, Value: "", Problem: "must not be empty", Allowed: "a folder"}
				}
			}
			return run(cmd.Context(), args[0], &flags, cmd.OutOrStdout(), messages(cmd, flags.quiet))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return experiments.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	flags.declare(cmd.Flags())
	return cmd
}

// run carries out one experiment. The folder is prepared before anything is simulated,
// so that hours are not spent on results that cannot be written; it is discarded
// unless write commits it.
func run(ctx context.Context, name string, flags *runFlags, stdout, stderr io.Writer) error {
	if err := flags.check(); err != nil {
		return err
	}
	figures, err := flags.figures()
	if err != nil {
		return err
	}
	e, err := load(ctx, name, flags.set, (*experiments.File).Check)
	if err != nil {
		return err
	}
	out := cmp.Or(flags.out, filepath.Join("results", e.File.Name))
	folder, err := results.OpenFolder(out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	benches, err := openBenches(flags.vllm, out, e.Plan)
	if err != nil {
		return err
	}
	defer benches.discard()
	keeper, err := flags.storing.open(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	defer keeper.tell(stderr)
	res, err := simulate(ctx, e, folder, benches, keeper, flags, stderr)
	if res == nil || len(res.Runs) == 0 { // nothing was finished, so there is nothing to keep
		return err
	}
	drawn, failed := write(ctx, folder, res, figures, stderr)
	// Tables that could not be written, as where the disk is full, are printed instead: they
	// are all that is left of the runs.
	printed := printResults(stdout, res, flags, failed != nil)
	if failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", out, failed), err, printed)
	}
	printOutcome(stderr, out, drawn, errors.Join(err, ctx.Err()))
	if failed := benches.write(res, flags.requests); failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", flags.vllm, failed), err, printed)
	}
	if benches != nil {
		fmt.Fprintf(stderr, "benchmarks: %s\n", flags.vllm)
	}
	return errors.Join(err, ctx.Err(), printed, expectationsMissed(res))
}

// printOutcome says where the results are, whether with figures (drawn), and whether
// something is missing: err is that of the simulations, or an interrupt. It goes to
// stderr, since stdout may be JSON.
func printOutcome(stderr io.Writer, out string, drawn bool, err error) {
	written := "results and figures"
	if !drawn {
		written = "results"
	}
	fmt.Fprintf(stderr, "\n%s: %s\n", written, out)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "kneepoint: interrupted; the results hold what was finished")
	case err != nil:
		fmt.Fprintln(stderr, "kneepoint: runs failed; the results hold the others")
	}
}

// load reads and checks an experiment. An interrupt does not wait for the check, which
// may have to draw every arrival and knows no context: it is left to end by itself,
// and the channel has room for its outcome, which nobody reads.
func load(ctx context.Context, name string, set []string, check checker) (*experiments.Experiment, error) {
	type outcome struct {
		experiment *experiments.Experiment
		err        error
	}
	checked := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = caught(func() (err error) { o.experiment, err = read(name, set, check); return err })
		checked <- o
	}()
	select {
	case o := <-checked:
		return o.experiment, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// checker builds every simulation of a file once: whatever is wrong is found before any of them runs.
type checker func(*experiments.File) (*experiments.Experiment, error)

// read reads an experiment, sets the keys of the command line, and checks it.
func read(name string, set []string, check checker) (*experiments.Experiment, error) {
	file, err := experiments.Load(name)
	if err != nil {
		return nil, err
	}
	if err := file.Override(set); err != nil {
		return nil, err
	}
	return check(file)
}

// simulate runs the experiment with a progress display. Of an interrupted one it
// returns the results of what was finished, with an error; the results are nil when
// nothing could be started.
func simulate(
	ctx context.Context,
	e *experiments.Experiment,
	folder *results.Folder,
	benches *benches,
	keeper *keeper,
	flags *runFlags,
	stderr io.Writer,
) (*results.Results, error) {
	options := experiments.Options{Workers: flags.workers, Reference: flags.engine == "reference", Streaming: flags.metrics == "streaming",
		Store: keeper.store()}
	var log *results.RequestLog
	if flags.requests {
		var err error
		if log, err = folder.CreateRequestLog(e.Axes, len(e.Spec.Workload.Client) > 0); err != nil {
			return nil, err
		}
		options.Requests = benches.after(log.Add)
	}
	progress := newProgress(stderr)
	options.Progress = func(p experiments.Progress) {
		keeper.kept, keeper.runs = p.Kept, p.Total
		progress.updateRuns(p)
	}
	if log != nil { // in order, in which what is left may take longer
		options.Progress = func(p experiments.Progress) { progress.update(p.Done, p.Total) }
	}
	options.Search, options.Searching = !flags.noSearch, progress.search
	res, err := e.Run(ctx, options)
	progress.close()
	if log != nil {
		err = errors.Join(err, log.Close()) // a full disk may show here first
	}
	return res, err
}

// printResults prints tables, all of them if need be, or the JSON that the folder has, for
// programs that read stdout. Tables are printed in one piece: a reader that closes the pipe
// early gets no half of a line.
func printResults(stdout io.Writer, res *results.Results, flags *runFlags, all bool) error {
	if flags.json {
		return res.WriteJSON(stdout)
	}
	var text strings.Builder
	renderRun(newPage(stdout, flags.noColor).on(&text), res, flags.verbose || all, flags.why)
	_, err := io.WriteString(stdout, text.String())
	return err
}
