package roofline

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// experts is the routed experts' grouped product of one layer, on the busiest
// of the groups of accelerators that share them.
type experts struct {
	mixture       model.Experts
	groups        float64
	imbalance     float64 // load of the busiest group over the mean, at least 1
	weights       float64 // of one expert, on this accelerator
	weightBytes   float64 // per weight
	bytesPerVisit float64 // of a token to an expert: its input and 16-bit output
	peak          units.FLOPsPerSecond
	efficiency    hardware.Efficiency

	vectorPerWeight units.Seconds // of vector units, for a weight and the visit of a token
}

// work is what tokens of the whole replica take: two FLOPs per weight
// for every visit of a token to an expert, and in bytes the weights of the
// experts that are visited at all, and the activations.
func (e *experts) work(tokens float64) (units.FLOPs, units.Bytes) {
	visits := tokens * float64(e.mixture.Active) / e.groups * e.imbalance
	distinct := min(e.mixture.Distinct(tokens)*e.imbalance, float64(e.mixture.Count)) / e.groups
	return units.FLOPs(2 * e.weights * visits), units.Bytes(distinct*e.weights*e.weightBytes + visits*e.bytesPerVisit)
}

// time is the duration for a number of tokens of the whole replica.
func (e *experts) time(tokens float64, bandwidth units.BytesPerSecond) units.Seconds {
	flops, bytes := e.work(tokens)
	return max(e.efficiency.Time(flops, bytes, e.peak, bandwidth), e.efficiency.Latency+e.vectorTime(flops))
}

// vectorTime is how long vector units take beside FLOPs of matrix units, two for a weight and visit.
func (e *experts) vectorTime(flops units.FLOPs) units.Seconds {
	return e.vectorPerWeight * units.Seconds(flops/2)
}

// buildExperts looks up the experts' kernels. Where they are shared among groups
// of accelerators, the imbalance is the engine's.
func (m *Model) buildExperts(s *shard) error {
	d := &m.deployment
	if d.Architecture.Experts == nil {
		return nil
	}
	f := d.routed()
	kernels := hardware.GroupedGEMM
	if d.Engine.BalancedExperts {
		kernels = hardware.BalancedGEMM
		m.estimate("experts assumed to be loaded all alike")
	}
	e, err := m.efficiency(kernels, f.grouped(m.deployment.Architecture.FP8Block))
	if err != nil {
		return err
	}
	m.experts = &experts{mixture: *d.Architecture.Experts, groups: float64(d.EP), imbalance: 1,
		weights: elements(s.expert), weightBytes: f.weightBytes(),
		bytesPerVisit: s.hidden * (f.activations.Bytes() + 2),
		peak:          d.Accelerator.Peak(f.activations), efficiency: e, vectorPerWeight: m.scaling(f)}
	if !f.floatsOnly() { // whose kernels are of their own
		m.estimate(f.standIn())
	}
	if d.EP > 1 {
		m.experts.imbalance = d.Engine.ExpertImbalance
	}
	if d.EP > 1 && !d.Engine.BalancedExperts {
		m.estimate(d.balanceWords())
	}
	return nil
}

// balanceWords says how the experts' load is assumed to be shared among groups.
func (d *Deployment) balanceWords() string {
	if d.Engine.ExpertImbalance == 1 {
		return fmt.Sprintf("experts assumed to be loaded evenly over %d expert-parallel groups", d.EP)
	}
	return fmt.Sprintf("load of the busiest of %d expert-parallel groups: %g times the mean", d.EP, d.Engine.ExpertImbalance)
}
