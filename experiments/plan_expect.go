package experiments

import (
	"fmt"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/internal/strict"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// PlanExpectSpec is one [[expect]] table of a plan: where a value of its answer must lie.
type PlanExpectSpec struct {
	Metric    string    `toml:"metric" required:"true"`
	Candidate string    `toml:"candidate"`               // "": the best
	Between   []float64 `toml:"between" required:"true"` // [low, high]
	Source    string    `toml:"source"`                  // where the bounds come from
}

// Validate checks what concerns the table alone.
func (s *PlanExpectSpec) Validate() error {
	if _, known := metrics.Lookup(s.Metric); !known && !slices.Contains(results.PlanMetrics, s.Metric) {
		return &badinput.Error{Key: "metric", Value: s.Metric, Problem: "unknown metric",
			Nearest: badinput.Nearest(s.Metric, slices.Concat(results.PlanMetrics, metrics.Keys())),
			Allowed: "units, accelerators, usd_per_hour, or a name that `kneepoint list metrics` shows"}
	}
	return checkBetween(s.Between)
}

// expectations reads the [[expect]] tables, which are about candidates.
func (p *Planning) expectations(all []candidate) error {
	given := p.File.tree["expect"]
	tables := strict.Tables(given)
	if given != nil && len(tables) == 0 {
		return &badinput.Error{Key: "expect", Value: given, Problem: "wrong kind of value", Allowed: "[[expect]] tables"}
	}
	var names []string
	for i := range all {
		names = append(names, all[i].name)
	}
	for i, table := range tables {
		var x PlanExpectSpec
		err := strict.Decode(table, &x)
		if err == nil && x.Candidate != "" && !slices.Contains(names, x.Candidate) {
			err = &badinput.Error{Key: "candidate", Value: x.Candidate, Problem: "no candidate of this name",
				Allowed: "a name that plan --verbose prints", Nearest: badinput.Nearest(x.Candidate, names)}
		}
		if err != nil {
			return badinput.Under(fmt.Sprintf("expect[%d]", i), err)
		}
		p.expected = append(p.expected, results.PlanExpected{Metric: x.Metric, Candidate: x.Candidate,
			Low: x.Between[0], High: x.Between[1], Source: x.Source})
	}
	return nil
}
