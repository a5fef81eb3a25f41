package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// Side is a folder of results, and the strategies of it that are compared: the i-th of one side with the
// i-th of the other.
type Side struct {
	Name       string // of the folder, for messages
	Results    *results.Results
	Strategies []string
}

// Knee is the key of the knee, which is no metric of a run.
const Knee = "knee"

// usual are the metrics that are compared unless others are asked for.
func usual(a, b *results.SLO) []string {
	return slices.Concat([]string{Knee, metrics.P99TTFT}, tails(a, b), []string{metrics.OutputThroughput, metrics.Goodput})
}

// tails are how slowly tokens come, by the objective of either side: two where one bounds the gaps and the other does not.
func tails(a, b *results.SLO) []string {
	return slices.Compact([]string{a.Pace().Tail, b.Pace().Tail})
}

// Known are the keys of all that can be compared.
func Known() []string { return append([]string{Knee}, metrics.Keys()...) }

// Results compares strategies of two folders of results, or of one, at all points that both sides
// have. Errors are *badinput.Error: nothing in common, a metric without a value, a tolerance that cannot be
// held.
func Results(a, b *Side, o Options) (*Comparison, error) {
	if err := sameAxes(a, b); err != nil {
		return nil, err
	}
	c := &Comparison{SchemaVersion: SchemaVersion, A: a.Name, B: b.Name, Differs: differingKeys(a, b),
		Interrupted: interrupted(a.Results.Incomplete, b.Results.Incomplete)}
	c.Unpaired = unpaired(a, b)
	c.Paired = c.Unpaired == ""
	pairs := a.pairs(b)
	for _, metric := range wanted(o.Metrics, usual(&a.Results.SLO, &b.Results.SLO)) {
		for i, strategy := range a.Strategies {
			if metric == Knee {
				c.Rows = append(c.Rows, kneeRows(a, b, i, len(o.Metrics) > 0)...)
				continue
			}
			for _, p := range pairs {
				if p.strategy == i {
					c.add(p.row(metric, strategy, c.Paired))
				}
			}
		}
	}
	c.OnlyA, c.OnlyB = lacking(a, b), lacking(b, a)
	if len(c.OnlyA) > 0 && len(o.Tolerance) > 0 && len(c.Rows) > 0 {
		return nil, &badinput.Error{Key: "--tolerance",
			Problem: fmt.Sprintf("%s lacks points of %s: %s", b.Name, a.Name, strings.Join(c.OnlyA, "; "))}
	}
	return c.judged(o)
}

// wanted are the metrics that are asked for, or the usual ones.
func wanted(asked, usual []string) []string {
	if len(asked) > 0 {
		return asked
	}
	return usual
}

// add adds a row, if there is one.
func (c *Comparison) add(row *Row) {
	if row != nil {
		c.Rows = append(c.Rows, *row)
	}
}

// judged is the comparison with its verdicts, unless there is nothing to judge or too little.
func (c *Comparison) judged(o Options) (*Comparison, error) {
	for _, metric := range o.Metrics {
		if !slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Metric == metric }) {
			return nil, &badinput.Error{Key: "--metric", Value: metric, Problem: "has no value that both sides have in common"}
		}
	}
	if len(c.Rows) == 0 {
		return nil, &badinput.Error{Problem: fmt.Sprintf("%s and %s have nothing in common: no point of the one is one of the other", c.A, c.B)}
	}
	judge(c.Rows)
	tolerate(c.Rows, o.Tolerance)
	return c, c.checkTolerance()
}

// checkTolerance refuses to hold against a tolerance what nothing is known of: few runs of other requests.
func (c *Comparison) checkTolerance() error {
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Tolerance != nil && !c.Paired && r.Verdict == Unknown {
			return &badinput.Error{Key: "--tolerance",
				Problem: fmt.Sprintf("%s: the requests differ (%s), and there are too few runs to tell what that makes", r.Label, c.Unpaired),
				Allowed: fmt.Sprintf("replications = %d or more, or the same seed and workload", fewest)}
		}
	}
	return nil
}

// sameAxes refuses sweeps of which no point is one of the other.
func sameAxes(a, b *Side) error {
	paths := func(s *Side) []string {
		var all []string
		for _, axis := range s.Results.Sweep {
			all = append(all, axis.Path)
		}
		slices.Sort(all)
		return all
	}
	of, over := paths(a), paths(b)
	if !slices.Equal(of, over) {
		return &badinput.Error{Problem: fmt.Sprintf("%s and %s have different points: %s is swept in the one, %s in the other", a.Name, b.Name,
			cmp.Or(strings.Join(of, ", "), "nothing"), cmp.Or(strings.Join(over, ", "), "nothing"))}
	}
	return nil
}
