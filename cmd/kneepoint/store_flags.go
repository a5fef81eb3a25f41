package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/store"
	"kneepoint/units/badinput"
)

// storeVariable is where results are kept that no flag says another place for; its value
// may be storeOff.
const (
	storeVariable = "KNEEPOINT_STORE"
	storeOff      = "off"
)

// storeFlags say where results are kept, so that nothing is simulated twice.
type storeFlags struct {
	name string // of a folder or URL; "": that of the environment, or of the user's cache
	none bool
}

// declare declares the flags of a command that simulates.
func (f *storeFlags) declare(set *pflag.FlagSet) {
	f.declareStore(set)
	set.BoolVar(&f.none, "no-store", false, "keep no runs, and simulate those that are kept anew")
}

// declareStore declares that which all commands have.
func (f *storeFlags) declareStore(set *pflag.FlagSet) {
	set.StringVar(&f.name, "store", "", "folder or URL where every run is kept, so that none is simulated twice"+
		" (default $"+storeVariable+", or a folder in the user's cache)")
}

// check refuses flags that contradict each other.
func (f *storeFlags) check(set *pflag.FlagSet) error {
	switch {
	case !set.Changed("store"):
		return nil
	case f.none:
		return &badinput.Error{Key: "--store", Value: f.name, Problem: "has no effect with --no-store"}
	case f.name == "":
		return &badinput.Error{Key: "--store", Value: "", Problem: "must not be empty", Allowed: "a folder"}
	}
	return nil
}

// keeper is the store of a command, which can do without, and what there is to say of it.
type keeper struct {
	*store.Cache       // nil: nothing is kept
	refused      error // why the user's cache is not used
	kept, runs   int   // runs that were kept, of how many
}

// place is the folder or URL of the store, "" where nothing is kept, and what names it: the
// flag, the variable, or "" for a folder in the user's cache.
func (f *storeFlags) place() (name, by string) {
	variable := os.Getenv(storeVariable)
	switch {
	case f.none:
		return "", "--no-store"
	case f.name != "":
		return f.name, "--store"
	case variable == storeOff:
		return "", "$" + storeVariable
	case variable != "":
		return variable, "$" + storeVariable
	}
	folder, err := os.UserCacheDir()
	if err != nil { // as in containers without a home: there is no such folder
		return "", ""
	}
	return filepath.Join(folder, "kneepoint"), ""
}

// open opens the store. That in the user's cache, which nobody asked for, is done without
// where it cannot be used.
func (f *storeFlags) open(ctx context.Context) (*keeper, error) {
	name, by := f.place()
	if name == "" {
		return &keeper{}, nil
	}
	opened, err := store.Open(ctx, name)
	switch {
	case err == nil:
		return &keeper{Cache: &store.Cache{Store: opened}}, nil
	case by == "":
		return &keeper{refused: err}, nil
	}
	return nil, badinput.At(by, err)
}

// openShared opens the store for a command that cannot do without.
func (f *storeFlags) openShared(ctx context.Context) (*keeper, error) {
	k, err := f.open(ctx)
	switch {
	case err != nil:
		return nil, err
	case k.refused != nil:
		return nil, k.refused
	case k.Cache == nil:
		return nil, &badinput.Error{Key: "--store", Problem: "is missing, and nothing is kept without",
			Allowed: "a folder, or the URL of a bucket, that the shards share"}
	}
	return k, nil
}

// openExisting opens the store for a command that is of no use with one that it would begin. That in the user's cache
// may be empty.
func (f *storeFlags) openExisting(ctx context.Context) (*keeper, error) {
	name, by := f.place()
	if _, err := os.Stat(name); name != "" && by != "" && os.IsNotExist(err) && !strings.Contains(name, "://") {
		return nil, &badinput.Error{Key: by, Value: name, Problem: "is not there", Allowed: "the folder of a store, or the URL of a bucket"}
	}
	return f.openShared(ctx)
}

// store is what simulations are kept in; nil where there is nothing.
func (k *keeper) store() runner.Store {
	if k.Cache == nil {
		return nil
	}
	return k.Cache
}

// close ends the use of the store.
func (k *keeper) close() {
	if k.Cache != nil {
		_ = k.Close() // all that it has is written
	}
}

// tell says how many of the runs were kept, and what went wrong with the store.
func (k *keeper) tell(stderr io.Writer) {
	if k.kept > 0 {
		fmt.Fprintf(stderr, "%d of %d runs were kept results, from %s\n", k.kept, k.runs, k.Name())
	}
	if k.refused != nil {
		fmt.Fprintf(stderr, "kneepoint: no run is kept: %v\n", k.refused)
	}
	if k.Cache == nil {
		return
	}
	if err := k.Failure(); err != nil {
		fmt.Fprintf(stderr, "kneepoint: not all runs are kept: %v\n", err)
	}
	if damaged := k.Damaged(); len(damaged) > 0 {
		fmt.Fprintf(stderr, "kneepoint: store %s: %d kept results were damaged, and found anew, the first in %s\n",
			k.Name(), len(damaged), damaged[0])
	}
}
