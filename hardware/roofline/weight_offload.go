package roofline

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Weights that stay in the host's memory come over the host link in every step,
// layer by layer while others are computed, so that for all but large batches the
// link decides.
//
// Source: Sheng et al. 2023, "FlexGen: High-Throughput Generative Inference of
// Large Language Models with a Single GPU", arXiv 2303.06865; vLLM's
// cpu_offload_gb.

// checkWeightOffload refuses to leave more in the host's memory than there is,
// and to read it over no link.
func (d *Deployment) checkWeightOffload() error {
	if d.CPUOffload == 0 {
		return nil
	}
	const key = "hardware.cpu_offload_gb"
	whole := *d
	whole.CPUOffload = 0
	b := whole.budget()
	switch gib := d.CPUOffload.GiB(); {
	case d.PP > 1:
		return &badinput.Error{Key: key, Value: gib, Problem: "not supported yet with hardware.pp", Allowed: "0"}
	case d.HostBandwidth() == 0:
		return &badinput.Error{Key: key, Value: gib, Problem: d.Accelerator.Name + " has no link to a host's memory", Allowed: "0"}
	case d.CPUOffload > b.Weights:
		return &badinput.Error{Key: key, Value: gib, Problem: fmt.Sprintf("an accelerator has %s of weights", b.Weights),
			Allowed: fmt.Sprintf("at most %.4g", b.Weights.GiB())}
	}
	return nil
}

// buildWeightOffload finds how long the weights from the host take in a step, at
// what the engine's copies of weights reach of the link.
func (m *Model) buildWeightOffload() {
	d := &m.deployment
	if d.CPUOffload == 0 {
		return
	}
	reached := d.Engine.ColdStart.WakeUpEfficiency
	if reached == 0 {
		reached = 1
	}
	m.weightsFromHost = d.CPUOffload.At(d.HostBandwidth() * units.BytesPerSecond(reached))
	m.estimate(fmt.Sprintf("weights from the host's memory at %.2g of the link: as when the engine wakes up", reached))
}

// withWeights is the time of kernels beside which weights come from the host.
func (m *Model) withWeights(t units.Seconds) units.Seconds {
	if m.weightsFromHost == 0 {
		return t
	}
	return hardware.BesideLayers(t, m.weightsFromHost, m.deployment.Architecture.Layers)
}

// weightsOperator is how much longer a step takes for the weights from the host.
func (m *Model) weightsOperator(kernels units.Seconds) Operator {
	return Operator{Name: "weights from the host", Time: m.withWeights(kernels) - kernels, Bound: LinkBound}
}

// HostBandwidth is an accelerator's share of the link to its host when all of
// the replica use theirs; 0 where there is none, as on unified memory.
func (d *Deployment) HostBandwidth() units.BytesPerSecond {
	link := d.Accelerator.HostLink
	return link.Bandwidth / units.BytesPerSecond(max(1, min(link.World, d.Accelerators())))
}
