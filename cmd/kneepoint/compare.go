package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kneepoint/experiments/compare"
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	metrics    []string
	tolerances []string // "SHARE%" or "METRIC=SHARE%"
	json       bool
	noColor    bool
}

func (f *compareFlags) declare(set *pflag.FlagSet) {
	set.StringArrayVar(&f.metrics, "metric", nil,
		"metric to compare, or knee; may be repeated (default knee, p99 latencies, throughput and goodput)")
	set.StringArrayVar(&f.tolerances, "tolerance", nil,
		"exit 1 where B is worse than A by more: 2% of any metric, or METRIC=2%; may be repeated")
	set.BoolVar(&f.json, "json", false, "print JSON instead of a table")
	set.BoolVar(&f.noColor, "no-color", false, "no colour, even on a terminal")
}

// newCompare makes the verb that tells two results apart.
func newCompare() *cobra.Command {
	var flags compareFlags
	cmd := &cobra.Command{
		Use:   "compare A B | compare DIR STRATEGY STRATEGY",
		Short: "Compare two results or plans, or two strategies of results",
		Long: `Compare says by how much B differs from A, per metric and point, with 95% intervals,
and which differences are more than chance. A and B are folders that run, knee or plan
wrote; of two folders all strategies (of plans: the best, and all candidates) are
compared that both have, or those that are named behind them. With --tolerance it
exits with status 1 where B is worse by more.`,
		Example: `  kneepoint compare results/quickstart static continuous
  kneepoint compare results/before results/after
  kneepoint compare results/before results/after static continuous
  kneepoint compare results/plan-chat results/plan-chat-2027
  kneepoint compare results/before results/after --tolerance 2%
  kneepoint compare results/before results/after --metric p99_ttft_ms --tolerance 5%
  kneepoint compare results/before results/after --tolerance request_goodput=1% --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 4 {
				return exactly(2, "two folders, or a folder and two strategies")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCompare(args, &flags, cmd.OutOrStdout())
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	flags.declare(cmd.Flags())
	return cmd
}

// runCompare compares, prints, and fails where something is worse than is tolerated.
func runCompare(args []string, flags *compareFlags, stdout io.Writer) error {
	options, err := flags.options()
	if err != nil {
		return err
	}
	c, err := compared(args, options)
	if err == nil {
		err = flags.checkHeld(c)
	}
	if err != nil {
		return err
	}
	if flags.json {
		err = printJSON(stdout, c)
	} else {
		var text strings.Builder
		renderComparison(newPage(stdout, flags.noColor).on(&text), c)
		_, err = io.WriteString(stdout, text.String())
	}
	return errors.Join(err, worse(c))
}

// compared compares what the arguments name.
func compared(args []string, o compare.Options) (*compare.Comparison, error) {
	folders, names := args[:2], args[2:]
	if len(args) == 3 {
		folders, names = args[:1], args[1:]
	}
	for _, dir := range folders {
		if !isPlan(dir) && !results.IsIn(dir) {
			return nil, &badinput.Error{Problem: dir + ": holds no results", Allowed: "a folder that run, knee or plan wrote"}
		}
	}
	if isPlan(folders[0]) != isPlan(folders[len(folders)-1]) {
		return nil, &badinput.Error{Problem: fmt.Sprintf("%s and %s: a plan is compared with a plan, results with results", args[0], args[1])}
	}
	if isPlan(folders[0]) {
		return comparedPlans(folders, names, o)
	}
	a, b, err := readBoth(folders, readSide)
	if err != nil {
		return nil, err
	}
	of, over, err := sides(a, b, names)
	if err != nil {
		return nil, err
	}
	return compare.Results(of, over, o)
}

// readBoth reads two folders, or the one twice.
func readBoth[T any](folders []string, read func(dir string) (*T, error)) (a, b *T, err error) {
	if a, err = read(folders[0]); err != nil || len(folders) == 1 {
		return a, a, err
	}
	b, err = read(folders[1])
	return a, b, err
}

// readSide reads a folder of results.
func readSide(dir string) (*compare.Side, error) {
	plan, outcomes, err := results.Read(dir)
	if err != nil {
		return nil, err
	}
	return &compare.Side{Name: dir, Results: results.Aggregate(plan, results.ByKey(outcomes))}, nil
}

// sides are both sides with the strategies that are compared: those that are named, those that both have, or the only ones.
func sides(a, b *compare.Side, names []string) (of, over *compare.Side, err error) {
	x, y := *a, *b
	switch {
	case len(names) == 2:
		x.Strategies, y.Strategies = names[:1], names[1:]
		err = errors.Join(checkStrategy(a, names[0]), checkStrategy(b, names[1]))
	case len(a.Results.Strategies) == 1 && len(b.Results.Strategies) == 1:
		x.Strategies, y.Strategies = a.Results.Strategies, b.Results.Strategies
	default:
		for _, name := range a.Results.Strategies {
			if slices.Contains(b.Results.Strategies, name) {
				x.Strategies = append(x.Strategies, name)
			}
		}
		if y.Strategies = x.Strategies; len(x.Strategies) == 0 {
			err = &badinput.Error{Problem: fmt.Sprintf("%s and %s have no strategy in common: %s; %s", a.Name, b.Name,
				strings.Join(a.Results.Strategies, ", "), strings.Join(b.Results.Strategies, ", ")), Allowed: "compare A B STRATEGY-OF-A STRATEGY-OF-B"}
		}
	}
	switch {
	case a == b:
		x.Name, y.Name = names[0], names[1]
	case len(names) == 2:
		x.Name, y.Name = a.Name+", "+names[0], b.Name+", "+names[1]
	}
	return &x, &y, err
}

// checkStrategy refuses a strategy that a folder does not have.
func checkStrategy(s *compare.Side, name string) error {
	if slices.Contains(s.Results.Strategies, name) {
		return nil
	}
	return &badinput.Error{File: s.Name, Key: "strategy", Value: name, Problem: "is not there",
		Allowed: strings.Join(s.Results.Strategies, ", "), Nearest: badinput.Nearest(name, s.Results.Strategies)}
}

// options are what the flags ask for. A tolerance of all is one of each metric that can be worse.
func (f *compareFlags) options() (compare.Options, error) {
	o := compare.Options{Metrics: f.metrics, Tolerance: map[string]float64{}}
	for _, metric := range f.metrics {
		if err := checkCompared("--metric", metric); err != nil {
			return o, err
		}
	}
	own := map[string]float64{}
	for _, text := range f.tolerances {
		metric, share, named := strings.Cut(text, "=")
		if !named {
			metric, share = "", text
		} else if err := checkTolerated(metric, f.metrics); err != nil {
			return o, err
		}
		x, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
		if err != nil || !strings.HasSuffix(share, "%") || !(x >= 0 && x <= 1e6) {
			return o, &badinput.Error{Key: "--tolerance", Value: text, Problem: "is no percentage", Allowed: "2%, or METRIC=2%"}
		}
		if own[metric] = x / 100; metric == "" {
			for _, key := range compare.Known() {
				if higherOf(key) != metrics.Neither {
					o.Tolerance[key] = x / 100
				}
			}
		}
	}
	delete(own, "")
	for metric, share := range own {
		o.Tolerance[metric] = share
	}
	return o, nil
}

// checkCompared refuses what is no metric.
func checkCompared(flag, metric string) error {
	known := compare.Known()
	if slices.Contains(known, metric) {
		return nil
	}
	return &badinput.Error{Key: flag, Value: metric, Problem: "unknown metric", Allowed: "knee, or one of `kneepoint list metrics`",
		Nearest: cmp.Or(badinput.Nearest(metric, known), badinput.Nearest(metric+"_ms", known))} // of which units are forgotten
}

// checkTolerated refuses a tolerance of what is not compared, or cannot be worse.
func checkTolerated(metric string, shown []string) error {
	if err := checkCompared("--tolerance", metric); err != nil {
		return err
	}
	if higherOf(metric) == metrics.Neither {
		return &badinput.Error{Key: "--tolerance", Value: metric, Problem: "neither more nor less of it is worse"}
	}
	if len(shown) > 0 && !slices.Contains(shown, metric) {
		return &badinput.Error{Key: "--tolerance", Value: metric, Problem: "is not compared", Allowed: "a metric that --metric names"}
	}
	return nil
}

// checkHeld refuses a tolerance that no row is held against: CI would pass whatever changed.
func (f *compareFlags) checkHeld(c *compare.Comparison) error {
	for _, text := range f.tolerances {
		metric, _, named := strings.Cut(text, "=")
		held := func(r compare.Row) bool { return r.Tolerance != nil && (!named || r.Metric == metric) }
		switch {
		case slices.ContainsFunc(c.Rows, held):
		case named:
			return &badinput.Error{Key: "--tolerance", Value: metric, Problem: "is not compared",
				Allowed: "--metric " + metric + " beside it, where both sides have values"}
		default:
			return &badinput.Error{Key: "--tolerance", Value: text, Problem: "has no effect: nothing that is compared can be worse",
				Allowed: "another --metric beside it"}
		}
	}
	return nil
}

// higherOf says what more of something means. A knee is better where it is at more load; of one of replicas compare knows better.
func higherOf(key string) metrics.Sense {
	if key == compare.Knee {
		return metrics.Better
	}
	definition, _ := metrics.Lookup(key)
	return definition.Higher()
}

// mostWorse is how many differences are named that are worse than is tolerated.
const mostWorse = 3

// worse is the error of what is worse than is tolerated; nil where nothing is.
func worse(c *compare.Comparison) error {
	rows := c.Beyond()
	if len(rows) == 0 {
		return nil
	}
	var parts []string
	for _, r := range rows[:min(len(rows), mostWorse)] {
		parts = append(parts, fmt.Sprintf("%s%s %s, %s is tolerated", r.Label, atText(r), factorText(r), units.Percent(*r.Tolerance)))
	}
	if more := len(rows) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%d of %d differences are worse than is tolerated: %s", len(rows), len(c.Rows), strings.Join(parts, "; "))
}
