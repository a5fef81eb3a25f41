package roofline

import (
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// decodeAttention is one kernel for all decoding sequences of a layer:
//
//	t = Latency + perRow*rows + perContext*context
//
// affine in the summed context at fixed rows, since FLOPs and KV bytes are both
// proportional to the context, and so is their norm. On vector units it takes no
// less than their instructions, which are, too.
type decodeAttention struct {
	latency    units.Seconds
	perRow     units.Seconds // queries and outputs
	perContext units.Seconds
	reading    units.Seconds // of perContext: on matrix units
	vector     units.Seconds // instructions of vector units for a query and a token of context

	flopsPerContext units.FLOPs
	bytesPerContext units.Bytes
	bytesPerRow     units.Bytes
	efficiency      hardware.Efficiency
}

// mixed is the kernel in a step that also has prompts.
func (a decodeAttention) mixed(repeats float64) decodeAttention {
	a.perContext = max(a.reading*units.Seconds(repeats), a.vector)
	return a
}

func (a *decodeAttention) time(rows, context float64) units.Seconds {
	return a.fixed(rows) + a.perContext*units.Seconds(context)
}

// fixed is the part that does not hang on the context.
func (a *decodeAttention) fixed(rows float64) units.Seconds {
	return a.latency + a.perRow*units.Seconds(rows)
}

// verify is the same with several queries a sequence, which read its keys and
// values once: guesses is the number of tokens that guesses attend to besides.
func (a *decodeAttention) verify(rows, context, guesses float64, m *machine) units.Seconds {
	compute := (units.FLOPs(context+guesses) * a.flopsPerContext).At(m.wide)
	memory := (units.Bytes(context) * a.bytesPerContext).At(m.bandwidth)
	return a.latency + a.perRow*units.Seconds(rows) +
		max(a.efficiency.Overlap(compute, memory), a.perContext*units.Seconds(context), a.vector*units.Seconds(context+guesses))
}

// newDecodeAttention multiplies queries with keys, and their weights with
// values. Absorbed latent attention does both with the latent vector itself, as
// every head's key (all of it) and value (all but the rotary part).
func (m *Model) newDecodeAttention(s *shard, e hardware.Efficiency) decodeAttention {
	d := &m.deployment
	query, value := s.queryWidth, s.valueWidth
	if l := d.Architecture.Latent; l != nil {
		heads := float64(d.Architecture.Heads) / float64(d.TP)
		query, value = heads*float64(l.Width()), heads*float64(d.Architecture.LatentValues())
	}
	flops := units.FLOPs(2 * (query + value))
	row := units.Bytes((query + value) * m.machine.wideBytes)
	reading, vector := e.Overlap(flops.At(m.machine.wide), s.kvBytes.At(m.machine.bandwidth)), m.vectorTime(query+value)
	return decodeAttention{
		latency:         e.Latency,
		perRow:          (row / units.Bytes(e.Memory)).At(m.machine.bandwidth),
		perContext:      max(reading, vector),
		reading:         reading,
		vector:          vector,
		flopsPerContext: flops, bytesPerContext: s.kvBytes, bytesPerRow: row, efficiency: e,
	}
}

// vectorTime is how long vector units take for elements of keys and values, each counted for
// every query head: AttentionVectorOps instructions, of which their peak is two FLOPs each.
func (m *Model) vectorTime(elements float64) units.Seconds {
	ops := m.deployment.Engine.AttentionVectorOps
	if ops == 0 {
		return 0
	}
	return units.FLOPs(2 * ops * elements).At(m.deployment.Accelerator.Peak(hardware.FP32))
}

// prefillAttention is one kernel for all chunks of a layer: causal attention of
// each chunk's tokens to its context and to itself.
type prefillAttention struct {
	flopsPerPair    units.FLOPs // 2*heads*(key width + value width) on this accelerator
	flopsPerContext units.FLOPs // to project a context token's latent vector up again
	bytesPerToken   units.Bytes // query and output
	bytesPerKey     units.Bytes // what is kept of a token of context or chunk
	heads           float64     // on this accelerator
	efficiency      hardware.Efficiency
}

func (m *Model) newPrefillAttention(s *shard, e hardware.Efficiency) prefillAttention {
	d := &m.deployment
	p := prefillAttention{
		flopsPerPair:  units.FLOPs(2 * (s.queryWidth + s.valueWidth)),
		bytesPerToken: units.Bytes((s.queryWidth + s.valueWidth) * m.machine.wideBytes),
		bytesPerKey:   s.kvBytes,
		heads:         float64(d.Architecture.Heads) / float64(d.TP),
		efficiency:    e,
	}
	if l := d.Architecture.Latent; l != nil {
		heads := d.Architecture.Heads / d.TP
		if d.Architecture.Indexer != nil || d.Architecture.Compression != nil { // every query reads vectors of its own, as they are kept
			p.flopsPerPair = units.FLOPs(2 * heads * (l.Width() + d.Architecture.LatentValues()))
			return p
		}
		p.flopsPerContext = units.FLOPs(2 * l.KVRank * heads * (l.NopeDim + l.ValueDim))
	}
	return p
}

// reach is what chunks attend to in one layer, summed over them.
type reach struct {
	pairs   float64 // of query and key
	tokens  float64 // queries
	keys    float64 // that are read
	context float64 // keys that earlier steps computed
	last    last    // of compressed layers
}

// reachOf returns a chunk's reach in layers that attend to everything, and in
// those with a window, of which the first token still sees window-1 before it.
func reachOf(c hardware.Chunk, window, local int) (full, windowed reach) {
	end := c.Context + c.Tokens
	full = reach{pairs: model.CausalPairs(c.Context, end), tokens: float64(c.Tokens), keys: float64(end), context: float64(c.Context)}
	if local > 0 {
		full.last = lastOf(c, local)
	}
	if window == 0 {
		return full, reach{last: full.last}
	}
	seen := min(c.Context, window-1)
	return full, reach{pairs: model.WindowPairs(c.Context, end, window), tokens: full.tokens,
		keys: float64(seen + c.Tokens), context: float64(seen), last: full.last}
}

func (r *reach) add(o reach) {
	r.pairs += o.pairs
	r.tokens += o.tokens
	r.keys += o.keys
	r.context += o.context
	r.last.add(o.last)
}

// share is the reach of one of n groups that have equal parts of it.
func (r reach) share(n float64) reach {
	return reach{r.pairs / n, r.tokens / n, r.keys / n, r.context / n, r.last.share(n)}
}

// alone is the duration for a single chunk, which may leave a part of the
// accelerator idle.
func (a *prefillAttention) alone(r reach, m *machine) units.Seconds {
	t := a.time(r, m)
	return t + (t-a.efficiency.Latency)*units.Seconds(a.efficiency.Slowdown(r.tokens, a.heads)-1)
}

// work is the FLOPs and bytes of a reach.
func (a *prefillAttention) work(r reach) (units.FLOPs, units.Bytes) {
	return units.FLOPs(r.pairs)*a.flopsPerPair + units.FLOPs(r.context)*a.flopsPerContext,
		units.Bytes(r.tokens)*a.bytesPerToken + units.Bytes(r.keys)*a.bytesPerKey
}

func (a *prefillAttention) time(r reach, m *machine) units.Seconds {
	flops, bytes := a.work(r)
	return a.efficiency.Time(flops, bytes, m.wide, m.bandwidth)
}

// buildAttention looks up the attention kernels. fp8 keys and values have
// kernels of their own, and so has latent attention.
func (m *Model) buildAttention(s *shard) error {
	d := &m.deployment
	kvFormat := string(hardware.BF16)
	if d.KV.Bytes() < 2 {
		kvFormat = string(hardware.FP8)
	}
	op := hardware.AttentionDecode
	if d.Architecture.Latent != nil {
		op = hardware.LatentDecode
	}
	decode, err := m.efficiency(op, kvFormat)
	if err != nil {
		return err
	}
	prefill, err := m.efficiency(hardware.AttentionPrefill, string(hardware.BF16))
	if err != nil {
		return err
	}
	m.decode = m.newDecodeAttention(s, decode)
	m.mixed = m.decode.mixed(decode.Repeats(2 * s.queryWidth / s.kvElements))
	m.prefill = m.newPrefillAttention(s, prefill)
	m.buildIndexer(decode, prefill)
	m.buildLinear(decode, prefill)
	return nil
}
