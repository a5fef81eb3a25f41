package scenario

import "kneepoint/sim/metrics"

// Outcome is what a simulation found out.
type Outcome struct {
	Metrics   metrics.Values
	Steady    metrics.Values   // of the window that is measured; nil without one
	Why       *metrics.Why     // where the time went
	Classes   []metrics.Values // of the requests of each class
	QueueFull int64            // requests, of those rejected, that found the queue full
}

// Summarize turns the record of a run into its outcome.
func (s *Simulation) Summarize(rec *metrics.Record) Outcome {
	objectives := &s.scenario.Objectives
	rec.Classes = objectives.Classes
	o := Outcome{
		Metrics:   metrics.Summarize(rec, objectives.All, s.server.resources),
		Classes:   metrics.SummarizeClasses(rec),
		QueueFull: rec.Totals.QueueFull,
	}
	o.Why = metrics.Explain(rec, objectives.All, s.Config.Cost)
	if s.Config.InWindow != nil {
		o.Steady = metrics.SummarizeWindow(rec, objectives.All)
	}
	return o
}
