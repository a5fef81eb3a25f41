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
// their kernels); further norms (one in, one out), those of queries and keys, gates on attention's output (two
// in, one out), and an indexer's queries and keys, where a model has them.
func (d *Deployment) elementwiseElements(s *shard) float64 {
	a := &d.Architecture
	layer := 8*s.hidden + 2*float64(furtherNorms(a))*s.hidden + mixedElements(a)
	attention := 2*s.queryWidth + 2*s.kvElements
	if a.QKNorm {
		attention += 2*s.queryWidth + s.kvElements
	}
	if a.GatedAttention {
		attention += 3 * s.queryWidth
	}
	index := 0.0
	if x := a.Indexer; x != nil {
		index = 2 * float64((x.Heads+1)*x.Dim) // index queries and the key, rotated and quantized
	}
	return float64(a.Layers)*layer + float64(a.IndexLayers())*index + float64(a.AttentionLayers())*attention + d.linearElements() + float64(a.DenseLayers())*activationElements(s.dense) +
		float64(a.ExpertLayers())*activationElements(s.shared)
}

// linearElements is the same of layers with linear attention: the split of the projection and the convolution
// (each one in, one out), and the gated norm (two in, one out).
func (d *Deployment) linearElements() float64 {
	l := d.Architecture.Linear
	if l == nil {
		return 0
	}
	share := l.Share(d.TP)
	split, channels, values := float64(share.Channels()+share.Values()), float64(share.Channels()), float64(share.Values())
	return float64(l.Layers) * (2*split + 2*channels + 3*values)
}

// Launches of a layer beyond those of hardware.Engine.ElementwiseKernels, which are of a layer
// with two norms and plain attention, as the models' own code has them.
const (
	qkNormLaunches = 1 // of queries and keys: one compiled kernel, or two on streams of their own
	latentLaunches = 4 // norms of both latent vectors; keys absorbed and values projected up apart; the rotary part appended; or of
	// compressed ones the compressor, queries filled up to the kernel's heads, and outputs that are rotated back
	mixLaunches    = 2 // hyper-connections: streams are mixed in one kernel, and what is computed next is made of them in another
	gateLaunches   = 1 // the gate on attention's output
	routeLaunches  = 1 // the choice of the best experts
	sharedLaunches = 1 // the addition of what shared experts computed
)

// elementwiseLaunches is the number of elementwise kernels of all layers.
func (d *Deployment) elementwiseLaunches() float64 {
	a := &d.Architecture
	layer, attention := d.Engine.ElementwiseKernels+float64(furtherNorms(a)), 0
	if a.QKNorm {
		attention += qkNormLaunches
	}
	if a.GatedAttention {
		attention += gateLaunches
	}
	if a.Latent != nil {
		attention += latentLaunches
	}
	if a.Streams > 0 {
		layer += mixLaunches
	}
	experts := 0
	if a.Experts != nil {
		experts = routeLaunches
		if a.Experts.SharedFFN > 0 {
			experts += sharedLaunches
		}
	}
	others := a.AttentionLayers()*attention + a.IndexLayers()*indexLaunches + a.LinearLayers()*linearLaunches + a.ExpertLayers()*experts
	return float64(a.Layers)*layer + float64(others)
}

// mixedElements is what hyper-connections read and write of a layer's residual streams beyond one that is read
// and written before attention and MLP: the streams and what was computed in, mixed streams out; and the mixed
// streams in once more, for what is computed next.
func mixedElements(a *model.Architecture) float64 {
	if a.Streams == 0 {
		return 0
	}
	return 2 * float64(3*a.Streams-2) * float64(a.Hidden)
}

// furtherNorms is the number of a layer's norms beyond two; a layer whose attention and MLP
// share one has no fewer launches.
func furtherNorms(a *model.Architecture) int { return max(0, a.NormsPerLayer-2) }
