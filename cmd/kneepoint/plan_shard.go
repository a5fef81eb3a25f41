package main

import (
	"context"
	"fmt"
	"io"

	"kneepoint/experiments"
	"kneepoint/experiments/planner"
)

// planShard makes a plan with others that share the store. What it cannot keep is lost, and ends it.
func planShard(ctx context.Context, p *experiments.Planning, flags *planFlags, stderr io.Writer) error {
	keeper, err := flags.storing.openShared(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	progress := newProgress(stderr)
	_, err = p.Run(ctx, experiments.PlanOptions{Workers: flags.workers, Store: keeper.Store, Progress: newPlanProgress(progress).tell,
		Shard: planner.Shard{Index: flags.shard.index, Of: flags.shard.of}})
	progress.close()
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "shard %s: the whole plan is in the store %s\n", &flags.shard, keeper.Name())
	keeper.tell(stderr)
	return nil
}
