package planner

import (
	"context"
	"fmt"
	"iter"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// Sizes of the pilots, and the load at which requests have a unit for themselves: as many in a
// second as last for hours do not meet.
const (
	aloneRequests = 2000
	aloneRate     = 1e-4
	rushRequests  = 500
)

// pilot is what short runs tell of a candidate.
type pilot struct {
	alone results.Outcome // of requests that have a unit for themselves
	rush  results.Outcome // of one unit under the whole demand
	loops float64         // users or clients, of whom there is one in alone; 0: arrivals wait for nobody
	err   error
}

// runPilots simulates the pilots of all candidates.
func (p *planner) runPilots(ctx context.Context, candidates []Candidate) ([]pilot, error) {
	pilots := make([]pilot, len(candidates))
	for i := range candidates {
		if load, unit := candidates[i].Unit.Traffic.Load(); closedLoop(unit) {
			pilots[i].loops = load
		}
	}
	order, options := p.Shard.order(len(candidates)), p.running()
	done, timed := 0, 0
	options.Done = func(r runner.Result) {
		pilot := &pilots[order[r.Index/2]]
		switch {
		case r.Err != nil:
			pilot.err = r.Err
		case r.Index%2 == 0:
			pilot.alone = r.Outcome
		default:
			pilot.rush = r.Outcome
		}
		p.runs++
		done++
		if !r.Kept {
			timed++
		}
		p.tell(Progress{Stage: FirstLooks, Done: done, Total: 2 * len(candidates), Timed: timed, Left: 2*len(candidates) - done})
		p.requests += int(r.Outcome.Metrics[metrics.CompletedRequests])
	}
	return pilots, runner.Run(ctx, pilotsOf(candidates, order), options)
}

// pilotsOf are the pilots of candidates in an order.
func pilotsOf(candidates []Candidate, order []int) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		for _, i := range order {
			if !yield(candidates[i].alone()) || !yield(candidates[i].rush()) {
				return
			}
		}
	}
}

// alone is a unit whose requests do not meet, whatever a trace says of their times.
func (c *Candidate) alone() scenario.Scenario {
	s := c.short(aloneRequests)
	if s.Traffic.TraceTimes() {
		s.Traffic.Arrival = &workloads.ArrivalSpec{Process: "poisson", Rate: aloneRate}
	} else if load, unit := s.Traffic.Load(); load > 0 {
		factor := aloneRate / load
		if closedLoop(unit) {
			factor = 1 / load
		}
		s.Traffic = s.Traffic.Scaled(factor)
	}
	return s
}

// closedLoop tells whether a load is of those who wait for their answers.
func closedLoop(unit string) bool { return unit == "users" || unit == "clients" }

// rush is a unit under the whole demand, which overloads it unless one is enough.
func (c *Candidate) rush() scenario.Scenario { return c.short(rushRequests) }

// short is the scenario of a unit with few requests.
func (c *Candidate) short(requests int) scenario.Scenario {
	s := c.of(1)
	s.Traffic.NumRequests, s.Traffic.Duration = requests, 0
	s.Measure = scenario.Measure{Drain: true, Streaming: true}
	return s
}

// reachable is false where so few of the requests meet their objective that have a unit for
// themselves that no number of units will do, by more than chance: attainment falls with the
// load.
func (p *pilot) reachable(target float64) bool {
	const deviations = 3.3 // 1 in 1,000
	return p.alone.Metrics[metrics.Attainment]+deviations*math.Sqrt(target*(1-target)/aloneRequests) >= target
}

// served is how requests are served that have a unit for themselves.
func (p *pilot) served(target float64) *results.Alone {
	m := p.alone.Metrics
	at := func(latency string) float64 { return m[metrics.ShareKey(latency, target)] }
	return &results.Alone{Attainment: m[metrics.Attainment], TTFTms: at("ttft"), TPOTms: at("tpot"), E2ELms: at("e2el"),
		ITLp99ms: m[metrics.P99ITL]}
}

// units is about how many the demand takes: as many times as it is what one of them manages.
func (p *pilot) units() float64 {
	offered, served := p.rush.Metrics[metrics.OfferedRate], p.rush.Metrics[metrics.RequestThroughput]
	if !(served > 0) || !(offered > served) {
		return 1
	}
	return math.Ceil(offered / served)
}

// idleness is by how many times more units than its throughput asks for a candidate is thought to
// need, of whose allowed misses more than half come without any load. It decides nothing but
// the order.
func (p *pilot) idleness(target float64) float64 {
	const guess = 4
	if missed := 1 - p.alone.Metrics[metrics.Attainment]; missed > (1-target)/2 {
		return guess
	}
	return 1
}

// enough is a number of units with which requests hardly ever meet, so that more of them change
// nothing.
func (p *pilot) enough() float64 {
	const meet = 0.05
	if !(p.together() > 0) {
		return math.Inf(1)
	}
	return math.Ceil(p.together() / meet)
}

// together is how many requests are in service at once, if each has a unit for itself: the rate times the latency (Little).
// Of a closed loop that is the rate of so many who are all served like one of them, since it is lower where they wait.
func (p *pilot) together() float64 {
	rate := p.rush.Metrics[metrics.OfferedRate]
	if p.loops > 0 {
		rate = p.loops * p.alone.Metrics[metrics.OfferedRate]
	}
	return rate * p.alone.Metrics[metrics.MeanE2EL] / 1e3
}

// MostKept is how many requests of a judgement memory holds: some 100 bytes each.
const MostKept = 100_000_000

// TooManyError says that the demand has so many requests in service at once that the runs which confirm an answer may have more
// than memory holds.
type TooManyError struct{ Together float64 }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("some %.2g requests are in service at once, too many to simulate as long as it takes to tell whether a fleet is enough",
		e.Together)
}

// checkKept refuses a demand that would fill the memory, as far as its candidates may be an answer.
func (p *planner) checkKept(candidates []Candidate) error {
	for i := range candidates {
		pilot := &p.pilots[i]
		if pilot.err != nil || !pilot.reachable(p.Target) || candidates[i].Most < 1 || search.BasisOf(&candidates[i].Unit) != results.SteadyState {
			continue
		}
		if t := pilot.together(); fillings*longer*doublings*t > MostKept {
			return &TooManyError{t}
		}
	}
	return nil
}
