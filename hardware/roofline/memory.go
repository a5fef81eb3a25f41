package roofline

import (
	"fmt"
	"math"
	"strings"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/units/paging"
)

// Budget is the memory of each accelerator of a replica, itemised:
//
//	Available = Total*Utilization = Weights + Activations + Reserve + States + KV
//
// KV is negative when the rest does not fit. With an override of the KV
// capacity, KV is what the override takes.
type Budget struct {
	Total       units.Bytes
	Utilization float64
	Available   units.Bytes
	Weights     units.Bytes // a proposer's among them
	Activations units.Bytes // peak of the largest step, logits included
	Reserve     units.Bytes // the engine's runtime: context, graphs, communication buffers; and the windows of a draft
	State       units.Bytes // of linear attention, or vectors of the last tokens beside compressed ones, for one sequence
	States      units.Bytes // the same for all sequences that may run
	KV          units.Bytes
	KVPerToken  units.Bytes // of every layer, a proposer's among them that keeps those of all tokens
	DraftKV     units.Bytes // of these, the proposer's
	KVTokens    int         // of the whole replica, in whole blocks
}

// Budget itemises the memory of each accelerator, also where the deployment does not fit.
// What cannot be deployed for another reason is an error, as it is of New.
func (d Deployment) Budget() (Budget, error) {
	d = d.withDefaults()
	if err := d.check(); err != nil {
		return Budget{}, err
	}
	if err := d.checkWeightOffload(); err != nil {
		return Budget{}, err
	}
	return d.budget(), nil
}

// budget itemises the memory of one accelerator.
//
// The accelerator is one of the pipeline stage that holds the fewest tokens: all
// stages keep keys and values of the same ones. The weights are its
// share of the matrices, the embedding and the LM head, which stay in the wide
// type when the matrices are quantized. Capacities are in tokens of which every layer
// keeps keys and values, layers with a window too (see Windowed). Data-parallel groups hold sequences of
// their own: their tokens add up.
// Activations are those of a group's part of a step of MaxNumBatchedTokens tokens,
//
//	tokens*(hidden*ActivationHidden + widest*ActivationWide)*bytes + logits*LogitBytes
//
// with the widest matrix output on this accelerator and, in the last stage, the
// logits of min(tokens, sequences) rows: what an engine finds by running its
// largest step.
func (d *Deployment) budget() Budget {
	b := d.stageBudget(0)
	for stage := 1; stage < d.PP; stage++ {
		if other := d.stageBudget(stage); other.KV/other.KVPerToken < b.KV/b.KVPerToken {
			b = other
		}
	}
	if d.KVTokens > 0 {
		b.KVTokens, b.KV = d.KVTokens, units.Bytes(d.KVTokens)*b.KVPerToken/units.Bytes(d.DP)
		return b
	}
	blocks := math.Floor(float64(b.KV) / (float64(b.KVPerToken) * float64(d.BlockSize)))
	b.KVTokens = max(0, int(blocks)) * d.BlockSize * d.DP
	return b
}

// Windowed returns how sequences lie in memory whose layers with a window keep no more
// than that, and how many blocks of one group of layers a number of blocks of all layers
// makes. Where no sequence outgrows the window a block stays one of all layers, and
// where an indexer may select any token, and where a proposer has keys and values of its own. The deployment is a resolved one.
func (d *Deployment) Windowed(blocks int) (paging.Windows, int) {
	a := &d.Architecture
	w, layers := a.KVGroups()
	if w.Groups == 0 || a.Indexer != nil || d.MaxModelLen <= a.Window || d.Speculation != nil {
		return paging.Windows{}, blocks
	}
	return w, blocks * a.Layers / layers
}

// stageBudget itemises the memory of an accelerator of one stage; its KVTokens
// are left at 0.
func (d *Deployment) stageBudget(stage int) Budget {
	b := Budget{Total: d.Accelerator.Memory, Utilization: d.GPUMemoryUtilization, Reserve: d.Engine.MemoryReserve}
	b.Available = b.Total * units.Bytes(b.Utilization)
	s := d.shard()
	layers, linear := d.stageLayers()[stage], d.linearLayers(stage)
	b.Weights = units.Bytes(d.layerBytes(&s, layers, linear) + d.tableWeights(stage)*d.wide().weightBytes()/float64(d.TP))
	b.Activations = d.activations(&s, stage)
	b.KVPerToken = d.keptPerToken(&s, layers, linear)
	weights, perToken := d.proposerMemory()
	b.Weights += weights - d.CPUOffload
	_, sequences := d.StepSequences()
	b.State = d.state(linear) + d.lastVectors(&s, layers)
	b.States = b.State * units.Bytes(sequences)
	b.KV = b.Available - b.Weights - b.Activations - b.Reserve - b.States
	d.addDraftCache(&b, perToken)
	return b
}

// keptPerToken is what a number of layers, of which some have linear attention, keep of a token
// on one accelerator, index keys included.
func (d *Deployment) keptPerToken(s *shard, layers, linear int) units.Bytes {
	a := &d.Architecture
	part := units.Bytes(float64(layers) / float64(a.Layers))
	if a.Compression != nil {
		return part * (units.Bytes(a.KVLayers())*s.kvBytes + a.IndexBytesPerToken())
	}
	return units.Bytes(layers-linear)*s.kvBytes + part*a.IndexBytesPerToken()
}

// layerBytes is the size of one accelerator's share of a number of layers, of which some have
// linear attention.
func (d *Deployment) layerBytes(s *shard, layers, linear int) float64 {
	experts := d.expertLayers(layers)
	common := float64(layers-experts)*elements(s.dense) + float64(experts)*elements(s.shared)
	indexed := float64(layers*d.Architecture.IndexLayers()) / float64(d.Architecture.Layers)
	mixers := float64(layers-linear)*elements(s.attention) + indexed*elements(s.index) + float64(linear)*elements(s.linear)
	bytes := common*d.common().weightBytes() + mixers*d.projected().weightBytes()
	bytes += float64(experts) * elements(s.router) * d.wide().weightBytes()
	if e := d.Architecture.Experts; e != nil {
		hosted := float64(experts) * float64(e.Count) / float64(d.EP)
		bytes += hosted * elements(s.expert) * d.routed().weightBytes()
	}
	return bytes
}

// tableWeights is the number of a stage's weights outside the layers: of the
// first the embedding and position tables, of the last the LM head, which a
// single stage shares with the embedding where the two are tied.
func (d *Deployment) tableWeights(stage int) float64 {
	a := &d.Architecture
	var n float64
	if stage == 0 {
		n = a.EmbeddingWeights() + float64(a.PositionEmbeddings)*float64(a.Hidden)
	}
	if stage == d.PP-1 && (stage > 0 || !a.TiedEmbeddings) {
		n += a.EmbeddingWeights()
	}
	return n
}

func (d *Deployment) activations(s *shard, stage int) units.Bytes {
	_, most := d.StepTokens()
	_, sequences := d.StepSequences()
	e, tokens := &d.Engine, float64(most)
	hidden := float64(d.Architecture.Hidden) * e.ActivationHidden
	logits := 0.0
	if stage == d.PP-1 {
		logits = min(tokens, float64(sequences)) * float64(d.Architecture.Vocab)
	}
	return units.Bytes(tokens*(hidden+d.widest(s)*e.ActivationWide)*d.wideType().Bytes() + logits*e.LogitBytes)
}

// checkMemory reports a deployment that leaves no room for a KV block, with the
// itemised budget and the smallest tensor parallelism that would fit.
func (d *Deployment) checkMemory() error {
	b := d.budget()
	if d.holds(&b) {
		return d.checkStatedCapacity(&b)
	}
	if b.KV > 0 {
		return &badinput.Error{Key: "strategy.kv.block_size", Value: d.BlockSize,
			Problem: fmt.Sprintf("the %s that are left for the KV cache do not hold one block", b.KV), Allowed: "fewer tokens, like 16"}
	}
	if most := d.fittingStates(&b); most > 0 {
		return &badinput.Error{Key: "strategy.max_num_seqs", Value: d.MaxNumSeqs,
			Problem: fmt.Sprintf("the states of so many sequences of %s take %s of each accelerator", d.Architecture.Name, b.States),
			Allowed: fmt.Sprintf("at most %d", most)}
	}
	return &badinput.Error{Key: "hardware.tp", Value: d.TP,
		Problem: fmt.Sprintf("%s does not fit on %d x %s: weights %s + activations %s + runtime %s of %s usable (%.3g of %s) per accelerator",
			d.modelWords(), d.Accelerators(), d.Accelerator.Name, b.Weights, b.Activations, b.Reserve, b.Available, b.Utilization, b.Total),
		Allowed: d.smallestFit()}
}

// checkStatedCapacity refuses an override of the KV capacity that the accelerators have no
// memory for beside the weights, whatever an engine leaves free:
//
//	tokens*KVPerToken/DP <= Total - Weights
//
// in the stage that holds the fewest.
func (d *Deployment) checkStatedCapacity(b *Budget) error {
	if d.KVTokens == 0 || b.KV <= b.Total-b.Weights {
		return nil
	}
	most := int((b.Total-b.Weights)/b.KVPerToken) * d.DP
	return &badinput.Error{Key: "hardware.kv_tokens", Value: d.KVTokens,
		Problem: fmt.Sprintf("their keys and values take %s on each %s, which has %s beside the weights of %s",
			b.KV, d.Accelerator.Name, b.Total-b.Weights, b.Weights),
		Allowed: fmt.Sprintf("at most %d, or 0 for what the engine leaves", most)}
}

// modelWords names the model, and the draft model beside it.
func (d *Deployment) modelWords() string {
	if d.Speculation != nil && d.Speculation.Method == DraftModel {
		return d.Architecture.Name + " with " + d.Speculation.Draft.Name
	}
	return d.Architecture.Name
}

// holds reports whether the budget leaves room for a KV block; with an override
// of the KV capacity, whether the weights alone fit.
func (d *Deployment) holds(b *Budget) bool {
	if d.KVTokens > 0 {
		return d.MostWeights() <= b.Total
	}
	return b.KVTokens > 0
}

// Checkpoint is the size of the model's weights: those of one accelerator that
// has all of them. The deployment is a resolved one.
func (d *Deployment) Checkpoint() units.Bytes {
	whole := *d
	whole.TP, whole.PP, whole.DP, whole.EP = 1, 1, 1, 1
	whole.CPUOffload = 0
	b := whole.budget()
	return b.Weights
}

// MostWeights is the size of the weights of the accelerator that has the most. The
// deployment is a resolved one.
func (d *Deployment) MostWeights() units.Bytes {
	var most units.Bytes
	for stage := range d.PP {
		b := d.stageBudget(stage)
		most = max(most, b.Weights)
	}
	return most
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
		if b := other.budget(); tp&(tp-1) == 0 && other.holds(&b) {
			return tp
		}
	}
	return math.MaxInt
}
