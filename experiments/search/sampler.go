package search

import (
	"context"
	"errors"
	"iter"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/sim/metrics"
)

// Options say how scenarios are run; what is found does not depend on them.
type Options struct {
	Workers int               // simulations at a time; 0: one per core
	Builder *scenario.Builder // nil: one without traces

	// Done is called when a simulation ends, with the number of those that have, one call
	// at a time; nil: it is not called.
	Done func(runs int)

	glance bool // at requests alone: outcomes say no more than whether runs are saturated
}

// Find searches the knee of what at makes of a load. at is asked for every load that is
// tried, and its errors end the search. Where no load meets the target, or all do, as far
// as the search went, what is found has no bracket.
func Find(
	ctx context.Context,
	at func(load float64) (scenario.Scenario, error),
	q Question,
	limits Limits,
	o Options,
) (Finding, error) {
	of := sampling{at: at, steady: q.Basis == results.SteadyState, Options: o}
	glance := !(q.Whole && limits.Tolerance == 0) // at the pilot's runs, of which few outcomes are told
	found, err := find(ctx, q, limits, func(ctx context.Context, load float64, requests, first, count int) ([]sample, error) {
		return of.sample(ctx, load, requests, first, count, glance && first == firstReplication)
	})
	if err != nil || len(found.Probes) > 0 || !glance {
		return found, err
	}
	return found, of.tellAll(ctx, found.Simulated)
}

// sampling runs what a search asks for.
type sampling struct {
	at     func(load float64) (scenario.Scenario, error)
	steady bool
	runs   int // until now
	Options
}

// sample simulates replications at a load.
func (of *sampling) sample(ctx context.Context, load float64, requests, first, count int, glance bool) ([]sample, error) {
	s, err := of.at(load)
	if err != nil {
		return nil, err
	}
	if of.steady {
		s = endless(s, requests)
	}
	o := of.Options
	o.glance = glance
	return simulate(ctx, s, of.steady, first, count, o, &of.runs)
}

// tellAll gives runs of which no more than a glance was had their whole outcomes: with those a search ended that had no probes.
func (of *sampling) tellAll(ctx context.Context, glanced []Simulated) error {
	for i := range glanced {
		there := &glanced[i]
		samples, err := of.sample(ctx, there.Load, there.requests, there.First, len(there.Runs), false)
		if err != nil {
			return err
		}
		for k := range samples {
			there.Runs[k] = samples[k].run
		}
	}
	return nil
}

// Simulated is the replications of a search at a load.
type Simulated struct {
	Load  float64
	First int // number of the first replication
	Runs  []Run

	requests int // that each run was asked for
}

// Outcomes are those of the runs.
func (s *Simulated) Outcomes() []results.Outcome {
	all := make([]results.Outcome, len(s.Runs))
	for i := range s.Runs {
		all[i] = s.Runs[i].Outcome
	}
	return all
}

// Run is one simulation.
type Run struct {
	Key     string // of the scenario
	Outcome results.Outcome
}

// endless is a scenario of traffic that has a steady state, with a number of requests
// that are all served: where they end is the search's choice, not the experiment's.
func endless(s scenario.Scenario, requests int) scenario.Scenario {
	s.Traffic.NumRequests = requests
	s.Measure.Drain = true
	return s
}

// BasisOf says whether a scenario has a steady state. A fleet whose replicas fail or restart has none that runs as long as
// statistics ask for would show.
func BasisOf(s *scenario.Scenario) results.Basis {
	if s.Traffic.Stationary() && s.Measure.MaxTime == 0 && !slices.ContainsFunc(s.Pools, disturbed) {
		return results.SteadyState
	}
	return results.Horizon
}

// disturbed tells whether replicas of a pool fail or restart.
func disturbed(p scenario.Pool) bool { return len(p.Failures) > 0 || p.Restart != nil }

// simulate runs replications of a scenario.
func simulate(ctx context.Context, s scenario.Scenario, steady bool, first, count int, o Options, done *int) ([]sample, error) {
	samples, keys := make([]sample, count), make([]string, count)
	var failures []error
	window := s.Measure.Warmup != scenario.Trim{} || s.Measure.Cooldown != scenario.Trim{}
	s.Measure.Streaming = false // which keeps no requests
	err := runner.Run(ctx, replicationsOf(s, first, count), runner.Options{
		Workers: o.Workers, Builder: o.Builder, Glance: o.glance,
		Done: func(r runner.Result) {
			failures = append(failures, r.Err)
			keys[r.Index] = r.Key // which is known before the record
			if *done++; o.Done != nil {
				o.Done(*done)
			}
		},
		Records: func(index int, outcome results.Outcome, rec *metrics.Record) error {
			samples[index] = sampleOf(rec, s.Objectives.All, steady, window, outcome.Metrics[metrics.Saturated] > 0)
			samples[index].run = Run{keys[index], outcome}
			return nil
		},
	})
	return samples, errors.Join(err, errors.Join(failures...))
}

// replicationsOf are scenarios that differ in their random numbers.
func replicationsOf(s scenario.Scenario, first, count int) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		for s.Replication = first; s.Replication < first+count; s.Replication++ {
			if !yield(s) {
				return
			}
		}
	}
}

// sampleOf is what a search sees of a run. Of a steady state the last requests are left
// out, as many as were in the system when the last one arrived: nobody came after them,
// and they were served better than others.
func sampleOf(rec *metrics.Record, slo metrics.Objective, steady, window, saturated bool) sample {
	met, ttft, last := rec.Attained(slo, window)
	if !steady {
		last = 0
	}
	half := len(met) / 2
	keep := len(met) - min(last, half)
	stays := staysOf(rec, window)
	return sample{attained: met[:keep], ttft: ttft[:keep], saturated: saturated, present: last,
		found: func() []float64 { return stays.found(keep) }}
}
