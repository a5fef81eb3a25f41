package main

import (
	"fmt"

	"github.com/spf13/pflag"
)

// searchFlags are those of the verbs that search, and choose their runs themselves. Only set and seed change
// what is found.
type searchFlags struct {
	out     string   // path of a folder; "": the verb's own below results
	set     []string // "KEY=VALUE"
	seed    uint64   // looked at only if it was given
	workers int      // 0: one per core
	json    bool
	quiet   bool
	noColor bool
	storing storeFlags
}

// declare gives the flags their names, defaults and help: what --out is a folder for, and which
// file of it --json prints.
func (f *searchFlags) declare(set *pflag.FlagSet, folder, file string) {
	set.StringVar(&f.out, "out", "", "folder for "+folder)
	set.StringArrayVar(&f.set, "set", nil, "override a key: KEY=VALUE; may be repeated")
	seedVar(set, &f.seed, "seed", "override the seed")
	intVar(set, &f.workers, "workers", 0, "simulations at a time (default: one per core)")
	set.BoolVar(&f.json, "json", false, "print "+file+" instead of tables")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no messages")
	set.BoolVar(&f.noColor, "no-color", false, "no colour, even on a terminal")
	f.storing.declare(set)
}

// read completes what the flags of a command line say, and refuses what is wrong with them,
// before anything is read or simulated.
func (f *searchFlags) read(set *pflag.FlagSet) error {
	if set.Changed("seed") { // the last override, so that it wins over --set seed
		f.set = append(f.set, fmt.Sprintf("seed=%d", f.seed))
	}
	for _, err := range []error{checkFolderFlag(set, "out", f.out), f.storing.check(set), checkWorkers(f.workers)} {
		if err != nil {
			return err
		}
	}
	return nil
}
