package experiments

import (
	"fmt"

	"kneepoint/units/badinput"
)

// SearchSpec is the [search] table: which load a search for knees varies, and how close it
// comes; or, with Over, which variable one for break-evens does. Nil and empty values mean "not given".
type SearchSpec struct {
	Load      string   `toml:"load"`                    // a path, like "workload.arrival.rate"
	Target    *float64 `toml:"target" check:"share"`    // of the requests; nil: slo.attainment
	Tolerance *float64 `toml:"tolerance" check:"share"` // share of the load that half the interval should be
	Min       *float64 `toml:"min" check:"positive"`    // what is searched: from here
	Max       *float64 `toml:"max" check:"positive"`    // to here; nil: as far as it takes

	MaxRequests *int `toml:"max_requests" check:"positive"` // that are simulated at most, about; nil: the usual

	Metric string   `toml:"metric"` // of which as much is searched as another strategy has, or a number; "": knees are searched
	Over   string   `toml:"over"`   // that strategy
	Bound  *float64 `toml:"bound"`  // that number, in the metric's unit
	Client string   `toml:"client"` // the class of requests whose metric it is; "": all
}

// The largest tolerance that says anything, and the largest target that a number of
// requests can show to be met.
const (
	widestTolerance = 0.5
	highestTarget   = 0.9999
)

// Validate checks what one key cannot say alone.
func (s *SearchSpec) Validate() error {
	switch {
	case s.Tolerance != nil && *s.Tolerance > widestTolerance:
		return &badinput.Error{Key: "tolerance", Value: *s.Tolerance, Problem: "is no accuracy",
			Allowed: fmt.Sprintf("above 0, up to %v", widestTolerance)}
	case s.Min != nil && s.Max != nil && *s.Min >= *s.Max:
		return &badinput.Error{Key: "max", Value: *s.Max, Problem: fmt.Sprintf("leaves nothing to search from min = %v on", *s.Min),
			Allowed: "more than min"}
	case s.Over != "" || s.Bound != nil || s.Metric != "" || s.Client != "":
		return s.checkBreakEven()
	}
	return nil
}

// checkBreakEven refuses a search for break-evens that lacks something, or says what only knees have.
func (s *SearchSpec) checkBreakEven() error {
	for _, k := range []struct {
		key, allowed string
		missing      bool
	}{
		{"metric", "a name that `kneepoint list metrics` shows", s.Metric == ""},
		{"over", "the strategy that the others are compared with, or bound, a number", s.Over == "" && s.Bound == nil},
		{"load", "the path of what is varied, like strategy.NAME.speculation.acceptance", s.Load == ""},
		{"min", "where the search begins", s.Min == nil},
		{"max", "where it ends", s.Max == nil},
	} {
		if k.missing {
			return &badinput.Error{Key: k.key, Problem: "missing: a break-even is asked for", Allowed: k.allowed}
		}
	}
	switch {
	case s.Over != "" && s.Bound != nil:
		return &badinput.Error{Key: "bound", Value: *s.Bound, Problem: "is not needed with over, which gives what the metric is compared with",
			Allowed: "one of them"}
	case s.MaxRequests != nil:
		return &badinput.Error{Key: "max_requests", Value: *s.MaxRequests, Problem: "has no effect with metric, which asks for no knee"}
	case s.Target != nil:
		return &badinput.Error{Key: "target", Value: *s.Target, Problem: "has no effect with metric, which asks for no knee"}
	}
	return knownMetric(s.Metric)
}
