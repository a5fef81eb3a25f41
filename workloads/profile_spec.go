package workloads

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// StageSpec is one of workload.arrival.stages: a mean number of requests per second, 0 for
// none, and how long it holds.
type StageSpec struct {
	Rate     float64       `toml:"rate" check:"nonnegative" required:"true"`
	Duration units.Seconds `toml:"duration" check:"positive" required:"true"`
}

// Validate reports a stage that cannot be drawn.
func (s *StageSpec) Validate() error {
	if s.Rate != 0 && !(s.Rate >= slowest && s.Rate <= fastest) {
		return &badinput.Error{Key: "rate", Value: s.Rate, Problem: "out of range", Allowed: "0, or " + someRate}
	}
	return longEnough("duration", s.Duration)
}

// someRate are the rates that there are.
const someRate = "1e-06 to 1e+09 requests per second"

// profiledProcesses are those whose rate may change by design.
var profiledProcesses = []string{"poisson", "gamma", "weibull", "constant"}

// profiles are the keys that say how the rate changes by design, of which there may be one.
func (a *ArrivalSpec) profiles() []string {
	var keys []string
	for _, p := range []struct {
		key   string
		given bool
	}{{"stages", a.Stages != nil}, {"hourly", a.Hourly != nil}, {"ramp", a.Ramp != nil}} {
		if p.given {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// Profile is the key that says how the rate changes by design: stages, hourly, ramp, or "" where
// it does not change.
func (a *ArrivalSpec) Profile() string {
	if keys := a.profiles(); len(keys) > 0 {
		return keys[0]
	}
	return ""
}

// validateProfile checks how the rate changes by design, and what else says it.
func (a *ArrivalSpec) validateProfile() error {
	if a.Hour != 0 && a.Hourly == nil {
		return &badinput.Error{Key: "hour", Value: a.Hour.String(), Problem: "has no effect without hourly"}
	}
	keys := a.profiles()
	if len(keys) == 0 {
		return nil
	}
	key := keys[0]
	switch {
	case len(keys) > 1:
		return &badinput.Error{Key: keys[1], Problem: "says the rate a second time, beside " + key, Allowed: "one of them"}
	case a.Process != "" && !slices.Contains(profiledProcesses, a.Process):
		return &badinput.Error{Key: key, Problem: "does not go with process = " + a.Process,
			Allowed: "process one of " + strings.Join(profiledProcesses, ", ")}
	case a.Normalize:
		return &badinput.Error{Key: "normalize", Value: true, Problem: "would move the times of " + key}
	case key == "hourly" && a.Rate == infinite:
		return &badinput.Error{Key: "rate", Value: "inf", Problem: "leaves nothing to hourly: all requests arrive at once",
			Allowed: someRate}
	case key != "hourly" && a.Rate != 0:
		return &badinput.Error{Key: "rate", Value: a.Rate.EncodeTOML(), Problem: "has no effect beside " + key + ", which has the rates"}
	}
	switch key {
	case "stages":
		return a.validateStages()
	case "hourly":
		return a.validateHourly()
	}
	return nil
}

func (a *ArrivalSpec) validateStages() error {
	switch length := units.Seconds(a.stagesEnd()); {
	case !slices.ContainsFunc(a.Stages, func(s StageSpec) bool { return s.Rate > 0 }):
		return &badinput.Error{Key: "stages", Problem: "without any request",
			Allowed: `like [{ rate = 1, duration = "30s" }, { rate = 5, duration = "5m" }]`}
	case length > units.Longest:
		return &badinput.Error{Key: "stages", Problem: fmt.Sprintf("last %.3g s", float64(length)), Allowed: withinLongest}
	}
	return nil
}

func (a *ArrivalSpec) validateHourly() error {
	const allowed = "24 factors, those of a day, or 168 of a week from 0 on, not all of them 0"
	if n := len(a.Hourly); n != hoursOfADay && n != hoursOfAWeek {
		return &badinput.Error{Key: "hourly", Problem: fmt.Sprintf("has %d factors", n), Allowed: allowed}
	}
	for i, factor := range a.Hourly {
		if !nonnegative(factor) {
			return &badinput.Error{Key: fmt.Sprintf("hourly[%d]", i), Value: factor, Problem: "must not be negative"}
		}
	}
	if !(slices.Max(a.Hourly) > 0) {
		return &badinput.Error{Key: "hourly", Problem: "without any request", Allowed: allowed}
	}
	if a.Hour != 0 {
		return longEnough("hour", a.Hour)
	}
	return nil
}
