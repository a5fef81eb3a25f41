package scenario

import (
	"kneepoint/experiments/results"
	"kneepoint/hardware"
	"kneepoint/sim/metrics"
)

// Summarize turns the record of this simulation's run into its outcome. Pools have
// metrics of their own where there are several, the steady state where a window is
// measured.
func (s *Simulation) Summarize(rec *metrics.Record) results.Outcome {
	objectives := s.judge(rec)
	o := results.Outcome{
		Metrics:     metrics.Summarize(rec, objectives.All, s.resources()),
		ByScale:     metrics.AttainmentByScale(rec, objectives.All, s.steady != nil),
		SteadyState: s.steady,
		Clients:     s.clients(rec),
		QueueFull:   rec.Totals.QueueFull,
		Replay:      s.scenario.replay(rec),
	}
	o.Why = metrics.Explain(rec, objectives.All, s.costs(), s.steady != nil)
	switch {
	case s.steady != nil:
		o.Steady = metrics.SummarizeSteady(rec, objectives.All, s.steady)
	case s.Config.InWindow != nil:
		o.Steady = metrics.SummarizeWindow(rec, objectives.All)
	}
	for i := range rec.Pools {
		o.Spared += rec.Pools[i].Spared
	}
	if len(rec.Pools) > 1 {
		o.Pools = s.pools(rec)
	}
	return o
}

// Glance is what Summarize says of saturation, which is all of the outcome. The record is as ready for
// questions about its requests as after Summarize.
func (s *Simulation) Glance(rec *metrics.Record) results.Outcome {
	s.judge(rec)
	return results.Outcome{Metrics: metrics.SummarizeSaturation(rec)}
}

// judge tells a record by what its requests are judged.
func (s *Simulation) judge(rec *metrics.Record) *Objectives {
	objectives := &s.scenario.Objectives
	rec.Classes, rec.Share, rec.Closed = objectives.Classes, objectives.Share, s.scenario.Traffic.Closed()
	return objectives
}

// pools are the metrics of the pools.
func (s *Simulation) pools(rec *metrics.Record) []results.PoolRun {
	var all []results.PoolRun
	for i, values := range metrics.SummarizePools(rec, s.resources()) {
		all = append(all, results.PoolRun{Name: rec.Pools[i].Name, Metrics: values})
	}
	return all
}

// resources are the hardware of the pools.
func (s *Simulation) resources() []metrics.Deployment {
	var all []metrics.Deployment
	for _, server := range s.servers {
		own := server.resources
		own.Site = s.scenario.Site
		all = append(all, own)
	}
	return all
}

// costs are the cost models of the pools, as they were simulated.
func (s *Simulation) costs() []hardware.CostModel {
	var all []hardware.CostModel
	for i := range s.Config.Pools {
		all = append(all, s.Config.Pools[i].Cost)
	}
	return all
}

// clients are the metrics of the classes of requests.
func (s *Simulation) clients(rec *metrics.Record) []results.ClientRun {
	var all []results.ClientRun
	names := s.scenario.Traffic.ClientNames()
	for class, values := range metrics.SummarizeClasses(rec, s.steady) {
		all = append(all, results.ClientRun{Name: names[class], Metrics: values})
	}
	return all
}
