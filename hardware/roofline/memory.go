package roofline

import (
	"fmt"
	"math"
	"strings"

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
	Weights     units.Bytes // a proposer's among them
	Activations units.Bytes // peak of the largest step, logits included
	Reserve     units.Bytes // the engine's runtime: context, graphs, communication buffers
	KV          units.Bytes
	KVPerToken  units.Bytes
	KVTokens    int // of the whole replica, in whole blocks
}

// budget itemises the memory of one accelerator.
//
// The accelerator is one of the fullest pipeline stage. The weights are its
// share of the matrices, the embedding and the LM head, which stay in the wide
// type when the matrices are quantized. Every layer keeps the keys and values of
// every token, layers with a window too. Data-parallel groups hold sequences of
// their own: their tokens add up.
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
	layers, _ := d.stageLayers()
	b.Weights = units.Bytes(d.layerBytes(&s) + d.tableWeights()*d.wideType().Bytes()/float64(d.TP))
	b.Activations = d.activations(&s)
	b.KVPerToken = units.Bytes(float64(layers) * s.kvElements * d.KV.Bytes())
	weights, perToken := d.proposerMemory()
	b.Weights += weights
	b.KVPerToken += perToken
	if d.KVTokens > 0 {
		b.KVTokens, b.KV = d.KVTokens, units.Bytes(d.KVTokens)*b.KVPerToken/units.Bytes(d.DP)
		return b
	}
	b.KV = b.Available - b.Weights - b.Activations - b.Reserve
	blocks := math.Floor(float64(b.KV) / (float64(b.KVPerToken) * float64(d.BlockSize)))
	b.KVTokens = max(0, int(blocks)) * d.BlockSize * d.DP
	return b
}

// layerBytes is the size of one accelerator's share of the fullest stage's
// layers.
func (d *Deployment) layerBytes(s *shard) float64 {
	layers, experts := d.stageLayers()
	common := float64(layers)*elements(s.attention) + float64(layers-experts)*elements(s.dense) + float64(experts)*elements(s.shared)
	bytes := common*d.common().weightBytes() + float64(experts)*elements(s.router)*d.wideType().Bytes()
	if e := d.Architecture.Experts; e != nil {
		hosted := float64(experts) * float64(e.Count) / float64(d.EP)
		bytes += hosted * elements(s.expert) * d.routed().weightBytes()
	}
	return bytes
}

// tableWeights is the number of weights outside the layers: the embedding and
// position tables, and the LM head unless it is tied. Of several stages the
// first has the tables and the last the head.
func (d *Deployment) tableWeights() float64 {
	a := &d.Architecture
	n := a.EmbeddingWeights() + float64(a.PositionEmbeddings)*float64(a.Hidden)
	if !a.TiedEmbeddings && d.PP == 1 {
		n += a.EmbeddingWeights()
	}
	return n
}

func (d *Deployment) activations(s *shard) units.Bytes {
	e, tokens := &d.Engine, float64(d.MaxNumBatchedTokens)
	hidden := float64(d.Architecture.Hidden) * e.ActivationHidden
	logits := min(tokens, float64(d.MaxNumSeqs)) * float64(d.Architecture.Vocab)
	return units.Bytes(tokens*(hidden+d.widest(s)*e.ActivationWide)*d.wideType().Bytes() + logits*e.LogitBytes)
}

// checkMemory reports a deployment that leaves no room for a KV block, with the
// itemised budget and the smallest tensor parallelism that would fit.
func (d *Deployment) checkMemory() error {
	b := d.budget()
	if d.KVTokens == 0 && b.KVTokens > 0 || d.KVTokens > 0 && b.Weights <= b.Total {
		return nil
	}
	if b.KV > 0 {
		return &badinput.Error{Key: "strategy.kv.block_size", Value: d.BlockSize,
			Problem: fmt.Sprintf("the %s that are left for the KV cache do not hold one block", b.KV), Allowed: "fewer tokens, like 16"}
	}
	return &badinput.Error{Key: "hardware.tp", Value: d.TP,
		Problem: fmt.Sprintf("%s does not fit on %d x %s: weights %s + activations %s + runtime %s of %s usable (%.3g of %s) per accelerator",
			d.modelWords(), d.Accelerators(), d.Accelerator.Name, b.Weights, b.Activations, b.Reserve, b.Available, b.Utilization, b.Total),
		Allowed: d.smallestFit()}
}

// modelWords names the model, and the draft model beside it.
func (d *Deployment) modelWords() string {
	if d.Speculation != nil && d.Speculation.Method == DraftModel {
		return d.Architecture.Name + " with " + d.Speculation.Draft.Name
	}
	return d.Architecture.Name
}

// smallestFit says which tensor parallelism makes room, with these weights or
// with narrower ones where fewer accelerators then do.
func (d *Deployment) smallestFit() string {
	var ways []string
	fewest := math.MaxInt
	for _, weights := range []hardware.Precision{d.Weights, hardware.FP8, hardware.INT4} {
		other := *d
		other.Weights = weights
		tp := other.smallestTP()
		if tp >= fewest || weights == hardware.FP8 && d.Accelerator.Peak(weights) == 0 {
			continue
		}
		fewest = tp
		if weights == d.Weights {
			ways = append(ways, fmt.Sprintf("tp = %d fits", tp))
		} else {
			ways = append(ways, fmt.Sprintf("tp = %d with weights = %q", tp, weights))
		}
	}
	if len(ways) == 0 {
		return fmt.Sprintf("no tp fits on %s; an accelerator with more memory", d.Accelerator.Name)
	}
	return strings.Join(ways, ", or ")
}

// smallestTP is the smallest power of two of accelerators that fits, MaxInt when
// there is none.
func (d *Deployment) smallestTP() int {
	for _, tp := range d.workingTPs() {
		other := *d
		other.TP = tp
		if b := other.budget(); tp&(tp-1) == 0 && b.KVTokens > 0 && b.Weights <= b.Total {
			return tp
		}
	}
	return math.MaxInt
}
