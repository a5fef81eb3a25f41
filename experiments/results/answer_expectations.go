package results

import (
	"math"

	"kneepoint/sim/metrics"
)

// PlanMetrics are what an option has beside the metrics of its fleet: units without spares, and
// accelerators and $ an hour with them.
var PlanMetrics = []string{"units", "accelerators", "usd_per_hour"}

// PlanExpected is one [[expect]] table of a plan: where a value of a candidate must lie.
type PlanExpected struct {
	Metric    string
	Candidate string // "": the best
	Low, High float64
	Source    string
}

// Expect holds the answer against what is expected of it. A candidate that is no answer has no value, and meets
// nothing.
func (a *Answer) Expect(expected []PlanExpected) {
	for i := range expected {
		x := &expected[i]
		e := Expectation{What: x.Metric + " of the best candidate", Low: x.Low, High: x.High, Source: x.Source}
		if x.Candidate != "" {
			e.What = x.Metric + " of " + x.Candidate
		}
		if o := a.option(x.Candidate); o != nil {
			e.hold(a.value(o, x.Metric))
		}
		a.Expectations = append(a.Expectations, e)
	}
}

// option is the one of a name, the best one of none; nil where it does not serve the demand.
func (a *Answer) option(name string) *Option {
	for i := range a.Options {
		if name == "" || a.Options[i].Name == name {
			return &a.Options[i]
		}
	}
	return nil
}

// value is what an option has of a metric; NaN where that is nothing. The attainment is that by which it was judged.
func (a *Answer) value(o *Option, metric string) float64 {
	fleet := float64(o.Units + a.Demand.Spare)
	switch metric {
	case "units":
		return float64(o.Units)
	case "accelerators":
		return fleet * float64(o.Unit.Accelerators)
	case "usd_per_hour":
		if o.Unit.USDPerHour == nil {
			return math.NaN()
		}
		return fleet * *o.Unit.USDPerHour
	case metrics.Attainment:
		return o.Judged.Attainment
	}
	if e, ok := o.Metric(metric); ok {
		return e.Mean
	}
	return math.NaN()
}
