package scenario

import (
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// Summarize turns the record of a run into its outcome.
func (s *Simulation) Summarize(rec *metrics.Record) results.Outcome {
	objectives := &s.scenario.Objectives
	rec.Classes = objectives.Classes
	o := results.Outcome{
		Metrics:   metrics.Summarize(rec, objectives.All, s.server.resources),
		Clients:   s.clients(rec),
		QueueFull: rec.Totals.QueueFull,
	}
	o.Why = metrics.Explain(rec, objectives.All, s.Config.Cost)
	if s.Config.InWindow != nil {
		o.Steady = metrics.SummarizeWindow(rec, objectives.All)
	}
	return o
}

// clients are the metrics of the classes of requests.
func (s *Simulation) clients(rec *metrics.Record) []results.ClientRun {
	var all []results.ClientRun
	names := s.scenario.Traffic.ClientNames()
	for class, values := range metrics.SummarizeClasses(rec) {
		all = append(all, results.ClientRun{Name: names[class], Metrics: values})
	}
	return all
}
