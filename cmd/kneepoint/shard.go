package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"kneepoint/experiments"
	"kneepoint/units/badinput"
)

// shard is one of several parts of the runs of an experiment, as a flag: "2/4" is the second
// of four.
type shard struct{ index, of int }

// String implements pflag.Value.
func (s *shard) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.index, s.of)
}

// Type implements pflag.Value.
func (s *shard) Type() string { return "I/N" }

// Set implements pflag.Value.
func (s *shard) Set(text string) error {
	first, second, _ := strings.Cut(text, "/")
	index, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	of, err := strconv.Atoi(second)
	if err != nil {
		return err
	}
	if index < 1 || index > of {
		return fmt.Errorf("there is no part %d of %d", index, of)
	}
	*s = shard{index, of}
	return nil
}

// ofShards are the flags that a shard heeds: it has no results of its own.
var ofShards = []string{"shard", "set", "price", "seed", "engine", "metrics", "what-if", "draws", "workers", "store", "quiet", "no-color"}

// check refuses flags that a shard does not heed.
func (s *shard) check(set *pflag.FlagSet) error {
	var err error
	set.Visit(func(f *pflag.Flag) {
		if s.of > 0 && err == nil && !slices.Contains(ofShards, f.Name) {
			err = &badinput.Error{Key: "--" + f.Name, Problem: "has no effect with --shard, which writes no results"}
		}
	})
	return err
}

// runShard simulates the runs of a shard that the store does not have. What it cannot keep is
// lost, and ends it; at last it looks whether all are there, since others may use the store.
func runShard(ctx context.Context, e *experiments.Experiment, flags *runFlags, stderr io.Writer) error {
	keeper, err := flags.storing.openShared(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	options := flags.options(keeper.Store)
	if err := e.KeepShards(options, flags.shard.of); err != nil {
		return err
	}
	options.Only = e.Shard(flags.shard.index, flags.shard.of)
	if _, err = simulate(ctx, e, nil, keeper, options, flags, stderr); err != nil {
		return err
	}
	kept, missing, err := e.Kept(options)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "shard %s: %d of %d runs are in the store %s\n", &flags.shard, len(kept), e.Runs(), keeper.Name())
	keeper.tell(stderr)
	if len(missing) > 0 {
		return fmt.Errorf("store %s: %d runs of the shard were removed, or are damaged, while it ran", keeper.Name(), len(missing))
	}
	return nil
}
