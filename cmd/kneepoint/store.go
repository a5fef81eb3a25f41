package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kneepoint/experiments/store"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// bytesFlag is an amount of memory as a flag.
type bytesFlag struct {
	bytes units.Bytes
	given bool
}

// String implements pflag.Value.
func (b *bytesFlag) String() string {
	if !b.given {
		return ""
	}
	return b.bytes.String()
}

// Type implements pflag.Value.
func (b *bytesFlag) Type() string { return "SIZE" }

// Set implements pflag.Value.
func (b *bytesFlag) Set(text string) (err error) {
	b.bytes, err = units.ParseBytes(text)
	if err == nil && !(b.bytes >= 0 && b.bytes <= units.Bytes(1<<62)) { // no NaN either
		err = fmt.Errorf("out of range")
	}
	b.given = true
	return err
}

// newStore makes the verb that shows how much is kept, and removes what nobody uses.
func newStore() *cobra.Command {
	var storing storeFlags
	var most bytesFlag
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Show how much is kept of earlier runs, and remove what was not used for longest",
		Long: `Store shows how many results are kept, how large they are, and since when they were
not used. With --prune it removes those that were not used for longest, of whatever
program, until no more than a size is left.`,
		Example: `  kneepoint store
  kneepoint store --prune 500MB
  kneepoint store --store /shared/kept --prune 0B`,
		Args: exactly(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := storing.check(cmd.Flags()); err != nil {
				return err
			}
			return showStore(cmd.Context(), &storing, &most, cmd.OutOrStdout())
		},
	}
	storing.declareStore(cmd.Flags())
	cmd.Flags().Var(&most, "prune", "remove the results that were not used for longest, until at most this much is left")
	return cmd
}

// showStore prints what a store has, after it was pruned where that is wanted.
func showStore(ctx context.Context, storing *storeFlags, most *bytesFlag, stdout io.Writer) error {
	if name, by := storing.place(); name == "" {
		return &badinput.Error{Key: by, Problem: "keeps nothing", Allowed: "--store with a folder, or the URL of a bucket"}
	}
	keeper, err := storing.openExisting(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	files, err := keeper.Files(ctx)
	if err == nil && most.given {
		var removed []store.File
		removed, files, err = keeper.Prune(ctx, int64(most.bytes))
		fmt.Fprintf(stdout, "%s are removed\n", amount(removed))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s\n", keeper.Name(), amount(files))
	for _, days := range []int{1, 7, 30} {
		fmt.Fprintf(stdout, "not used for %2d d: %s\n", days, amount(unused(files, time.Duration(days)*24*time.Hour)))
	}
	return nil
}

// unused are the files that were not used for some time, of those in the order of their use.
func unused(files []store.File, age time.Duration) []store.File {
	for i, f := range files {
		if time.Since(f.Used) < age {
			return files[:i]
		}
	}
	return files
}

// amount says how many files there are, and how large.
func amount(files []store.File) string {
	if len(files) == 1 {
		return "1 kept result, " + size(float64(files[0].Bytes))
	}
	return fmt.Sprintf("%d kept results, %s", len(files), size(float64(store.Bytes(files))))
}
