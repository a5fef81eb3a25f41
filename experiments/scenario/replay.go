package scenario

import (
	"math/rand/v2"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// streamBootstrap is the purpose of the random numbers that resample a run.
const streamBootstrap = "bootstrap"

// replay says of the replay of a trace what a run tells of its precision; nil of any other
// traffic. Replications of a replay have the same requests at the same times, so that
// their differences are those of what else is drawn, and nothing where that is nothing:
// then, where the trace also gives the times, the run is resampled.
func (s *Scenario) replay(rec *metrics.Record) *results.Replay {
	draws, fixed := s.Traffic.ReplayDraws()
	if !fixed {
		return nil
	}
	r := &results.Replay{Draws: append(draws, s.draws()...)}
	if len(r.Draws) > 0 || !s.Traffic.TraceTimes() {
		return r
	}
	random := func() *rand.Rand { return workloads.Stream(s.Seed, 0, streamBootstrap) }
	if b, ok := metrics.Bootstrap(rec, s.Objectives.All, random); ok {
		r.Block, r.Half = b.Block, b.Half
	}
	return r
}

// draws names what the strategies draw.
func (s *Scenario) draws() []string {
	var all []string
	if slices.ContainsFunc(s.Pools, func(p Pool) bool { return p.Strategy.Speculation != nil }) {
		all = append(all, "accepted guesses")
	}
	if s.Order == "sjf" {
		all = append(all, "predicted lengths")
	}
	return all
}
