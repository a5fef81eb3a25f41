package experiments

import (
	"fmt"

	"kneepoint/sim/metrics"
)

// fewForP99 is the number of values below which a 99th percentile is mostly one
// of the few largest values.
const fewForP99 = 300

// summarize turns the record of a run into its metrics and warnings.
func (j *job) summarize(rec *metrics.Record) *Run {
	run := &Run{
		Strategy:    j.strategy,
		Point:       j.point.named(j.axes),
		Seed:        j.spec.Seed,
		Replication: j.replication,
		Metrics:     metrics.Summarize(rec, j.spec.SLO.Objective(), j.deployment),
	}
	if j.window != nil {
		run.Steady = metrics.SummarizeWindow(rec, j.spec.SLO.Objective())
	}
	run.Warnings = j.runWarnings(run.Metrics)
	return run
}

// runWarnings says what a reader of the run's numbers must know.
func (j *job) runWarnings(m metrics.Values) []string {
	var warnings []string
	warn := func(format string, args ...any) {
		warnings = append(warnings, j.where()+": "+fmt.Sprintf(format, args...))
	}
	if n := m["rejected"]; n > 0 {
		warn("%.0f requests are longer than the context or the KV cache and were rejected (workload.too_long)", n)
	}
	if n := m["unfinished"]; n > 0 {
		warn("%.0f requests had not ended when the run did", n)
	}
	if n := m["completed"]; n < fewForP99 {
		warn("only %.0f requests completed: p99 rests on the largest few", n)
	}
	return warnings
}

// where names the strategy and point, the same for all replications.
func (j *job) where() string {
	text := j.strategy
	for i, axis := range j.axes {
		text += fmt.Sprintf(" at %s = %v", axis.Path, j.point[i])
	}
	return text
}
