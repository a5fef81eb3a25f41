package hardware

import (
	"math"

	"kneepoint/units"
)

// Operator is a kind of kernel with efficiency constants of its own.
type Operator string

// The operators of the efficiency tables.
const (
	GEMM             Operator = "gemm"
	GroupedGEMM      Operator = "grouped_gemm"          // routed experts, loaded as trained routers load them
	BalancedGEMM     Operator = "grouped_gemm_balanced" // the same, all loaded alike
	AttentionPrefill Operator = "attention_prefill"
	AttentionDecode  Operator = "attention_decode"
	LatentDecode     Operator = "latent_decode" // absorbed, over latent vectors
	Elementwise      Operator = "elementwise"
)

// Formats of kernels beside the compute types: fp8 with a scale per block of
// weights, and 16-bit products whose weights are stored in 8 or 4 bits.
const (
	FP8Block    = "fp8-block"
	MXFP4Only   = "mxfp4-weight-only"
	MXFP4FP8    = "mxfp4-fp8" // 8-bit products of MXFP4 weights
	Weight8Only = "int8-weight-only"
	Weight4Only = "int4-weight-only"
)

// Efficiency says how close a kernel comes to the hardware's peaks:
//
//	t = Latency + ((FLOPs/(peak*Compute))^Norm + (bytes/(bandwidth*Memory))^Norm)^(1/Norm)
//
// Compute and Memory are in (0, 1] and Norm is at least 1, so that t is never
// below FLOPs/peak or bytes/bandwidth. A quantized product also makes a pass
// over its activations, Quantize*3*rows*inner/bandwidth.
type Efficiency struct {
	Latency  units.Seconds
	Compute  float64
	Memory   float64
	Norm     float64
	Quantize float64

	// Fill and Mixed describe attention kernels that give every 64 queries of a
	// head to one multiprocessor, whatever they attend to, and do not share keys
	// and values between the query heads of a KV head once a step has prompts:
	// Fill is the number of such tiles that occupy the accelerator, Mixed the part
	// of the repeated reads that the cache does not catch. Zero: neither applies.
	Fill  float64
	Mixed float64
}

// fillExponent says how much longer a chunk takes that does not fill the
// accelerator: a tile alone gets more than its share of the bandwidth.
const fillExponent = 0.65

// Slowdown is how much longer a chunk of prompt tokens takes alone than its
// share of a full accelerator: max(1, (Fill/tiles)^0.65) with
// tiles = heads*max(1, tokens/64).
func (e *Efficiency) Slowdown(tokens, heads float64) float64 {
	if tiles := heads * max(1, tokens/64); tiles < e.Fill {
		return math.Pow(e.Fill/tiles, fillExponent)
	}
	return 1
}

// Repeats is how often a mixed step reads keys and values for its decoding
// sequences, with group query heads for each KV head.
func (e *Efficiency) Repeats(group float64) float64 { return max(1, e.Mixed*group) }

// Time is the duration of a kernel that does f FLOPs and moves b bytes, at
// the given dense peak and memory bandwidth.
func (e *Efficiency) Time(f units.FLOPs, b units.Bytes, peak units.FLOPsPerSecond, bandwidth units.BytesPerSecond) units.Seconds {
	return e.Latency + e.Overlap(f.At(peak), b.At(bandwidth))
}

// Overlap is the duration without the latency, given the ideal times on the
// compute and on the memory side. It is positively homogeneous in the pair and
// monotone in each.
func (e *Efficiency) Overlap(compute, memory units.Seconds) units.Seconds {
	c, m := float64(compute)/e.Compute, float64(memory)/e.Memory
	high, low := max(c, m), min(c, m)
	if low <= 0 {
		return units.Seconds(high)
	}
	return units.Seconds(high * math.Pow(1+math.Pow(low/high, e.Norm), 1/e.Norm))
}

// Scaled returns e for kernels that reach only these fractions of its compute
// and memory efficiency.
func (e Efficiency) Scaled(compute, memory float64) Efficiency {
	e.Compute, e.Memory = e.Compute*compute, e.Memory*memory
	return e
}
