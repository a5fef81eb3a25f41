package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// buildRested assembles the same deployment at the accelerator's full clock, where steps with
// prompts can have it for some time. Under a cap on power they never do.
func (m *Model) buildRested() error {
	d := m.deployment
	burst := d.Accelerator.Burst
	if burst == (hardware.Burst{}) || m.power.Cap < m.power.TDP {
		return nil
	}
	d.Accelerator.Burst = hardware.Burst{}
	d.Engine.ComputeEfficiency = min(1, d.Engine.ComputeEfficiency/burst.Sustained)
	var err error
	m.rested, err = assemble(d, m.constants)
	return err
}

// hasten takes from a step's kernels what they gain from the accelerator's full clock, of which
// there is hardware.Burst.After. Where they take full and slow at either clock all along,
//
//	full                                        up to that time
//	time + slow*(1 - time/full)                 beyond
func (m *Model) hasten(k *kernels, w *hardware.Work) {
	k.slow = 1
	if m.rested == nil || w.Rested <= 0 || len(w.Prefill) == 0 {
		return
	}
	rows, logits := m.rested.rowTimes(w, k.tokens)
	full := m.rested.kernelTime(rows, w, k.tokens)
	k.slow = max(0, 1-m.deployment.Accelerator.Burst.After(w.Rested)/full)
	k.all = k.mixed(full, k.all)
	k.logits = k.mixed(logits, k.logits)
}

// mixed is the time of what takes so long at the full clock and at the one that lasts.
func (k *kernels) mixed(full, slow units.Seconds) units.Seconds { return full + k.slow*(slow-full) }

// hastened is the operators of kernels of a step, of which m.rested has the same, at the clock of
// that step.
func (m *Model) hastened(list []Operator, k *kernels, w *hardware.Work) []Operator {
	if k.slow == 1 {
		return list
	}
	for i, full := range m.rested.kernelOperators(w, k.tokens) {
		list[i].Time = k.mixed(full.Time, list[i].Time)
	}
	return list
}
