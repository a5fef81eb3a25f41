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
)

// kneeFlags are the flags of knee. Only set and seed change what is found.
type kneeFlags struct {
	out     string   // path of a folder; "" is results/NAME-knee
	set     []string // "KEY=VALUE"
	seed    uint64   // looked at only if it was given
	workers int      // 0: one per core
	json    bool
	quiet   bool
	noColor bool
	storing storeFlags
}

func (f *kneeFlags) declare(set *pflag.FlagSet) {
	set.StringVar(&f.out, "out", "", "folder for the results (default results/NAME-knee)")
	set.StringArrayVar(&f.set, "set", nil, "override a key: KEY=VALUE; may be repeated")
	seedVar(set, &f.seed, "seed", "override the seed")
	intVar(set, &f.workers, "workers", 0, "simulations at a time (default: one per core)")
	set.BoolVar(&f.json, "json", false, "print results.json instead of tables")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no messages")
	set.BoolVar(&f.noColor, "no-color", false, "no colour, even on a terminal")
	f.storing.declare(set)
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
finds the least that is enough.`,
		Example: `  kneepoint knee quickstart
  kneepoint knee mine.toml --set search.tolerance=0.01
  kneepoint knee mine.toml --set search.load=hardware.replicas
  kneepoint knee mine.toml --json | jq '.series[].knee'`,
		Args: exactly(1, "an experiment file or name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") { // the last override, so that it wins over --set seed
				flags.set = append(flags.set, fmt.Sprintf("seed=%d", flags.seed))
			}
			if err := checkFolderFlag(cmd.Flags(), "out", flags.out); err != nil {
				return err
			}
			if err := flags.storing.check(cmd.Flags()); err != nil {
				return err
			}
			return knee(cmd.Context(), args[0], &flags, cmd.OutOrStdout(), messages(cmd, flags.quiet))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return experiments.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	flags.declare(cmd.Flags())
	return cmd
}

// knee carries out the search of one experiment. As with run, the folder is prepared before
// anything is simulated, and discarded unless it is committed.
func knee(ctx context.Context, name string, flags *kneeFlags, stdout, stderr io.Writer) error {
	if err := checkWorkers(flags.workers); err != nil {
		return err
	}
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
func printKnees(stdout io.Writer, res *results.Results, clock *kneeClock, flags *kneeFlags) error {
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
