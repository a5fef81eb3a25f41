package roofline

import (
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// linearAttention is the kernels of the layers with linear attention: one for all decoding
// sequences of a layer, which reads and writes the state of each, and those of chunking for prompts.
type linearAttention struct {
	layers        float64
	stateBytes    units.Bytes   // of a sequence in one layer, on this accelerator
	tokenFLOPs    units.FLOPs   // of a decoded token
	chunkFLOPs    units.FLOPs   // of a prompt's token
	bytesPerToken units.Bytes   // queries, keys, values and outputs
	chunkBytes    units.Bytes   // of a prompt's token: the states between chunks, written and read
	furtherChunks units.Seconds // kernels of a prompt beyond one
	decode        hardware.Efficiency
	prefill       hardware.Efficiency
}

// chunking is how prompts are computed: in chunks of so many tokens, by so many kernels, with the states between chunks in
// so many bytes an element.
type chunking struct {
	tokens     int
	kernels    units.Seconds
	stateBytes float64
}

// The delta rule has sums of decays, products of keys, the inverse, its products, the states between chunks, and outputs;
// a scan sums of decays, states of chunks, the states between them, products of keys, and outputs.
//
// Sources: fla-org/flash-linear-attention, fla/ops/gated_delta_rule/chunk.py, as in vLLM;
// vllm/model_executor/layers/mamba/ops/ssd_combined.py, and mamba_chunk_size of Granite 4.
func chunksOf(l *model.Linear, wideBytes float64) chunking {
	if l.Scan {
		return chunking{tokens: 256, kernels: 5, stateBytes: 4}
	}
	return chunking{tokens: 64, kernels: 6, stateBytes: wideBytes}
}

// linearLaunches is the number of elementwise kernels of a layer with linear attention beyond those
// of plain attention: the split of the projection, the convolution, and the gated norm, where
// attention has its rotary embedding alone.
const linearLaunches = 2

// buildLinear has the constants of attention's kernels, since none were measured of its own.
func (m *Model) buildLinear(decode, prefill hardware.Efficiency) {
	d := &m.deployment
	l := d.Architecture.Linear
	if l == nil {
		return
	}
	share, chunks := l.Share(d.TP), chunksOf(l, m.machine.wideBytes)
	m.linear = &linearAttention{
		layers:        float64(l.Layers),
		stateBytes:    share.StateBytes(),
		tokenFLOPs:    share.FLOPsPerToken(),
		chunkFLOPs:    share.ChunkFLOPsPerToken(chunks.tokens),
		bytesPerToken: units.Bytes(float64(share.Channels()+share.Values()) * m.machine.wideBytes),
		chunkBytes:    units.Bytes(2 * share.StateElements() * chunks.stateBytes / float64(chunks.tokens)),
		furtherChunks: chunks.kernels - 1,
		decode:        decode,
		prefill:       prefill,
	}
	m.estimate("linear attention: constants of attention's kernels; the states of cached prefixes take no memory")
}

// decodeWork is the FLOPs and bytes of one layer for a token of each sequence.
func (l *linearAttention) decodeWork(rows float64) (units.FLOPs, units.Bytes) {
	return units.FLOPs(rows) * l.tokenFLOPs, units.Bytes(rows) * (2*l.stateBytes + l.bytesPerToken)
}

// promptWork is the FLOPs and bytes of one layer for chunks of prompts, whose states are read and
// written in so many passes.
func (l *linearAttention) promptWork(tokens, passes float64) (units.FLOPs, units.Bytes) {
	return units.FLOPs(tokens) * l.chunkFLOPs, units.Bytes(tokens)*(l.bytesPerToken+l.chunkBytes) + units.Bytes(passes)*l.stateBytes
}

// statePasses is how often a chunk of a prompt touches its state: it writes it, and reads what
// earlier chunks left.
func statePasses(c hardware.Chunk) float64 {
	if c.Context > 0 {
		return 2
	}
	return 1
}

// busiestPasses is the prompt tokens of the fullest data-parallel group, and how often it touches states.
func (m *Model) busiestPasses(chunks []hardware.Chunk) (tokens, passes float64) {
	longest := 0.0
	for _, c := range chunks {
		tokens += float64(c.Tokens)
		passes += statePasses(c)
		longest = max(longest, float64(c.Tokens))
	}
	groups := float64(m.deployment.DP)
	return max(longest, tokens/groups), max(1, passes/groups)
}

// time is that of all layers.
func (l *linearAttention) time(m *Model, w *hardware.Work) (t units.Seconds) {
	if w.DecodeRows > 0 {
		flops, bytes := l.decodeWork(float64(m.groupShare(w.BatchRows())))
		t += l.decode.Time(flops, bytes, m.machine.wide, m.machine.bandwidth)
	}
	if len(w.Prefill) > 0 {
		flops, bytes := l.promptWork(m.busiestPasses(w.Prefill))
		t += l.furtherChunks*l.prefill.Latency + l.prefill.Time(flops, bytes, m.machine.wide, m.machine.bandwidth)
	}
	return t * units.Seconds(l.layers)
}

func (l *linearAttention) operator(m *Model, w *hardware.Work) Operator {
	var s sides
	o := Operator{Name: "linear attention", Time: l.time(m, w)}
	add := func(flops units.FLOPs, bytes units.Bytes, e *hardware.Efficiency) {
		o.FLOPs += units.FLOPs(l.layers) * flops
		o.Bytes += units.Bytes(l.layers) * bytes
		s.add(e, flops.At(m.machine.wide), bytes.At(m.machine.bandwidth))
	}
	if w.DecodeRows > 0 {
		flops, bytes := l.decodeWork(float64(m.groupShare(w.BatchRows())))
		add(flops, bytes, &l.decode)
	}
	if len(w.Prefill) > 0 {
		flops, bytes := l.promptWork(m.busiestPasses(w.Prefill))
		s.latency += l.furtherChunks * l.prefill.Latency
		add(flops, bytes, &l.prefill)
	}
	return o.waitingFor(s.times(l.layers))
}

// linearProjections are the matrices of model.Architecture.LinearMatrices, split by heads.
func (d *Deployment) linearProjections() (split []widths) {
	l := d.Architecture.Linear
	if l == nil {
		return nil
	}
	for _, m := range l.ShareMatrices(d.Architecture.Hidden, d.TP) {
		split = append(split, widths{float64(m.Inner), float64(m.Outer)})
	}
	return split
}

// state is what one accelerator keeps of a sequence in a number of layers with linear attention.
func (d *Deployment) state(linear int) units.Bytes {
	if linear == 0 {
		return 0
	}
	share := d.Architecture.Linear.Share(d.TP)
	return units.Bytes(linear) * share.StateBytes()
}

// linearLayers is how many of a stage's layers have linear attention. The others are spread evenly, each
// the last of its interval: of the first n layers n*AttentionLayers/Layers have keys and values.
func (d *Deployment) linearLayers(stage int) int {
	a := &d.Architecture
	if a.Linear == nil {
		return 0
	}
	before := 0
	for _, layers := range d.stageLayers()[:stage] {
		before += layers
	}
	layers := d.stageLayers()[stage]
	attention := (before+layers)*a.AttentionLayers()/a.Layers - before*a.AttentionLayers()/a.Layers
	return layers - attention
}

// fittingStates is how many sequences leave half of the memory beside the weights to keys and values,
// where the states of as many as may run do not leave enough; 0 where they are not what is too much.
func (d *Deployment) fittingStates(b *Budget) int {
	if b.States == 0 {
		return 0
	}
	_, sequences := d.StepSequences()
	return max(0, int(float64(sequences)*float64((b.KV+b.States)/(2*b.States))))
}
