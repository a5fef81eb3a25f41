package scenario

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// checkSpeculation refuses deployments that cannot verify guesses.
func (p *Pool) checkSpeculation() error {
	switch {
	case p.Strategy.Speculation == nil:
		return nil
	case p.Deployment.stages() > 1:
		return &badinput.Error{Key: "hardware.pp", Value: p.Deployment.stages(), Problem: "not supported yet with speculation", Allowed: "1"}
	case p.Deployment.Measured != nil:
		return &badinput.Error{
			Key:     "hardware.cost_model",
			Value:   "measured",
			Problem: "steps were measured without guesses",
			Allowed: "roofline or synthetic with speculation",
		}
	}
	return nil
}

// checkOffload refuses deployments that cannot move keys and values.
func (p *Pool) checkOffload() error {
	d := &p.Deployment
	switch {
	case p.Strategy.Offload == "none":
		return nil
	case d.stages() > 1:
		return &badinput.Error{Key: "hardware.pp", Value: d.stages(), Problem: "not supported yet with kv.offload", Allowed: "1"}
	case d.Roofline == nil:
		return &badinput.Error{Key: "hardware.cost_model", Value: d.source(),
			Problem: "kv.offload needs the size of keys and values, which the model and the accelerator tell", Allowed: "roofline, or measured with both named"}
	case d.Roofline.DP > 1:
		return &badinput.Error{Key: "hardware.dp", Value: d.Roofline.DP, Problem: "not supported yet with kv.offload", Allowed: "1"}
	}
	return nil
}

// checkBlock refuses a KV cache that holds no block.
func (p *Pool) checkBlock(tokens int) error {
	if block := p.Strategy.BlockSize; tokens < block {
		return &badinput.Error{Key: "hardware.kv_tokens", Value: tokens, Problem: "the KV cache does not hold one block",
			Allowed: fmt.Sprintf("at least %d tokens (strategy.kv.block_size)", block)}
	}
	return nil
}

// slowestStep is how long a step that generates one token may take.
const slowestStep units.Seconds = 3600

// checkPace refuses hardware on which a run would go on for longer than the clock is exact:
// numbers that were written in another unit, mostly.
func checkPace(cost hardware.CostModel) error {
	took := cost.Step(&hardware.Work{DecodeRows: 1, DecodeContext: 1, DecodeWindowContext: int64(min(cost.Window(), 1))}).Time
	if took <= slowestStep {
		return nil
	}
	return &badinput.Error{
		Key:     "hardware",
		Problem: fmt.Sprintf("a step that generates one token would take %.3g s", float64(took)),
		Allowed: "at most an hour",
	}
}

// Check finds what is wrong with a scenario, in any of its first replications,
// without a simulation, and returns what its numbers rest on. It looks at other
// replications than the first only where their arrivals decide.
func (b *Builder) Check(s Scenario, replications int) (Assumptions, error) {
	if !s.arrivalsDecide() {
		replications = 1
	}
	var rests Assumptions
	for s.Replication = range replications {
		built, err := b.Build(s)
		if err == nil && s.Traffic.TooLong == "error" {
			err = checkLengths(&built.Config)
		}
		if err != nil {
			return rests, err
		}
		rests = built.Assumptions()
	}
	return rests, s.checkQueue(b.Requests(&s))
}

// checkQueue refuses a token bucket at the router that would let so many requests pass in no year, where none of them gives up.
// There is one for each group of replicas, of which there are at most as many as classes.
func (s *Scenario) checkQueue(requests int) error {
	q := s.Fleet.Queue
	if q == nil || q.Rate == 0 || q.Timeout > 0 || !s.Measure.Drain || s.Measure.MaxTime > 0 {
		return nil
	}
	each := requests / max(1, len(s.Traffic.Client))
	takes := units.Seconds(float64(each-q.Burst) / q.Rate)
	if takes <= units.Longest {
		return nil
	}
	return &badinput.Error{
		Key:     "fleet.queue.rate",
		Value:   q.Rate,
		Problem: fmt.Sprintf("%d requests would take %.3g s to pass the router", each, float64(takes)),
		Allowed: "a higher rate or fewer requests: a run lasts at most 365d",
	}
}

// arrivalsDecide tells whether one replication may be wrong and another one right:
// where long requests are an error, or where a window may be left without
// requests. Fractions of a given number of requests leave the same number in all.
func (s *Scenario) arrivalsDecide() bool {
	m := &s.Measure
	times := m.Warmup.Time > 0 || m.Cooldown.Time > 0
	return s.Traffic.TooLong == "error" || times || m.trims() && s.Traffic.Duration > 0
}

// checkLengths refuses a workload with a request that does not fit. It draws all of
// them, and in a closed loop ends each when it arrives: lengths do not depend on times.
func checkLengths(config *sim.Config) error {
	for {
		r, ok := config.Traffic.Pop()
		if !ok {
			return nil
		}
		if !config.Fits(r) {
			return &badinput.Error{Key: "workload.too_long", Value: "error",
				Problem: fmt.Sprintf(
					"request %d has %d prompt and %d output tokens, which exceeds the context or the KV cache",
					r.ID,
					r.Input,
					r.Output,
				),
				Allowed: `"reject" or "truncate" to simulate the rest`}
		}
		config.Traffic.Done(r.ID, r.Arrival)
	}
}
