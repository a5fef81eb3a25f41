// Command unchanged shows that a change to the code changes no result. It runs
// every experiment of two versions, a revision of the repository and the working
// tree, and compares what they find out, number by number:
//
//	go run ./internal/unchanged HEAD~3
//
// Compared are the runs with all their metrics, the curves, knees, differences
// and verdicts of results.json, what is printed, and the bytes of the tables and
// figures; with measurements, also every row of validate. The form of the files
// may differ between the versions, see folder.go.
//
// It knows the command line of kneepoint and the files that it writes. It must
// not know the code that it judges: it imports none of it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const usage = `usage: go run ./internal/unchanged [flags] REVISION

Runs every experiment with kneepoint as it was at a git revision and with the
working tree, and lists what differs between their results. Exit status 1 when
anything does.

`

// errChanged ends the command when results differ; they are printed by then.
var errChanged = errors.New("the results differ")

func main() {
	err := compareVersions(os.Args[1:], os.Stdout)
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "unchanged:", err)
		os.Exit(1)
	}
}

// options are the command's flags and its argument.
type options struct {
	revision  string
	binary    string
	measured  string
	tolerance float64
	only      []string
	shown     int
}

func parse(args []string) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("unchanged", flag.ContinueOnError)
	flags.StringVar(&o.binary, "base-binary", "", "a kneepoint that is built already, instead of a revision")
	flags.StringVar(
		&o.measured,
		"measured",
		filepath.FromSlash("../shared/measured"),
		"measurements for validate; left out where there are none",
	)
	flags.Float64Var(&o.tolerance, "tolerance", 0, "relative difference below which two numbers are equal")
	flags.IntVar(&o.shown, "n", 20, "number of differences to print")
	only := flags.String("only", "", "experiments to compare, separated by commas (default all)")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	o.revision = flags.Arg(0)
	if flags.NArg() > 1 || (o.revision == "") == (o.binary == "") {
		flags.Usage()
		return nil, errors.New("give a revision, or -base-binary")
	}
	o.only = strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	return o, nil
}

// compareVersions is the command.
func compareVersions(args []string, stdout io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "unchanged-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	base, work, err := build(o, dir)
	if err != nil {
		return err
	}
	c := &comparison{tolerance: o.tolerance}
	if err := compareAll(c, base, work, o, stdout); err != nil {
		return err
	}
	c.print(stdout, o.shown)
	if len(c.differences) > 0 {
		return errChanged
	}
	return nil
}

// compareAll compares every experiment that both versions have, and validate.
func compareAll(c *comparison, base, work *version, o *options, stdout io.Writer) error {
	names, err := common(c, base, work)
	if err != nil {
		return err
	}
	if len(o.only) > 0 {
		names = o.only
	}
	for _, name := range names {
		before := len(c.differences)
		if err := compareExperiment(c, name, base, work); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(stdout, "%-28s %d differences\n", name, len(c.differences)-before)
	}
	if _, err := os.Stat(o.measured); err != nil || len(o.only) > 0 {
		return nil
	}
	before := len(c.differences)
	if err := compareValidation(c, o.measured, base, work); err != nil {
		return fmt.Errorf("validate: %w", err)
	}
	fmt.Fprintf(stdout, "%-28s %d differences\n", "validate", len(c.differences)-before)
	return nil
}
