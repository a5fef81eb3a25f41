package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// indexer is the two kernels of a layer that choose what sparse attention reads: one scores every
// token of the context for every query, the other selects the best. Every accelerator of a
// tensor-parallel group has all of its heads and keys.
//
//	t = 2*Latency + queries*perQuery + ((pairs*FLOPs/(peak*ec))^q + ((keys*key + pairs*scores)/(bandwidth*em))^q)^(1/q)
//
// Source: vllm/model_executor/layers/sparse_attn_indexer.py (kernels, replicated weights).
type indexer struct {
	flopsPerPair  units.FLOPs
	bytesPerKey   units.Bytes
	bytesPerQuery units.Bytes
	peak          units.FLOPsPerSecond
	decode        hardware.Efficiency
	prefill       hardware.Efficiency
}

// indexLaunches is the number of elementwise kernels of an indexer: the norm of its key, the rotary
// embedding, the quantization of queries, and that of the key into the cache.
const indexLaunches = 4

// scoreBytes is a pair's score in 32 bits, written once and read once.
const scoreBytes = 2 * 4

// buildIndexer has the constants of attention's kernels, since none were measured of its own.
// It computes in 8 bits where quantized products do.
func (m *Model) buildIndexer(decode, prefill hardware.Efficiency) {
	d := &m.deployment
	x := d.Architecture.Indexer
	if x == nil {
		return
	}
	peak := m.machine.wide
	if fp8 := d.Accelerator.Peak(hardware.FP8); d.Activations.Bytes() < 2 && fp8 > 0 {
		peak = min(fp8, max(peak, m.machine.compute))
	}
	m.indexer = &indexer{
		flopsPerPair:  x.PairFLOPs(),
		bytesPerKey:   x.KeyBytes(),
		bytesPerQuery: units.Bytes(x.Heads * (x.Dim + 4)), // in 8 bits, with a weight for each head
		peak:          peak,
		decode:        decode,
		prefill:       prefill,
	}
	m.estimate("indexer of sparse attention: constants of attention's kernels")
}

// indexed is what the indexers of a data-parallel group score in one layer.
type indexed struct{ queries, pairs, keys float64 }

func (m *Model) indexedDecode(w *hardware.Work) indexed {
	groups := float64(m.deployment.DP)
	share := m.deployment.Architecture.WindowShare() / groups
	context := float64(w.ReadContext()) * share
	return indexed{float64(m.groupShare(w.DecodeRows + w.DraftRows)), context + float64(w.DraftContext)*share, context}
}

func (m *Model) indexedPrompts(w *hardware.Work) indexed {
	full, _ := m.busiestReach(w.Prefill)
	share := m.deployment.Architecture.WindowShare()
	return indexed{full.tokens, full.pairs * share, full.keys * share}
}

// work is the FLOPs and bytes of one layer.
func (x *indexer) work(n indexed) (units.FLOPs, units.Bytes) {
	return units.FLOPs(n.pairs) * x.flopsPerPair, units.Bytes(n.keys)*x.bytesPerKey + units.Bytes(n.pairs*scoreBytes)
}

// time is the duration of one layer.
func (x *indexer) time(n indexed, e *hardware.Efficiency, bandwidth units.BytesPerSecond) units.Seconds {
	flops, bytes := x.work(n)
	queries := (units.Bytes(n.queries) * x.bytesPerQuery / units.Bytes(e.Memory)).At(bandwidth)
	return 2*e.Latency + queries + e.Overlap(flops.At(x.peak), bytes.At(bandwidth))
}

// indexTime is the time of the indexers of all layers, of decoding sequences and of prompts apart.
func (m *Model) indexTime(w *hardware.Work) (t units.Seconds) {
	if w.DecodeRows > 0 {
		t += m.indexer.time(m.indexedDecode(w), &m.indexer.decode, m.machine.bandwidth)
	}
	if len(w.Prefill) > 0 {
		t += m.indexer.time(m.indexedPrompts(w), &m.indexer.prefill, m.machine.bandwidth)
	}
	return t * units.Seconds(m.deployment.Architecture.IndexLayers())
}

func (m *Model) indexOperator(w *hardware.Work) Operator {
	var s sides
	x, layers := m.indexer, m.deployment.Architecture.IndexLayers()
	o := Operator{Name: "sparse attention's indexer", Time: m.indexTime(w)}
	add := func(n indexed, e *hardware.Efficiency) {
		flops, bytes := x.work(n)
		o.FLOPs += units.FLOPs(layers) * flops
		o.Bytes += units.Bytes(layers) * bytes
		s.latency += e.Latency // add counts one more
		s.add(e, flops.At(x.peak), bytes.At(m.machine.bandwidth))
	}
	if w.DecodeRows > 0 {
		add(m.indexedDecode(w), &x.decode)
	}
	if len(w.Prefill) > 0 {
		add(m.indexedPrompts(w), &x.prefill)
	}
	return o.waitingFor(s.times(float64(layers)))
}

// indexProjections are the indexer's matrices, which are not split; nothing without one.
func (d *Deployment) indexProjections() (all []widths) {
	for _, m := range d.Architecture.IndexMatrices() {
		all = append(all, widths{float64(m.Inner), float64(m.Outer)})
	}
	return all
}
