package scenario

import (
	"context"

	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Run simulates s, once. Of a closed loop whose measuring window is not set, the steady state is that window,
// as far as there is one. It is only known from the record, in which gaps between tokens are
// not kept request by request: so those of the requests after it are counted apart, as many as there are
// clients, and those of the warm-up by simulating that again.
func (b *Builder) Run(ctx context.Context, s *Simulation) (*metrics.Record, error) {
	config := s.Config
	clients := s.scenario.Traffic.Clients()
	end := config.Expected - clients
	if looksForSteady := config.InWindow == nil && s.scenario.Traffic.Closed() && !s.scenario.Measure.Streaming; !looksForSteady {
		return sim.Run(ctx, config)
	}
	config.InWindow = func(r workloads.Request) bool { return r.ID >= end }
	rec, err := sim.Run(ctx, config)
	if err != nil {
		return nil, err
	}
	steady, ok := rec.FindSteady(clients)
	switch {
	case !ok:
		rec.SetWindow(func(int) bool { return false }, metrics.Histogram{})
		return rec, nil
	case steady.End != end: // there were fewer requests
		return b.runAgain(ctx, s, &steady)
	}
	gaps := rec.ITL.Without(&rec.ITLIn)
	if steady.First > 0 {
		warmUp, err := b.runWarmUp(ctx, s.scenario, steady.First, rec)
		if err != nil {
			return nil, err
		}
		gaps = gaps.Without(&warmUp.ITLIn)
	}
	rec.SetWindow(steady.Contains, gaps)
	s.steady = &steady
	return rec, nil
}

// runAgain simulates s again, with a steady state as its measuring window. What went well once is built
// again without an error, unless a trace is gone.
func (b *Builder) runAgain(ctx context.Context, s *Simulation, steady *metrics.SteadyState) (*metrics.Record, error) {
	again, err := b.Build(*s.scenario)
	if err != nil {
		return nil, err
	}
	again.Config.InWindow = func(r workloads.Request) bool { return steady.Contains(r.ID) }
	s.steady = steady
	return sim.Run(ctx, again.Config)
}

// runWarmUp simulates the first requests of a scenario again, n of them as its measuring window, until the last of these has
// ended, as the record of its whole run says.
func (b *Builder) runWarmUp(ctx context.Context, s *Scenario, n int, whole *metrics.Record) (*metrics.Record, error) {
	again, err := b.Build(*s)
	if err != nil {
		return nil, err
	}
	c := &again.Config
	c.InWindow = func(r workloads.Request) bool { return r.ID < n }
	if end := endOfAll(whole.Requests[:n]); end > 0 {
		c.MaxTime, c.Coarse, c.Timeline = end, true, nil
	}
	return sim.Run(ctx, *c)
}

// endOfAll is when the last of some requests had its last token; 0 where one has not ended, or none had a token.
func endOfAll(requests []metrics.Request) (end units.Seconds) {
	for i := range requests {
		switch r := &requests[i]; r.State {
		case metrics.Completed:
			end = max(end, r.Last)
		case metrics.Rejected, metrics.QueueFull:
		default:
			return 0
		}
	}
	return end
}
