package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/plots"
)

// destination is where results go, and as which figures.
type destination struct {
	out     string // path of the folder
	folder  *results.Folder
	benches *benches       // nil: none
	figures *plots.Options // nil: none
}

// openDestination prepares the folders that the flags name. They are discarded unless report
// commits them: discard must follow.
func openDestination(e *experiments.Experiment, flags *runFlags, figures *plots.Options) (*destination, error) {
	out := cmp.Or(flags.out, filepath.Join("results", e.File.Name))
	folder, err := results.OpenFolder(out)
	if err != nil {
		return nil, err
	}
	benches, err := openBenches(flags.vllm, out, e.Plan)
	if err != nil {
		folder.Discard()
		return nil, err
	}
	return &destination{out, folder, benches, figures}, nil
}

func (d *destination) discard() {
	d.benches.discard()
	d.folder.Discard()
}

// report writes and prints the results of runs that ended with an error or nil, and returns that,
// and what else went wrong. Where nothing was finished there is nothing to write.
func (d *destination) report(ctx context.Context, res *results.Results, err error, flags *runFlags, stdout, stderr io.Writer) error {
	if res == nil || len(res.Runs) == 0 {
		return err
	}
	drawn, failed := write(ctx, d.folder, res, d.figures, stderr)
	// Tables that could not be written, as where the disk is full, are printed instead: they
	// are all that is left of the runs.
	printed := printResults(stdout, res, flags, failed != nil)
	if failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", d.out, failed), err, printed)
	}
	printOutcome(stderr, d.out, drawn, errors.Join(err, ctx.Err()))
	if failed := d.benches.write(res, flags.requests); failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", flags.vllm, failed), err, printed)
	}
	if d.benches != nil {
		fmt.Fprintf(stderr, "benchmarks: %s\n", flags.vllm)
	}
	return errors.Join(err, ctx.Err(), printed, expectationsMissed(res.Expectations))
}
