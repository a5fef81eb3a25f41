package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"kneepoint/experiments"
)

// newGather makes the verb that draws what shards have simulated.
func newGather() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "gather FILE",
		Short: "Make results of the runs of an experiment that are kept",
		Long: `Gather makes the results of an experiment of runs that the store has, such as those
of run --shard, and simulates no other. It says which are missing, and of which shards,
and ends with status 2 then. Where none is, knees that nobody has searched are.`,
		Example: `  kneepoint run mine.toml --shard 1/2 --store /shared/kept
  kneepoint run mine.toml --shard 2/2 --store /shared/kept
  kneepoint gather mine.toml --store /shared/kept`,
		Args: exactly(1, "an experiment file or name"),
	}
	flags.declareResults(cmd.Flags())
	flags.storing.declareStore(cmd.Flags())
	return onFiles(cmd, &flags, &flags.quiet, experiments.Names, func(ctx context.Context, files []string, stdout, stderr io.Writer) error {
		return gather(ctx, files[0], &flags, stdout, stderr)
	})
}

// gather makes the results of the runs that are kept.
func gather(ctx context.Context, name string, flags *runFlags, stdout, stderr io.Writer) error {
	figures, err := flags.figures()
	if err != nil {
		return err
	}
	e, err := load(ctx, name, flags.set, (*experiments.File).Check)
	if err != nil {
		return err
	}
	d, err := openDestination(e, flags, figures)
	if err != nil {
		return err
	}
	defer d.discard()
	keeper, err := flags.storing.openExisting(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	options := flags.options(keeper.store())
	kept, missing, err := e.Kept(options)
	if err != nil {
		return err
	}
	incomplete, err := missingError(e, options, missing, keeper.Name())
	if err != nil {
		return err
	}
	if incomplete != nil {
		if options.Only = kept; len(kept) == 0 {
			return incomplete
		}
	}
	res, err := simulate(ctx, e, d, keeper, options, flags, stderr)
	if err := d.report(ctx, res, err, flags, stdout, stderr); err != nil {
		return err
	}
	keeper.tell(stderr)
	if incomplete != nil {
		return incomplete
	}
	return nil
}
