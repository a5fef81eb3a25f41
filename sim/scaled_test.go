package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

// TestScaledTimeScalesResults: if all that takes time takes four times as long, and requests
// come in gaps four times as long, everything happens at four times the time. A power of two
// rounds nothing.
func TestScaledTimeScalesResults(t *testing.T) {
	const factor = 4
	timeless := func(s *scene) bool { return !s.static() && s.config.Rank == nil } // else a policy or an order knows times of its own
	metamorphic(t, timeless, func(t *rapid.T, s scene) {
		s.config.Pools[0].Scaling, s.config.Pools[0].Failures, s.config.Pools[0].Restart = nil, nil, nil // likewise
		want := recordOf(t, s.fresh())
		s.traffic = s.traffic.scaled(factor)
		s.config.MaxTime *= factor
		s.config.Signals.Interval *= factor
		s.config.Signals.Delay *= factor
		if q := s.config.Queue; q != nil {
			s.config.Queue = &RouterQueue{q.MaxInFlight, q.Rank, q.Rate / float64(factor), q.Burst, q.Timeout * factor, q.Retries, q.Backoff * factor}
		}
		p := &s.config.Pools[0]
		p.Cost = scaledCost{p.Cost, factor}
		p.CacheTTL *= factor
		p.Startup.Cold, p.Startup.Warm, p.Startup.FirstRequest = factor*p.Startup.Cold, factor*p.Startup.Warm, factor*p.Startup.FirstRequest
		frontEnd := p.FrontEnd
		p.FrontEnd = func(prompt int) units.Seconds { return factor * frontEnd(prompt) }
		if c := p.Compression; c != nil {
			p.Compression = &Compression{Ratio: c.Ratio, TokensPerSecond: c.TokensPerSecond / factor}
		}
		p.Tiers = slices.Clone(p.Tiers)
		for i := range p.Tiers {
			tier := &p.Tiers[i]
			tier.Bandwidth, tier.BandwidthOut, tier.Latency = tier.Bandwidth/factor, tier.BandwidthOut/factor, factor*tier.Latency
		}
		got := recordOf(t, s.fresh())
		for i := range want.Requests {
			a, b := want.Requests[i], got.Requests[i]
			if factor*a.First != b.First || factor*a.Last != b.Last || a.State != b.State || a.Preemptions != b.Preemptions || a.Generated != b.Generated {
				t.Errorf("request %d: %+v, four times slower %+v", i, a, b)
			}
		}
		if p, q := &want.Totals, &got.Totals; p.Steps != q.Steps || factor*want.Ended != got.Ended || p.KVMax != q.KVMax {
			t.Errorf("%d steps until %v, four times slower %d until %v", p.Steps, want.Ended, q.Steps, got.Ended)
		}
	})
}

// scaled is the same traffic with longer gaps.
func (s *scripted) scaled(factor units.Seconds) *scripted {
	longer := &scripted{requests: slices.Clone(s.requests), clients: s.clients}
	for i := range longer.requests {
		r := &longer.requests[i]
		r.Planned, r.Arrival = factor*r.Planned, factor*r.Arrival
	}
	return longer
}

// scaledCost takes longer for everything.
type scaledCost struct {
	hardware.CostModel
	factor units.Seconds
}

// Step implements hardware.CostModel.
func (c scaledCost) Step(w *hardware.Work) hardware.Cost {
	cost := c.CostModel.Step(unscaled(w, c.factor))
	cost.Time *= c.factor
	cost.Draft *= c.factor
	return cost
}

// unscaled is the work with times as they are where nothing is scaled.
func unscaled(w *hardware.Work, factor units.Seconds) *hardware.Work {
	work := *w
	work.Rested /= factor
	return &work
}

// Pipeline implements hardware.CostModel.
func (c scaledCost) Pipeline() hardware.Pipeline {
	if p := hardware.PipelineOf(c.CostModel); p.Stages() > 1 {
		return scaledPipeline{p, c.factor}
	}
	return c.CostModel.Pipeline()
}

type scaledPipeline struct {
	hardware.Pipeline
	factor units.Seconds
}

// StageTimes implements hardware.Pipeline.
func (p scaledPipeline) StageTimes(w *hardware.Work, times []units.Seconds) {
	p.Pipeline.StageTimes(unscaled(w, p.factor), times)
	for i := range times {
		times[i] *= p.factor
	}
}
