package experiments

import (
	"kneepoint/experiments/results"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// checkBreakEven checks the table of an expectation of a break-even, which has no place.
func (s *ExpectSpec) checkBreakEven() error {
	const problem = "has no effect on " + results.BreakEvenMetric
	switch {
	case s.Ratio != nil:
		return &badinput.Error{Key: "ratio", Value: s.Ratio, Problem: problem, Allowed: `strategy = "a"`}
	case s.Strategy == "":
		return &badinput.Error{Key: "strategy", Problem: "missing: whose break-even is expected", Allowed: `like "a"`}
	case s.At != nil:
		return &badinput.Error{Key: "at", Value: s.At.EncodeTOML(), Problem: problem, Allowed: "none"}
	case s.Window != "run":
		return &badinput.Error{Key: "window", Value: s.Window, Problem: problem, Allowed: `"run"`}
	}
	return checkBetween(s.Between)
}

// checkBreakEvenOf refuses an expectation of a break-even that is not searched.
func (e *Experiment) checkBreakEvenOf(strategy string) error {
	switch search := e.Spec.Search; {
	case !search.asksBreakEvens():
		return &badinput.Error{Key: "metric", Value: results.BreakEvenMetric, Problem: "is not searched",
			Allowed: "a metric of runs, or [search] with metric"}
	case search.Over == strategy:
		return &badinput.Error{Key: "strategy", Value: strategy, Problem: "is what the others are compared with, and has no break-even"}
	}
	return nil
}

// ofBreakEvens are the [[expect]] tables that are about break-evens; nil for none.
func ofBreakEvens(expect any) any {
	var kept []any
	for _, table := range strict.Tables(expect) {
		if table["metric"] == results.BreakEvenMetric {
			kept = append(kept, table)
		}
	}
	if kept == nil {
		return nil
	}
	return kept
}
