package experiments

import (
	"fmt"

	"kneepoint/policies"
	"kneepoint/policies/scaling"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// AutoscaleSpec is the [fleet.autoscale] table: who decides how many replicas a pool has.
type AutoscaleSpec struct {
	Scaler      string `toml:"scaler" required:"true" oneof:"@scalers"`
	MinReplicas int    `toml:"min_replicas" check:"nonnegative" most:"100000"`
	MaxReplicas int    `toml:"max_replicas" check:"positive" most:"100000"` // 0: no limit
	ScalerKeys
}

// ScalerKeys are the keys of [fleet.autoscale] that some scalers read, see
// scaling.Parameters. One that is not given is as the scaler has it.
type ScalerKeys struct {
	IdleTimeout       *units.Seconds `toml:"idle_timeout" check:"positive"`
	Metric            *string        `toml:"metric" oneof:"@metrics"`
	Target            *float64       `toml:"target" check:"positive"`
	Interval          *units.Seconds `toml:"interval" check:"positive"`
	UpStabilization   *units.Seconds `toml:"scale_up_stabilization" check:"nonnegative"`
	DownStabilization *units.Seconds `toml:"scale_down_stabilization" check:"nonnegative"`
	Tolerance         *float64       `toml:"tolerance" check:"nonnegative"`
	UpPercent         *float64       `toml:"scale_up_percent" check:"nonnegative"`
	UpReplicas        *int           `toml:"scale_up_replicas" check:"nonnegative" most:"100000"`
	UpPeriod          *units.Seconds `toml:"scale_up_period" check:"positive"`
	TargetUtilization *float64       `toml:"target_utilization" check:"share"`
	StableWindow      *units.Seconds `toml:"stable_window" check:"positive"`
	PanicWindow       *units.Seconds `toml:"panic_window" check:"positive"`
	PanicThreshold    *float64       `toml:"panic_threshold" check:"positive"`
	MaxUpRate         *float64       `toml:"max_scale_up_rate" check:"positive"`
	MaxDownRate       *float64       `toml:"max_scale_down_rate" check:"positive"`
	LookBack          *units.Seconds `toml:"look_back" check:"positive"`
	KVThreshold       *float64       `toml:"kv_threshold" check:"share"`
	QueueThreshold    *float64       `toml:"queue_threshold" check:"positive"`
	KVSpare           *float64       `toml:"kv_spare" check:"nonnegative"`
	QueueSpare        *float64       `toml:"queue_spare" check:"nonnegative"`
	Schedule          []StepSpec     `toml:"schedule"`
	Period            *units.Seconds `toml:"period" check:"positive"`
}

// StepSpec is one of [fleet.autoscale] schedule.
type StepSpec struct {
	At       units.Seconds `toml:"at" required:"true" check:"nonnegative"` // from the start of the run
	Replicas int           `toml:"replicas" required:"true" check:"nonnegative" most:"100000"`
}

// SetDefaults keeps one replica.
func (a *AutoscaleSpec) SetDefaults() { a.MinReplicas = 1 }

// Words are the names in the tables of scalers and their metrics.
func (*ScalerKeys) Words(list string) []string {
	if list == "scalers" {
		return policies.Names(scaling.Scalers)
	}
	var names []string
	for _, m := range scaling.Metrics {
		names = append(names, string(m))
	}
	return names
}

// parameters are those of the scaler, with the keys that are given laid over them.
func (a *AutoscaleSpec) parameters() scaling.Parameters {
	p, k := a.entry().Defaults, &a.ScalerKeys
	if k.Metric != nil {
		p.Metric = scaling.Metric(*k.Metric)
	}
	give(&p.Target, k.Target)
	give(&p.Interval, k.Interval)
	give(&p.UpStabilization, k.UpStabilization)
	give(&p.DownStabilization, k.DownStabilization)
	give(&p.IdleTimeout, k.IdleTimeout)
	give(&p.Tolerance, k.Tolerance)
	give(&p.UpPercent, k.UpPercent)
	give(&p.UpReplicas, k.UpReplicas)
	give(&p.UpPeriod, k.UpPeriod)
	give(&p.TargetUtilization, k.TargetUtilization)
	give(&p.StableWindow, k.StableWindow)
	give(&p.PanicWindow, k.PanicWindow)
	give(&p.PanicThreshold, k.PanicThreshold)
	give(&p.MaxUpRate, k.MaxUpRate)
	give(&p.MaxDownRate, k.MaxDownRate)
	give(&p.LookBack, k.LookBack)
	give(&p.KVThreshold, k.KVThreshold)
	give(&p.QueueThreshold, k.QueueThreshold)
	give(&p.KVSpare, k.KVSpare)
	give(&p.QueueSpare, k.QueueSpare)
	give(&p.Period, k.Period)
	for _, step := range k.Schedule {
		p.Steps = append(p.Steps, scaling.Step(step))
	}
	return p
}

// entry is the scaler's entry of the table of scalers.
func (a *AutoscaleSpec) entry() scaling.Entry { return entry(scaling.Scalers, a.Scaler) }

// Validate refuses bounds that cross, and targets that no number of replicas can meet.
func (a *AutoscaleSpec) Validate() error {
	p, scaler := a.parameters(), a.entry()
	share := p.Metric.IsShare()
	switch {
	case a.MaxReplicas > 0 && a.MinReplicas > a.MaxReplicas:
		return &badinput.Error{Key: "min_replicas", Value: a.MinReplicas, Problem: "is more than max_replicas",
			Allowed: fmt.Sprintf("0 to %d", a.MaxReplicas)}
	case a.MaxReplicas == 0 && scaler.Reads("interval"):
		return &badinput.Error{Key: "max_replicas", Problem: "missing: a scaler that follows the load needs a limit", Allowed: "from 1"}
	case scaler.Reads("target") && p.Target == 0:
		return &badinput.Error{Key: "target", Problem: fmt.Sprintf("missing: of %s for each replica", p.Metric), Allowed: "above 0"}
	case scaler.Reads("metric") && share && p.Target >= 1:
		return &badinput.Error{Key: "target", Value: p.Target, Problem: fmt.Sprintf("can never be met: %s is a share", p.Metric),
			Allowed: "above 0, below 1"}
	case scaler.Reads("panic_window") && p.PanicWindow > p.StableWindow:
		return &badinput.Error{Key: "panic_window", Value: p.PanicWindow.String(), Problem: "is longer than stable_window",
			Allowed: "up to " + p.StableWindow.String()}
	}
	if scaler.Reads("panic_threshold") {
		for _, factor := range []struct {
			key   string
			value float64
		}{{"panic_threshold", p.PanicThreshold}, {"max_scale_up_rate", p.MaxUpRate}, {"max_scale_down_rate", p.MaxDownRate}} {
			if factor.value <= 1 {
				return &badinput.Error{Key: factor.key, Value: factor.value, Problem: "must be greater than 1"}
			}
		}
	}
	if err := a.checkTimes(); err != nil {
		return err
	}
	if scaler.Reads("schedule") {
		return a.checkSchedule()
	}
	return nil
}

// shortestLook is how often a pool is looked at, at most: each look costs time, whether
// anything changes or not.
const shortestLook units.Seconds = 0.01

// checkTimes refuses times after which a pool is looked at that nobody uses.
func (a *AutoscaleSpec) checkTimes() error {
	for _, of := range []struct {
		key  string
		time *units.Seconds
	}{{"interval", a.Interval}, {"idle_timeout", a.IdleTimeout}, {"period", a.Period}} {
		if of.time != nil && *of.time < shortestLook {
			return &badinput.Error{Key: of.key, Value: of.time.String(), Problem: "too short", Allowed: fmt.Sprintf("from %q on", shortestLook)}
		}
	}
	return nil
}

// checkSchedule refuses steps out of order, and numbers that the bounds forbid.
func (a *AutoscaleSpec) checkSchedule() error {
	if len(a.Schedule) == 0 {
		return &badinput.Error{Key: "schedule", Problem: "missing: scaler is schedule", Allowed: `like [{ at = "0s", replicas = 2 }]`}
	}
	for i, step := range a.Schedule {
		key := fmt.Sprintf("schedule[%d]", i)
		switch {
		case i == 0 && step.At != 0:
			return &badinput.Error{Key: key + ".at", Value: step.At.String(), Problem: "the first step is from the start on", Allowed: `"0s"`}
		case i > 0 && step.At <= a.Schedule[i-1].At:
			return &badinput.Error{Key: key + ".at", Value: step.At.String(), Problem: "must be later than the step before"}
		case a.Period != nil && step.At >= *a.Period:
			return &badinput.Error{Key: key + ".at", Value: step.At.String(), Problem: "is never: period begins anew before",
				Allowed: "before " + a.Period.String()}
		case step.Replicas < a.MinReplicas || a.MaxReplicas > 0 && step.Replicas > a.MaxReplicas:
			return &badinput.Error{Key: key + ".replicas", Value: step.Replicas, Problem: "is out of min_replicas and max_replicas",
				Allowed: fmt.Sprintf("from %d", a.MinReplicas)}
		}
	}
	return nil
}
