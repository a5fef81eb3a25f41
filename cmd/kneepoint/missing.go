package main

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments"
	"kneepoint/units/badinput"
)

// mostMissing is how many runs or shards are named that are missing.
const mostMissing = 3

// missingError says which runs are not in a store, and of which shards they are; nil where all are.
func missingError(e *experiments.Experiment, options experiments.Options, missing []int, store string) (*badinput.Error, error) {
	if len(missing) == 0 {
		return nil, nil
	}
	of, err := e.KeptShards(options)
	if err != nil {
		return nil, err
	}
	shards := "no shard of these runs, with these flags, was begun by this very program"
	if of > 0 {
		var names []string
		for _, i := range e.ShardsOf(missing, of) {
			names = append(names, (&shard{i, of}).String())
		}
		shards = "of shard " + shortList(names)
	}
	var runs []string
	for _, run := range missing {
		runs = append(runs, e.Describe(run))
	}
	return &badinput.Error{Key: "store", Value: store,
		Problem: fmt.Sprintf("%d of %d runs are missing (%s): %s", len(missing), e.Runs(), shards, shortList(runs))}, nil
}

// shortList is the first few of some things, and how many more there are.
func shortList(things []string) string {
	if more := len(things) - mostMissing; more > 0 {
		things = append(slices.Clone(things[:mostMissing]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(things, "; ")
}
