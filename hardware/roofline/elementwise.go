package roofline

import (
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// buildElementwise looks up the elementwise kernels, and counts their launches in all
// layers and the bytes that they read and write for a token.
func (m *Model) buildElementwise(s *shard) error {
	d, a := &m.deployment, &m.deployment.Architecture
	var err error
	if m.elementwise, err = m.efficiency(hardware.Elementwise, string(hardware.BF16)); err != nil {
		return err
	}
	m.elementwiseBytes = d.Engine.UnfusedPasses * m.machine.wideBytes * d.elementwiseElements(s)
	m.latencies = units.Seconds(d.elementwiseLaunches()) * m.elementwise.Latency
	m.floor = units.Seconds(a.Layers) * d.Engine.LaunchFloorOn(&d.Accelerator)
	m.promptFloor = max(m.floor, units.Seconds(a.Layers)*d.Engine.PromptLaunchFloor)
	if a.Latent != nil {
		m.promptFloor = max(m.promptFloor, units.Seconds(a.Layers)*d.Engine.PromptLaunchFloorLatent)
	}
	return nil
}

// elementwiseElements is what elementwise kernels read and write for a token in all layers:
// two norms with their residual additions (two in, two out each), the rotary embedding and
// the write into the KV cache, the activation functions (those of routed experts belong to
// their kernels); further norms (one in, one out) and those of queries and keys, where a model has them.
func (d *Deployment) elementwiseElements(s *shard) float64 {
	a := &d.Architecture
	layer := 8*s.hidden + 2*s.queryWidth + 2*s.kvElements + 2*float64(furtherNorms(a))*s.hidden
	if a.QKNorm {
		layer += 2*s.queryWidth + s.kvElements
	}
	return float64(a.Layers)*layer + float64(a.DenseLayers())*activationElements(s.dense) +
		float64(a.ExpertLayers())*activationElements(s.shared)
}

// Launches of a layer beyond those of hardware.Engine.ElementwiseKernels, which are of a layer
// with two norms and plain attention, as the models' own code has them.
const (
	qkNormLaunches = 1 // of queries and keys: one compiled kernel, or two on streams of their own
	latentLaunches = 4 // norms of both latent vectors; keys absorbed and values projected up apart; the rotary part appended
	routeLaunches  = 1 // the choice of the best experts
	sharedLaunches = 1 // the addition of what shared experts computed
)

// elementwiseLaunches is the number of elementwise kernels of all layers.
func (d *Deployment) elementwiseLaunches() float64 {
	a := &d.Architecture
	layer := d.Engine.ElementwiseKernels + float64(furtherNorms(a))
	if a.QKNorm {
		layer += qkNormLaunches
	}
	if a.Latent != nil {
		layer += latentLaunches
	}
	experts := 0
	if a.Experts != nil {
		experts = routeLaunches
		if a.Experts.SharedFFN > 0 {
			experts += sharedLaunches
		}
	}
	return float64(a.Layers)*layer + float64(a.ExpertLayers()*experts)
}

// furtherNorms is the number of a layer's norms beyond two; a layer whose attention and MLP
// share one has no fewer launches.
func furtherNorms(a *model.Architecture) int { return max(0, a.NormsPerLayer-2) }
