package experiments

import (
	"fmt"

	"kneepoint/units/badinput"
)

// SearchSpec is the [search] table: which load a search for knees varies, and how close it
// comes. Nil and empty values mean "not given".
type SearchSpec struct {
	Load      string   `toml:"load"`                    // a path, like "workload.arrival.rate"
	Target    *float64 `toml:"target" check:"share"`    // of the requests; nil: slo.attainment
	Tolerance *float64 `toml:"tolerance" check:"share"` // share of the load that half the interval should be
	Min       *float64 `toml:"min" check:"positive"`    // what is searched: from here
	Max       *float64 `toml:"max" check:"positive"`    // to here; nil: as far as it takes
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
	}
	return nil
}
