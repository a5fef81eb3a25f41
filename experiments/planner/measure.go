package planner

import (
	"context"
	"errors"
	"iter"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/sim/metrics"
)

const (
	measurements = 5 // replications of each fleet that is an answer

	// tail is how many times as many requests a run has as are in service at once: while the last
	// ones are served, the fleet is not full, and costs the same.
	tail         = 50
	mostMeasured = 100_000 // requests of a run
)

// measure simulates the fleets that are answers, spares included.
func (p *planner) measure(ctx context.Context) error {
	outcomes := make([][measurements]results.Outcome, len(p.found))
	var failed error
	done, timed, total := 0, 0, measurements*len(p.found)
	order, options := p.Shard.order(len(p.found)), p.running()
	options.Done = func(r runner.Result) {
		p.runs++
		done++
		if !r.Kept {
			timed++
		}
		p.tell(Progress{Stage: Measuring, Done: done, Total: total, Timed: timed, Left: total - done})
		p.requests += int(r.Outcome.Metrics[metrics.CompletedRequests])
		if r.Err != nil {
			failed = r.Err
			return
		}
		outcomes[order[r.Index/measurements]][r.Index%measurements] = r.Outcome
	}
	if err := runner.Run(ctx, p.fleets(order), options); err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	for i := range p.found {
		s := &p.found[i]
		s.option.Fleet = results.NewPlannedFleet(s.option.Unit.Accelerators*(s.option.Units+p.Spare), outcomes[i][:])
	}
	return nil
}

// fleets are the scenarios of all answers in an order, each with all its replications.
func (p *planner) fleets(order []int) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		for _, i := range order {
			s := p.fleet(&p.found[i])
			for s.Replication = range measurements {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// fleet is one of them. Its warm-up is that of the runs that it was judged by, and its length the one that these had at first: they
// become longer where the attainment is near the target, which latencies do not ask for.
func (p *planner) fleet(found *sized) scenario.Scenario {
	s := found.of(found.option.Units + p.Spare)
	if search.BasisOf(&s) != results.SteadyState {
		return s
	}
	judged := found.option.Judged
	if s.Traffic.Closed() { // whose steady state is found in every run
		s.Traffic.NumRequests = judged.Length
		return s
	}
	s.Traffic.NumRequests = min(max(longer*p.lengthOf(found.place, 1), int(tail*p.pilots[found.place].together())), mostMeasured)
	s.Measure.Warmup = scenario.Trim{Fraction: min(float64(judged.WarmUp)/float64(s.Traffic.NumRequests), 0.5)}
	return s
}
