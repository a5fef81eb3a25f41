package scaling

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// Parameters are what scalers are made with, by the keys of [fleet.autoscale]. Each
// reads those that its entry names.
type Parameters struct {
	Replicas int // of the pool when the run starts

	Metric   Metric
	Target   float64 // of the metric, for each replica
	Interval units.Seconds

	// A lower number is wanted only when it was for as long as DownStabilization, a higher
	// one when it was for UpStabilization.
	UpStabilization, DownStabilization units.Seconds

	IdleTimeout units.Seconds // see Bounds

	// Of HPA: no change while the metric is within a share Tolerance of its target, and
	// within UpPeriod at most a share UpPercent/100 of the replicas more, or UpReplicas.
	Tolerance  float64
	UpPercent  float64
	UpReplicas int
	UpPeriod   units.Seconds

	// Of Knative, see there.
	TargetUtilization         float64
	StableWindow, PanicWindow units.Seconds
	PanicThreshold            float64
	MaxUpRate, MaxDownRate    float64

	LookBack units.Seconds // of Ray Serve: requests are averaged over this time

	// Of WVA: from which use on a replica is saturated, and how much less the others have
	// to use on average.
	KVThreshold, KVSpare       float64
	QueueThreshold, QueueSpare float64

	// Of a schedule: in order of time, the first at 0. It is repeated after Period; 0: not.
	Steps  []Step
	Period units.Seconds
}

// Step is a number of replicas from a time on, after the start of the run.
type Step struct {
	At       units.Seconds
	Replicas int
}

// Entry is a scaler of an experiment file.
type Entry struct {
	policies.Description

	// Defaults are the parameters that an experiment file does not give, as the scaler's
	// authors publish them. There is none for the target of HPA, nor for a schedule.
	Defaults Parameters

	New func(Parameters) Scaler
}

// Scalers are all scalers, in the order in which messages name them.
var Scalers = []Entry{hpaEntry, knativeEntry, rayServeEntry, wvaEntry, scheduleEntry, fixedEntry}
