package roofline

import (
	"kneepoint/hardware"
	"kneepoint/internal/units"
)

// machine is what every kernel of one accelerator shares.
type machine struct {
	bandwidth units.BytesPerSecond
	compute   units.FLOPsPerSecond // dense peak of the activations' type
	wide      units.FLOPsPerSecond // dense peak of the type of attention and LM head
	wideBytes float64              // size of that type's elements
}

// product is a matrix product of any number of rows with a resident matrix.
type product struct {
	inner, outer     float64
	weightBytes      float64 // per weight
	activationBytes  float64 // per element of the input
	peak             units.FLOPsPerSecond
	efficiency       hardware.Efficiency
	quantizePerInput units.Seconds // per input element, the pass that quantizes it
}

// time is the duration for so many rows: 2*rows*inner*outer FLOPs; the weights,
// the inputs and 16-bit outputs in bytes.
func (p *product) time(rows float64, bandwidth units.BytesPerSecond) units.Seconds {
	flops := units.FLOPs(2 * rows * p.inner * p.outer)
	bytes := units.Bytes(p.weightBytes*p.inner*p.outer + p.activationBytes*rows*p.inner + 2*rows*p.outer)
	return p.efficiency.Time(flops, bytes, p.peak, bandwidth) + p.quantizePerInput*units.Seconds(rows*p.inner)
}

// quantizePass is the time per element of quantizing activations: the fit's
// quant_c times three bytes (two read, one written) over the bandwidth.
func quantizePass(e hardware.Efficiency, bandwidth units.BytesPerSecond) units.Seconds {
	return units.Bytes(3 * e.Quantize).At(bandwidth)
}

// decodeAttention is one kernel for all decoding sequences of a layer:
//
//	t = Latency + perRow*rows + perContext*context
//
// affine in the summed context at fixed rows, since FLOPs and KV bytes are both
// proportional to the context, and so is their norm.
type decodeAttention struct {
	latency    units.Seconds
	perRow     units.Seconds // queries and outputs
	perContext units.Seconds
}

func newDecodeAttention(s *shard, kvBytes float64, m *machine, e hardware.Efficiency) decodeAttention {
	flops := units.FLOPs(4 * s.queryWidth)
	bytes := units.Bytes(2 * s.kvWidth * kvBytes)
	return decodeAttention{
		latency:    e.Latency,
		perRow:     units.Bytes(2 * s.queryWidth * m.wideBytes / e.Memory).At(m.bandwidth),
		perContext: e.Overlap(flops.At(m.wide), bytes.At(m.bandwidth)),
	}
}

func (a *decodeAttention) time(rows int, context int64) units.Seconds {
	return a.latency + a.perRow*units.Seconds(rows) + a.perContext*units.Seconds(context)
}

// prefillAttention is one kernel for all chunks of a layer: causal attention of
// each chunk's tokens to its context and to itself.
type prefillAttention struct {
	flopsPerPair  units.FLOPs // 4*heads*head_dim on this accelerator
	bytesPerToken units.Bytes // query and output
	bytesPerKey   units.Bytes // key and value of a token of context or chunk
	efficiency    hardware.Efficiency
}

func newPrefillAttention(s *shard, kvBytes float64, m *machine, e hardware.Efficiency) prefillAttention {
	return prefillAttention{
		flopsPerPair:  units.FLOPs(4 * s.queryWidth),
		bytesPerToken: units.Bytes(2 * s.queryWidth * m.wideBytes),
		bytesPerKey:   units.Bytes(2 * s.kvWidth * kvBytes),
		efficiency:    e,
	}
}

// time is the duration given, summed over the chunks, the causal pairs, the
// tokens, and the keys that are read.
func (a *prefillAttention) time(pairs, tokens, keys float64, m *machine) units.Seconds {
	return a.efficiency.Time(units.FLOPs(pairs)*a.flopsPerPair,
		units.Bytes(tokens)*a.bytesPerToken+units.Bytes(keys)*a.bytesPerKey, m.wide, m.bandwidth)
}
