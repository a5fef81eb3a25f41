package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"kneepoint/experiments"
	"kneepoint/experiments/runner"
	"kneepoint/plots"
	"kneepoint/units/badinput"
)

// runFlags are the flags of run. Only set and seed change what is simulated; metrics
// changes percentiles by the width of a bin.
type runFlags struct {
	out       string   // path of a folder; "" is results/NAME
	set       []string // "KEY=VALUE"
	prices    []string // "ACCELERATOR=USD"
	engine    string
	metrics   string
	seed      uint64 // looked at only if it was given
	workers   int    // 0: one per core
	requests  bool
	vllm      string // path of a folder; "": none
	why       bool
	verbose   bool
	json      bool
	quiet     bool
	noColor   bool
	noFigures bool
	noSearch  bool
	storing   storeFlags
	shard     shard
	figure    figureFlags
}

// declare gives the flags of run their names, defaults and help.
func (f *runFlags) declare(set *pflag.FlagSet) {
	f.declareResults(set)
	set.BoolVar(&f.requests, "requests", false, "also write requests.csv, one row per request")
	set.StringVar(&f.vllm, "vllm", "", "folder for the runs as results of vllm bench serve, with --requests as --save-detailed has them")
	set.Var(&f.shard, "shard", "I/N: simulate and keep the I-th of N parts of the runs, for gather to make results of")
	f.storing.declare(set)
}

// declareResults declares the flags of whatever makes results of runs.
func (f *runFlags) declareResults(set *pflag.FlagSet) {
	set.StringVar(&f.out, "out", "", "folder for the results (default results/NAME)")
	set.StringArrayVar(&f.set, "set", nil, "override a key: KEY=VALUE; may be repeated")
	set.StringArrayVar(&f.prices, "price", nil, "price of an accelerator in $/h: NAME=USD, as prices.usd_per_hour; may be repeated")
	seedVar(set, &f.seed, "seed", "override the seed")
	set.StringVar(&f.engine, "engine", "stretch", "stretch, or reference: step by step, slower, the same results")
	set.StringVar(&f.metrics, "metrics", "exact", "exact, or streaming: constant memory, percentiles by ranks within 0.05%")
	intVar(set, &f.workers, "workers", 0, "simulations at a time (default: one per core)")
	set.BoolVar(&f.why, "why", false, "show where the time goes at every point")
	set.BoolVar(&f.verbose, "verbose", false, "print all tables, which are in tables.txt, instead of the most important ones")
	set.BoolVar(&f.json, "json", false, "print results.json instead of tables, and draw no figures")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no messages")
	set.BoolVar(&f.noSearch, "no-search", false, "take knees from the swept points alone, search none")
	f.figure.declareWith(set, &f.noFigures)
	set.BoolVar(&f.noColor, "no-color", false, "no colour, even on a terminal")
}

// read completes what the flags of a command line say, and refuses what is wrong with them,
// before anything is read or simulated.
func (f *runFlags) read(set *pflag.FlagSet) error {
	// As the last override, so that --seed wins over --set seed. Any seed may be
	// meant, 0 included, so only Changed can say that one was given.
	if set.Changed("seed") {
		f.set = append(f.set, fmt.Sprintf("seed=%d", f.seed))
	}
	var err error
	if f.set, err = withPrices(f.set, f.prices); err != nil {
		return err
	}
	for flag, folder := range map[string]string{"out": f.out, "vllm": f.vllm} {
		if err := checkFolderFlag(set, flag, folder); err != nil {
			return err
		}
	}
	for _, err := range []error{f.storing.check(set), f.shard.check(set), f.check()} {
		if err != nil {
			return err
		}
	}
	return nil
}

// options are how the runs are simulated, with what they are kept in.
func (f *runFlags) options(store runner.Store) experiments.Options {
	return experiments.Options{Workers: f.workers, Reference: f.engine == "reference", Streaming: f.metrics == "streaming",
		Search: !f.noSearch, Store: store}
}

// check refuses values that the flags' types allow.
func (f *runFlags) check() error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	if err := oneOf("--engine", f.engine, "stretch", "reference"); err != nil {
		return err
	}
	if err := oneOf("--metrics", f.metrics, "exact", "streaming"); err != nil {
		return err
	}
	if f.json && f.why {
		return &badinput.Error{Key: "--why", Problem: "has no effect with --json, which has the parts of every point"}
	}
	if f.json && f.verbose {
		return &badinput.Error{Key: "--verbose", Problem: "has no effect with --json, which prints no tables"}
	}
	if f.requests && f.metrics == "streaming" {
		return &badinput.Error{Key: "--metrics", Value: f.metrics, Problem: "keeps no requests to write with --requests", Allowed: "exact"}
	}
	return nil
}

// figures says how to draw figures, and nil where none are.
func (f *runFlags) figures() (*plots.Options, error) { return f.figure.unless(f.json, f.noFigures) }
