package experiments

import (
	"kneepoint/hardware"
	"kneepoint/sim/metrics"
)

// summarize turns the record of a run into its metrics.
func (j *job) summarize(rec *metrics.Record, cost hardware.CostModel) *Run {
	rec.Classes = j.spec.objectives()
	run := &Run{
		Strategy:    j.strategy,
		Point:       j.point.named(j.axes),
		Seed:        j.spec.Seed,
		Replication: j.replication,
		QueueFull:   rec.Totals.QueueFull,
		Metrics:     metrics.Summarize(rec, j.spec.SLO.Objective(), j.deployment),
		Clients:     j.clientRuns(rec),
	}
	run.Why = metrics.Explain(rec, j.spec.SLO.Objective(), cost)
	if j.window != nil {
		run.Steady = metrics.SummarizeWindow(rec, j.spec.SLO.Objective())
	}
	return run
}
