package uncertainty

import (
	"slices"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
)

// Scaled is a scenario whose constants are off by the values of some factors.
func Scaled(s scenario.Scenario, factors []Factor, values []float64) scenario.Scenario {
	of := func(name, accelerator string) float64 {
		for i := range factors {
			if factors[i].Name == name && factors[i].Of == accelerator {
				return values[i]
			}
		}
		return 1
	}
	s.Traffic = s.Traffic.Lengthened(of(Input, ""), of(Output, ""))
	if demand := of(Demand, ""); demand != 1 {
		s.Traffic = s.Traffic.Scaled(demand)
	}
	s.Pools = slices.Clone(s.Pools)
	for i := range s.Pools {
		scalePool(&s.Pools[i], of)
	}
	return s
}

// scalePool changes what a pool's replicas run on.
func scalePool(p *scenario.Pool, of func(name, accelerator string) float64) {
	accelerator := ""
	if d := p.Deployment.Roofline; d != nil {
		scaled := *d
		accelerator = d.Accelerator.Name
		scaleConstants(&scaled.Constants, of(Compute, accelerator), of(Memory, accelerator), of(Links, accelerator))
		scaleHost(&scaled.Engine, of(Host, ""))
		p.Deployment.Roofline = &scaled
	}
	if m := p.Deployment.Measured; m != nil {
		p.Deployment.Measured = scaledSteps(m, of(Compute, accelerator), of(Memory, accelerator))
	}
	if spec := p.Strategy.Speculation; spec != nil {
		scaled := *spec
		scaled.Acceptance = slices.Clone(spec.Acceptance)
		for i := range scaled.Acceptance {
			scaled.Acceptance[i] = min(scaled.Acceptance[i]*of(Acceptance, ""), 1)
		}
		p.Strategy.Speculation = &scaled
	}
}

// scaleConstants changes how close kernels and collectives come to the hardware's peaks.
func scaleConstants(c *roofline.Constants, compute, memory, links float64) {
	c.Kernels = slices.Clone(c.Kernels)
	for i := range c.Kernels {
		e := &c.Kernels[i].Efficiency
		e.Compute, e.Memory = min(e.Compute*compute, 1), min(e.Memory*memory, 1)
	}
	c.Collectives = slices.Clone(c.Collectives)
	for i := range c.Collectives {
		c.Collectives[i].Collective = c.Collectives[i].Collective.Faster(links)
	}
	c.Networks = slices.Clone(c.Networks)
	for i := range c.Networks {
		c.Networks[i].Collective = c.Networks[i].Collective.Faster(links)
	}
}

// scaleHost changes what the engine's host spends beside kernels.
func scaleHost(e *hardware.Engine, factor float64) {
	for _, t := range []*units.Seconds{&e.StepCPU, &e.StepCPUPerSequence, &e.StepCPUPerAccelerator, &e.RequestFixed, &e.RequestPerPromptToken} {
		*t *= units.Seconds(factor)
	}
}

// scaledSteps are fitted steps: those of prompts compute, and those of decoding read memory.
func scaledSteps(m *hardware.Measured, compute, memory float64) *hardware.Measured {
	scaled := *m
	p := &scaled.Prefill
	for _, t := range []*units.Seconds{&p.Base, &p.PerToken, &p.PerToken2} {
		*t /= units.Seconds(compute)
	}
	scaled.Decode = slices.Clone(m.Decode)
	for i := range scaled.Decode {
		d := &scaled.Decode[i]
		for _, t := range []*units.Seconds{&d.Base, &d.PerContextToken, &d.PerSequence} {
			*t /= units.Seconds(memory)
		}
	}
	return &scaled
}
