package roofline

import (
	"cmp"
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units"
)

// widths are the inner and the outer width of a matrix.
type widths struct{ inner, outer float64 }

func elements(matrices []widths) float64 {
	var n float64
	for _, m := range matrices {
		n += m.inner * m.outer
	}
	return n
}

// shard is one accelerator's part of a layer.
type shard struct {
	hidden     float64
	queryWidth float64 // of its heads' queries
	valueWidth float64 // of its heads' outputs
	kvElements float64 // kept per token
	kvBytes    units.Bytes

	attention []widths // projections
	index     []widths // of the indexer, the same on every accelerator
	linear    []widths // of layers with linear attention
	dense     []widths // MLP of a layer without experts
	shared    []widths // shared experts
	router    []widths
	expert    []widths // one routed expert
}

// shard splits the layers: heads and the inner widths of MLPs evenly; KV heads
// too, but at least one per accelerator. Projections down to a latent rank, and
// the router, are not split.
func (d *Deployment) shard() shard {
	a, tp := &d.Architecture, float64(d.TP)
	s := shard{
		hidden:     float64(a.Hidden),
		queryWidth: float64(a.Heads*a.HeadDim) / tp,
		valueWidth: float64(a.Heads*a.ValueDim()) / tp,
		kvElements: a.KVElements(),
		kvBytes:    a.KVBytes(d.KV),
		dense:      d.mlp(float64(a.FFN) / tp),
	}
	if a.Latent == nil {
		s.kvElements = 2 * max(1, float64(a.KVHeads)/tp) * float64(a.HeadDim)
		s.kvBytes = units.Bytes(s.kvElements * d.KV.Bytes())
	}
	s.attention = d.projections(&s)
	s.index = d.indexProjections()
	s.linear = d.linearProjections()
	if e := a.Experts; e != nil {
		s.shared = d.mlp(float64(e.SharedFFN) / tp)
		s.router = []widths{{s.hidden, float64(e.Count)}}
		s.expert = d.mlp(float64(e.FFN) / float64(d.expertTP()))
	}
	return s
}

// projections are the matrices of model.Architecture.AttentionMatrices, split, but the indexer's.
func (d *Deployment) projections(s *shard) []widths {
	output := widths{s.valueWidth, s.hidden}
	l := d.Architecture.Latent
	if l == nil {
		queries := s.queryWidth
		if d.Architecture.GatedAttention {
			queries *= 2
		}
		return []widths{{s.hidden, queries + s.kvElements}, output}
	}
	if d.Architecture.Compression != nil {
		return d.compressedProjections(s)
	}
	down := widths{s.hidden, float64(l.Width())}
	query := widths{s.hidden, s.queryWidth}
	if l.QueryRank > 0 {
		down.outer += float64(l.QueryRank)
		query.inner = float64(l.QueryRank)
	}
	heads := float64(d.Architecture.Heads) / float64(d.TP)
	return []widths{down, query, {float64(l.KVRank), heads * float64(l.NopeDim+l.ValueDim)}, output}
}

// mlp is an MLP's up (and gate) and down projection; nothing for width 0.
func (d *Deployment) mlp(width float64) []widths {
	if width == 0 {
		return nil
	}
	up := width
	if d.Architecture.Gated {
		up = 2 * width
	}
	hidden := float64(d.Architecture.Hidden)
	return []widths{{hidden, up}, {width, hidden}}
}

// activationElements is what an activation function reads and writes for a
// token of an MLP: up, gate and their product, or one in and one out.
func activationElements(mlp []widths) float64 {
	if len(mlp) == 0 {
		return 0
	}
	return mlp[0].outer + mlp[1].inner
}

// widest is the widest output that a token has in a layer, all experts that it
// is sent to taken together.
func (d *Deployment) widest(s *shard) float64 {
	var widest float64
	for _, part := range [][]widths{s.attention, s.linear, s.dense, s.shared} {
		for _, m := range part {
			widest = max(widest, m.outer)
		}
	}
	if e := d.Architecture.Experts; e != nil {
		widest = max(widest, float64(e.Active)*s.expert[0].outer/float64(d.EP))
	}
	return widest
}

// format is the precisions of a matrix product, and how many of its weights share a scale in 4 bits (0: as many as usual).
type format struct {
	weights, activations hardware.Precision
	groupSize            int
}

// common is the format of the MLPs that every token meets: the wide type where
// quantization leaves all but routed experts alone.
func (d *Deployment) common() format {
	if d.Architecture.Experts != nil {
		return d.projected()
	}
	return d.routed()
}

// projected is the format of attention's projections: the wide type where
// quantization leaves them alone, or the checkpoint's own for what every token meets.
func (d *Deployment) projected() format {
	switch a := &d.Architecture; {
	case a.WideAttention:
		return d.wide()
	case a.CommonFormat != "" && d.Weights == a.Checkpoint.Weights:
		return d.format(a.CommonFormat, d.Activations)
	}
	return d.routed()
}

// wide is the format of the products that quantization leaves alone.
func (d *Deployment) wide() format {
	return d.format(cmp.Or(d.OtherWeights, d.wideType()), d.wideType())
}

// routed is the format of the experts' products.
func (d *Deployment) routed() format { return d.format(d.Weights, d.Activations) }

// format is that of products of weights and activations. A group is the checkpoint's where the weights are in its format, and 32
// of AMD's 4-bit floats, for which its matrix units have no other.
func (d *Deployment) format(weights, activations hardware.Precision) format {
	switch {
	case weights == d.Architecture.Checkpoint.Weights && d.Architecture.GroupSize > 0:
		return format{weights, activations, d.Architecture.GroupSize}
	case weights == hardware.FP4 && d.Accelerator.Vendor == "AMD":
		return format{weights, activations, 32}
	}
	return format{weights, activations, 0}
}

// floatsOnly tells whether weights alone are 4-bit floats.
func (f format) floatsOnly() bool { return f.weights == hardware.FP4 && f.activations.Bytes() > 0.5 }

// weightBytes is the size of a weight with its scale, which has 8 bits for floats and 16 for integers.
func (f format) weightBytes() float64 {
	group := float64(f.groupSize)
	switch {
	case group == 0:
	case f.weights == hardware.FP4:
		return (4 + 8/group) / 8
	case f.weights == hardware.INT4:
		return (4 + 16/group) / 8
	}
	return f.weights.WeightBytes()
}

// gemm names the kernels that multiply these weights by these activations: the
// compute type, or weight-only quantization.
func (f format) gemm(fp8Block bool) string {
	switch {
	case f.activations == hardware.FP8 && fp8Block:
		return hardware.FP8Block
	case f.activations.Bytes() < 2:
		return string(f.activations)
	case f.weights.Bytes() == 1:
		return hardware.Weight8Only
	case f.weights.Bytes() == 0.5:
		return hardware.Weight4Only
	default:
		return string(hardware.BF16)
	}
}

// standIn says that kernels of 8-bit weights stand in for those of weights in fewer bits, of which none were measured: they
// read these at the same share of the bandwidth, without what unpacking them takes. Empty where the kernels are of the format.
func (f format) standIn() string {
	if f.activations.Bytes() >= 2 || f.weights.Bytes() >= f.activations.Bytes() {
		return ""
	}
	return fmt.Sprintf("products of %s weights in %s: kernels of weights in %s stand in", f.weights, f.activations, f.activations)
}

// grouped names the kernels of experts. Those of weights in 4-bit floats alone were measured in MXFP4.
func (f format) grouped(fp8Block bool) string {
	switch {
	case f.floatsOnly() && f.activations.Bytes() >= 2:
		return hardware.MXFP4Only
	case f.floatsOnly():
		return hardware.MXFP4FP8
	}
	return f.gemm(fp8Block)
}
