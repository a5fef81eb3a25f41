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
)

// newKnee makes the verb that searches knees.
func newKnee() *cobra.Command {
	var flags searchFlags
	cmd := &cobra.Command{
		Use:   "knee FILE",
		Short: "Find how much load each strategy bears",
		Long: `Knee searches the highest load at which enough requests meet the SLO, with its
95% interval, for every strategy of an experiment: a rate, a number of users, a
prompt length, or whatever [search] names. Of what helps, such as replicas, it
finds the least that is enough.`,
		Example: `  kneepoint knee quickstart
  kneepoint knee mine.toml --set search.tolerance=0.01
  kneepoint knee mine.toml --set search.load=hardware.replicas
  kneepoint knee mine.toml --json | jq '.series[].knee'`,
		Args: exactly(1, "an experiment file or name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.read(cmd.Flags()); err != nil {
				return err
			}
			return knee(cmd.Context(), args[0], &flags, cmd.OutOrStdout(), messages(cmd, flags.quiet))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return experiments.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	flags.declare(cmd.Flags(), "the results (default results/NAME-knee)", "results.json")
	return cmd
}

// knee carries out the search of one experiment. As with run, the folder is prepared before
// anything is simulated, and discarded unless it is committed.
func knee(ctx context.Context, name string, flags *searchFlags, stdout, stderr io.Writer) error {
	e, err := load(ctx, name, flags.set, (*experiments.File).CheckKnees)
	if err != nil {
		return err
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
	if len(res.Runs) == 0 {
		return err
	}
	_, failed := write(ctx, folder, res, nil, stderr)
	printed := printKnees(stdout, res, clock, flags)
	if failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", out, failed), err, printed)
	}
	printOutcome(stderr, out, false, errors.Join(err, ctx.Err()))
	return errors.Join(err, ctx.Err(), printed, neverMet(res))
}

// printKnees prints the table of knees, or the JSON that the folder has.
func printKnees(stdout io.Writer, res *results.Results, clock *kneeClock, flags *searchFlags) error {
	if flags.json {
		return res.WriteJSON(stdout)
	}
	var text strings.Builder
	renderSearched(newPage(stdout, flags.noColor).on(&text), res, clock)
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
