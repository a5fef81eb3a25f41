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
	"github.com/spf13/pflag"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// kneeFlags are the flags of knee.
type kneeFlags struct {
	searchFlags
	shard     shard
	noFigures bool
	figure    figureFlags
}

func (f *kneeFlags) declare(set *pflag.FlagSet) {
	f.searchFlags.declare(set, "the results (default results/NAME-knee)", "results.json")
	set.Var(&f.shard, "shard", "I/N: search and keep the I-th of N parts of the knees, for a later knee to show")
	f.figure.declareWith(set, &f.noFigures)
}

// read is that of searchFlags, and refuses what a shard does not heed.
func (f *kneeFlags) read(set *pflag.FlagSet) error {
	if err := f.searchFlags.read(set); err != nil {
		return err
	}
	return f.shard.check(set)
}

// newKnee makes the verb that searches knees.
func newKnee() *cobra.Command {
	var flags kneeFlags
	cmd := &cobra.Command{
		Use:   "knee FILE",
		Short: "Find how much load each strategy bears",
		Long: `Knee searches the highest load at which enough requests meet the SLO, with its
95% interval, for every strategy of an experiment: a rate, a number of users, a
prompt length, or whatever [search] names. Of what helps, such as replicas, it
finds the least that is enough. With search.metric it finds the break-even instead:
the value of any number at which strategies are as good as another one, or as a bound,
and a figure of it.`,
		Example: `  kneepoint knee quickstart
  kneepoint knee mine.toml --set search.tolerance=0.01
  kneepoint knee mine.toml --set search.load=hardware.replicas
  kneepoint knee mine.toml --set search.over=plain --set search.metric=mean_tpot_ms \
    --set search.load=strategy.guessing.speculation.acceptance --set search.min=0.1 --set search.max=0.9
  kneepoint knee mine.toml --shard 1/2 --store /shared/kept
  kneepoint knee mine.toml --json | jq '.series[].knee'`,
		Args: exactly(1, "an experiment file or name"),
	}
	flags.declare(cmd.Flags())
	return onFiles(cmd, &flags, &flags.quiet, experiments.Names, func(ctx context.Context, files []string, stdout, stderr io.Writer) error {
		return knee(ctx, files[0], &flags, stdout, stderr)
	})
}

// knee carries out the search of one experiment. As with run, the folder is prepared before
// anything is simulated, and discarded unless it is committed.
func knee(ctx context.Context, name string, flags *kneeFlags, stdout, stderr io.Writer) error {
	figures, err := flags.figure.unless(flags.json, flags.noFigures)
	if err != nil {
		return err
	}
	e, err := load(ctx, name, flags.set, (*experiments.File).CheckKnees)
	if err != nil {
		return err
	}
	if !e.SearchesBreakEvens() {
		if err := flags.figure.checkUnused("on knees, of which run draws figures"); err != nil {
			return err
		}
		figures = nil
	}
	if flags.shard.of > 0 {
		return kneeShard(ctx, e, flags, stderr)
	}
	out := cmp.Or(flags.out, filepath.Join("results", e.File.Name+"-knee"))
	folder, err := results.OpenFolder(out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	keeper, err := flags.storing.open(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	defer keeper.tell(stderr)
	clock := newKneeClock()
	progress := newProgress(stderr)
	res, err := e.Knees(ctx, experiments.Options{Workers: flags.workers, Store: keeper.store(), Searching: func(s experiments.Searching) {
		clock.note(s)
		progress.search(s)
	}})
	progress.close()
	if len(res.Runs) == 0 || errors.As(err, new(*badinput.Error)) {
		return err
	}
	_, failed := write(ctx, folder, res, figures, stderr)
	printed := printKnees(stdout, e, res, clock, &flags.searchFlags)
	if failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", out, failed), err, printed)
	}
	printOutcome(stderr, out, false, errors.Join(err, ctx.Err()))
	return errors.Join(err, ctx.Err(), printed, neverMet(res), expectationsMissed(res.Expectations))
}

// kneeShard searches the knees of a shard that the store does not have. What it cannot keep is lost, and ends it.
func kneeShard(ctx context.Context, e *experiments.Experiment, flags *kneeFlags, stderr io.Writer) error {
	keeper, err := flags.storing.openShared(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	progress := newProgress(stderr)
	options := experiments.Options{Workers: flags.workers, Store: keeper.Store, Searching: progress.search}
	searched, curves, err := e.KneeShard(ctx, flags.shard.index, flags.shard.of, options)
	progress.close()
	if err != nil {
		return err
	}
	what := "knees"
	if e.SearchesBreakEvens() {
		what = "break-evens"
	}
	fmt.Fprintf(stderr, "shard %s: %d of %d %s are in the store %s\n", &flags.shard, searched, curves, what, keeper.Name())
	keeper.tell(stderr)
	return nil
}

// printKnees prints the table of knees or break-evens, or the JSON that the folder has.
func printKnees(stdout io.Writer, e *experiments.Experiment, res *results.Results, clock *kneeClock, flags *searchFlags) error {
	if flags.json {
		return res.WriteJSON(stdout)
	}
	var text strings.Builder
	if p := newPage(stdout, flags.noColor).on(&text); e.SearchesBreakEvens() {
		renderSearchedBreakEvens(p, res)
	} else {
		renderSearched(p, res, clock)
	}
	_, err := io.WriteString(stdout, text.String())
	return err
}

// neverMet is the error of an objective that no strategy meets at any load; nil otherwise.
func neverMet(res *results.Results) error {
	for i := range res.Series {
		if k := res.Series[i].Knee; k == nil || k.Kind != results.KneeBelow {
			return nil
		}
	}
	if len(res.Series) == 0 {
		return nil
	}
	return errors.New("the SLO is met at no load: " + neverText(res, &res.Series[0]))
}
