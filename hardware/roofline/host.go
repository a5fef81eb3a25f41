package roofline

import "kneepoint/units"

// withHost adds the host's launches to the time of a stage's kernels, and in the
// first stage its own share, as hardware.Engine describes.
func (m *Model) withHost(stage int, gpu units.Seconds, k *kernels) units.Seconds {
	gpu = max(gpu, m.launchTime(stage, k))
	if stage > 0 {
		return gpu
	}
	if m.deployment.Engine.Overlap {
		return max(gpu, k.host)
	}
	return gpu + k.host
}

// hostTime is the host's share of a step of a number of sequences in the fullest data-parallel group.
func (m *Model) hostTime(sequences int) units.Seconds {
	e := &m.deployment.Engine
	others := units.Seconds(m.deployment.Accelerators() - 1)
	return e.StepCPU + e.StepCPUPerSequence*units.Seconds(sequences) + e.StepCPUPerAccelerator*others
}

// launchTime is the time that a stage's layers take to launch.
func (m *Model) launchTime(stage int, k *kernels) units.Seconds {
	return units.Seconds(m.shares[stage]) * k.launches
}
