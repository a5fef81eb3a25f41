package experiments

import "kneepoint/sim/metrics"

// summarize turns the record of a run into its metrics.
func (j *job) summarize(rec *metrics.Record) *Run {
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
	if j.window != nil {
		run.Steady = metrics.SummarizeWindow(rec, j.spec.SLO.Objective())
	}
	return run
}
