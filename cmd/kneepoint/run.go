package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
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
	}
	flags.declare(cmd.Flags())
	return onFiles(cmd, &flags, &flags.quiet, experiments.Names, func(ctx context.Context, files []string, stdout, stderr io.Writer) error {
		return run(ctx, files[0], &flags, stdout, stderr)
	})
}

// run carries out one experiment. The folder is prepared before anything is simulated,
// so that hours are not spent on results that cannot be written.
func run(ctx context.Context, name string, flags *runFlags, stdout, stderr io.Writer) error {
	figures, err := flags.figures()
	if err != nil {
		return err
	}
	e, err := load(ctx, name, flags.set, (*experiments.File).Check)
	if err != nil {
		return err
	}
	if flags.shard.of > 0 {
		return runShard(ctx, e, flags, stderr)
	}
	d, err := openDestination(e, flags, figures)
	if err != nil {
		return err
	}
	defer d.discard()
	keeper, err := flags.storing.open(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	defer keeper.tell(stderr)
	res, err := simulate(ctx, e, d, keeper, flags.options(keeper.store()), flags, stderr)
	return d.report(ctx, res, err, flags, stdout, stderr)
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

// load reads an experiment, sets the keys of the command line, and has check build every
// simulation once: whatever is wrong is found before any of them runs. An interrupt does not
// wait for that, which may have to draw every arrival and knows no context: it is left to
// end by itself, and the channel has room for its outcome, which nobody reads.
func load[T any](ctx context.Context, name string, set []string, check func(*experiments.File) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = caught(func() (err error) { o.value, err = read(name, set, check); return err })
		done <- o
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// read reads an experiment, sets the keys of the command line, and checks it.
func read[T any](name string, set []string, check func(*experiments.File) (T, error)) (T, error) {
	file, err := experiments.Load(name)
	if err == nil {
		err = file.Override(set)
	}
	if err != nil {
		var none T
		return none, err
	}
	return check(file)
}

// simulate runs the experiment with a progress display. Of an interrupted one it
// returns the results of what was finished, with an error; the results are nil when
// nothing could be started.
func simulate(
	ctx context.Context,
	e *experiments.Experiment,
	d *destination,
	keeper *keeper,
	options experiments.Options,
	flags *runFlags,
	stderr io.Writer,
) (*results.Results, error) {
	var log *results.RequestLog
	if flags.requests {
		var err error
		if log, err = d.folder.CreateRequestLog(e.Axes, len(e.Spec.Workload.Client) > 0); err != nil {
			return nil, err
		}
		options.Requests = d.benches.after(log.Add)
	}
	progress := newProgress(stderr)
	options.Progress = func(p experiments.Progress) {
		keeper.kept, keeper.runs = p.Kept, p.Total
		progress.updateRuns(p)
	}
	if log != nil { // in order, in which what is left may take longer
		options.Progress = func(p experiments.Progress) { progress.update(p.Done, p.Total) }
	}
	options.Searching = progress.search
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
