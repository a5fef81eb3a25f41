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

	Over   string `toml:"over"`   // a strategy that the others are to be as good as; "": knees are searched
	Metric string `toml:"metric"` // in which
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
	case s.Metric != "" && s.Over == "":
		return &badinput.Error{Key: "over", Problem: "missing: metric is given", Allowed: "the strategy that the others are compared with"}
	case s.Over != "":
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
		{"load", "the path of what is varied, like strategy.NAME.speculation.acceptance", s.Load == ""},
		{"metric", "a name that `kneepoint list metrics` shows", s.Metric == ""},
		{"min", "where the search begins", s.Min == nil},
		{"max", "where it ends", s.Max == nil},
	} {
		if k.missing {
			return &badinput.Error{Key: k.key, Problem: "missing: over is given", Allowed: k.allowed}
		}
	}
	if s.Target != nil {
		return &badinput.Error{Key: "target", Value: *s.Target, Problem: "has no effect with over, which asks for no knee"}
	}
	return knownMetric(s.Metric)
}
