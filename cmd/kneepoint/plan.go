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
	"kneepoint/plots"
)

// planFlags are the flags of plan.
type planFlags struct {
	searchFlags
	verbose   bool
	whatIf    bool
	prices    []string // "ACCELERATOR=$/h"
	draws     int      // looked at only if it was given
	shard     shard
	noFigures bool
	figure    figureFlags
}

func (f *planFlags) declare(set *pflag.FlagSet) {
	f.searchFlags.declare(set, "the answer (default results/NAME)", "plan.json")
	set.BoolVar(&f.verbose, "verbose", false, "print all candidates, which are in tables.txt, instead of the best")
	set.BoolVar(&f.whatIf, "what-if", false, "say what other prices, twice the demand or a lost node would change, as plan.what_if")
	set.StringArrayVar(&f.prices, "price", nil, "price of an accelerator in $/h: NAME=USD, as prices.usd_per_hour; may be repeated")
	intVar(set, &f.draws, "draws", 0, "draws of how sure the answer is, as plan.uncertainty.draws")
	set.Var(&f.shard, "shard", "I/N: make the plan as one of N that run at the same time and share the store, for a later plan to show")
	f.figure.declareWith(set, &f.noFigures)
}

// read is that of searchFlags, sets the prices, and refuses what a shard does not heed.
func (f *planFlags) read(set *pflag.FlagSet) (err error) {
	if err = f.searchFlags.read(set); err == nil {
		err = f.shard.check(set)
	}
	if err == nil {
		if set.Changed("draws") {
			f.set = append(f.set, fmt.Sprintf("plan.uncertainty.draws=%d", f.draws))
		}
		f.set, err = withPrices(f.set, f.prices)
	}
	if f.whatIf {
		f.set = append(f.set, "plan.what_if=true")
	}
	return err
}

// newPlan makes the verb that finds out how many of what serve a demand.
func newPlan() *cobra.Command {
	var flags planFlags
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "Find how many of which accelerators serve a demand, and what that costs",
		Long: `Plan finds for every candidate of a file the smallest fleet that meets the
objective under the demand, and ranks the candidates by cost. It prints a table and
what follows from it, and writes plan.json, tables.txt and figures to a folder.`,
		Example: `  kneepoint plan plan-chat
  kneepoint plan mine.toml --set plan.spare=1
  kneepoint plan mine.toml --set workload.arrival.rate=40
  kneepoint plan mine.toml --shard 1/2 --store /shared/kept
  kneepoint plan mine.toml --json | jq '.options[0]'`,
		Args: exactly(1, "a plan's file or name"),
	}
	flags.declare(cmd.Flags())
	return onFiles(cmd, &flags, &flags.quiet, experiments.Plans, func(ctx context.Context, files []string, stdout, stderr io.Writer) error {
		return plan(ctx, files[0], &flags, stdout, stderr)
	})
}

// planFile is the answer in a plan's folder, beside the tables.
const planFile = "plan.json"

// plan carries out one plan. The folder is prepared before anything is simulated.
func plan(ctx context.Context, name string, flags *planFlags, stdout, stderr io.Writer) error {
	figures, err := flags.figure.unless(flags.json, flags.noFigures)
	if err != nil {
		return err
	}
	p, err := load(ctx, name, flags.set, (*experiments.File).Planning)
	if err != nil {
		return err
	}
	if flags.shard.of > 0 {
		return planShard(ctx, p, flags, stderr)
	}
	out := cmp.Or(flags.out, filepath.Join("results", p.File.Name))
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
	progress := newProgress(stderr)
	answer, err := p.Run(ctx, experiments.PlanOptions{Workers: flags.workers, Store: keeper.store(), Progress: newPlanProgress(progress).tell})
	progress.close()
	if answer == nil || len(answer.Options) == 0 && err != nil {
		if errors.Is(err, context.Canceled) {
			fmt.Fprintln(stderr, "kneepoint: interrupted before any candidate was found to serve the demand")
		}
		return err
	}
	answer.Incomplete = err != nil
	failed := writePlan(folder, answer, figures, stderr)
	printed := printPlan(stdout, answer, flags, failed != nil)
	if failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", out, failed), err, printed)
	}
	fmt.Fprintf(stderr, "\nplan: %s\n", out)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "kneepoint: interrupted; the plan holds the best of what was finished")
	}
	return errors.Join(err, printed, cmp.Or(unplanned(answer), expectationsMissed(answer.Expectations)))
}

// unplanned is the error of a plan to which there is no answer.
func unplanned(a *results.Answer) error {
	if len(a.Options) > 0 || a.Incomplete {
		return nil
	}
	return errors.New(strings.TrimSuffix("no candidate serves the demand. "+noneText(a), "."))
}

// writePlan puts the answer into the folder, and the folder where it belongs.
func writePlan(folder *results.Folder, a *results.Answer, figures *plots.Options, stderr io.Writer) error {
	if err := folder.Create(planFile, a.WriteJSON); err != nil {
		return err
	}
	tables := func(w io.Writer) error {
		var text strings.Builder
		renderPlan(page{Writer: &text}, a, true)
		_, err := io.WriteString(w, text.String())
		return err
	}
	if err := folder.Create(tablesFile, tables); err != nil {
		return err
	}
	drawn := drawPlan(folder, a, figures)
	return cmp.Or(drawn, commit(folder, stderr)) // also without figures: the answer is there
}

// drawPlan draws the figures into the folder, unless there are to be none.
func drawPlan(folder *results.Folder, a *results.Answer, figures *plots.Options) error {
	if figures == nil {
		return nil
	}
	var images []plots.Image
	err := caught(func() (err error) { images, err = plots.Plan{Answer: a}.Images(*figures); return err })
	if err != nil {
		return err
	}
	return writeImages(folder.Path(), images)
}

// printPlan prints the tables, or the JSON that the folder has.
func printPlan(stdout io.Writer, a *results.Answer, flags *planFlags, all bool) error {
	if flags.json {
		return a.WriteJSON(stdout)
	}
	var text strings.Builder
	renderPlan(newPage(stdout, flags.noColor).on(&text), a, flags.verbose || all)
	_, err := io.WriteString(stdout, text.String())
	return err
}
