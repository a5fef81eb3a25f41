package roofline

import (
	"fmt"
	"math"

	"kneepoint/hardware"
	"kneepoint/internal/badinput"
	"kneepoint/internal/units"
)

// Budget is the memory of each accelerator of a replica, itemised:
//
//	Available = Total*Utilization = Weights + Activations + Reserve + KV
//
// KV is negative when the rest does not fit. With an override of the KV
// capacity, KV is what the override takes.
type Budget struct {
	Total       units.Bytes
	Utilization float64
	Available   units.Bytes
	Weights     units.Bytes
	Activations units.Bytes // peak of the largest step, logits included
	Reserve     units.Bytes // the engine's runtime: context, graphs, communication buffers
	KV          units.Bytes
	KVPerToken  units.Bytes
	KVTokens    int // of the whole replica, in whole blocks
}

// budget itemises the memory of one accelerator.
//
// The weights are one accelerator's share of the matrices, the embedding and
// the LM head, which stay in the wide type when the matrices are quantized.
// Activations are those of a step of MaxNumBatchedTokens tokens,
//
//	tokens*(hidden*ActivationHidden + widest*ActivationWide)*bytes + logits*LogitBytes
//
// with the widest matrix output on this accelerator and the logits of
// min(tokens, MaxNumSeqs) rows: what an engine finds by running its largest step.
func (d *Deployment) budget() Budget {
	b := Budget{Total: d.Accelerator.Memory, Utilization: d.GPUMemoryUtilization, Reserve: d.Engine.MemoryReserve}
	b.Available = b.Total * units.Bytes(b.Utilization)
	s := d.shard()
	b.Weights = units.Bytes(float64(d.Architecture.Layers)*s.layerWeights()*d.Weights.WeightBytes() +
		d.tableWeights()*d.wideType().Bytes()/float64(d.TP))
	b.Activations = d.activations(&s)
	b.KVPerToken = units.Bytes(2 * float64(d.Architecture.Layers) * s.kvWidth * d.KV.Bytes())
	if d.KVTokens > 0 {
		b.KVTokens, b.KV = d.KVTokens, units.Bytes(d.KVTokens)*b.KVPerToken
		return b
	}
	b.KV = b.Available - b.Weights - b.Activations - b.Reserve
	blocks := math.Floor(float64(b.KV) / (float64(b.KVPerToken) * float64(d.BlockSize)))
	b.KVTokens = max(0, int(blocks)) * d.BlockSize
	return b
}

// tableWeights is the number of weights outside the layers: the embedding and
// position tables, and the LM head unless it is tied.
func (d *Deployment) tableWeights() float64 {
	a := &d.Architecture
	n := a.EmbeddingWeights() + float64(a.PositionEmbeddings)*float64(a.Hidden)
	if !a.TiedEmbeddings {
		n += a.EmbeddingWeights()
	}
	return n
}

func (d *Deployment) activations(s *shard) units.Bytes {
	e, tokens := &d.Engine, float64(d.MaxNumBatchedTokens)
	hidden := float64(d.Architecture.Hidden) * e.ActivationHidden
	logits := min(tokens, float64(d.MaxNumSeqs)) * float64(d.Architecture.Vocab)
	return units.Bytes(tokens*(hidden+s.widest()*e.ActivationWide)*d.wideType().Bytes() + logits*e.LogitBytes)
}

// checkMemory reports a deployment that leaves no room for a KV block, with the
// itemised budget and the smallest tensor parallelism that would fit.
func (d *Deployment) checkMemory() error {
	b := d.budget()
	if d.KVTokens == 0 && b.KVTokens > 0 || d.KVTokens > 0 && b.Weights <= b.Total {
		return nil
	}
	return &badinput.Error{Key: "hardware.tp", Value: d.TP,
		Problem: fmt.Sprintf("%s does not fit on %d x %s: weights %s + activations %s + runtime %s of %s usable (%.3g of %s) per accelerator",
			d.Architecture.Name, d.TP, d.Accelerator.Name, b.Weights, b.Activations, b.Reserve, b.Available, b.Utilization, b.Total),
		Allowed: d.smallestFit()}
}

// smallestFit says which tensor parallelism makes room.
func (d *Deployment) smallestFit() string {
	for _, tp := range d.workingTPs() {
		other := *d
		other.TP = tp
		if b := other.budget(); tp&(tp-1) == 0 && b.KVTokens > 0 && b.Weights <= b.Total {
			return fmt.Sprintf("tp = %d fits", tp)
		}
	}
	return fmt.Sprintf("no tp fits on %s; narrower weights (fp8, int4) or an accelerator with more memory", d.Accelerator.Name)
}

// shard is one accelerator's part of a layer under tensor parallelism.
type shard struct {
	hidden, queryWidth, kvWidth, up, down float64
}

// shard splits the layers: heads and the MLP's inner width evenly; KV heads
// too, but at least one per accelerator.
func (d *Deployment) shard() shard {
	a, tp := &d.Architecture, float64(d.TP)
	s := shard{
		hidden:     float64(a.Hidden),
		queryWidth: float64(a.Heads) * float64(a.HeadDim) / tp,
		kvWidth:    max(1, float64(a.KVHeads)/tp) * float64(a.HeadDim),
		up:         float64(a.FFN) / tp,
		down:       float64(a.FFN) / tp,
	}
	if a.Gated {
		s.up *= 2
	}
	return s
}

// products lists the layer's matrix products: inner and outer width.
func (s *shard) products() [4][2]float64 {
	return [4][2]float64{
		{s.hidden, s.queryWidth + 2*s.kvWidth},
		{s.queryWidth, s.hidden},
		{s.hidden, s.up},
		{s.down, s.hidden},
	}
}

func (s *shard) layerWeights() float64 {
	var n float64
	for _, p := range s.products() {
		n += p[0] * p[1]
	}
	return n
}

// widest is the widest output of the layer's products.
func (s *shard) widest() float64 {
	var widest float64
	for _, p := range s.products() {
		widest = max(widest, p[1])
	}
	return widest
}

// gemmFormat names the kernels that multiply these weights by these
// activations: the compute type, or weight-only quantization.
func gemmFormat(weights, activations hardware.Precision) string {
	if activations.Bytes() < 2 {
		return string(activations)
	}
	switch weights.Bytes() {
	case 1:
		return hardware.Weight8Only
	case 0.5:
		return hardware.Weight4Only
	default:
		return string(hardware.BF16)
	}
}
