package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
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
	vectorPerWeight  units.Seconds // of vector units, for a weight and row
}

// work is what rows take: 2*rows*inner*outer FLOPs; the weights, the
// inputs and 16-bit outputs in bytes.
func (p *product) work(rows float64) (units.FLOPs, units.Bytes) {
	return units.FLOPs(2 * rows * p.inner * p.outer),
		units.Bytes(p.weightBytes*p.inner*p.outer + p.activationBytes*rows*p.inner + 2*rows*p.outer)
}

// time is the duration for a number of rows.
func (p *product) time(rows float64, bandwidth units.BytesPerSecond) units.Seconds {
	flops, bytes := p.work(rows)
	matrix := p.efficiency.Time(flops, bytes, p.peak, bandwidth)
	return max(matrix, p.efficiency.Latency+p.vectorTime(rows)) + p.quantizePerInput*units.Seconds(rows*p.inner)
}

// vectorTime is how long vector units take for a number of rows, beside the matrix units.
func (p *product) vectorTime(rows float64) units.Seconds {
	return p.vectorPerWeight * units.Seconds(rows*p.inner*p.outer)
}

// scaleBlock is how many weights of a row have a scale of their own, of whose products vector units
// add up the sums: as many as a block of GGUF's formats with one scale has.
const scaleBlock = 32

// scaling is the time of vector units for one weight and row of products in a format, of which
// Engine.ProductVectorOps are for a block.
func (m *Model) scaling(f format) units.Seconds {
	ops := m.deployment.Engine.ProductVectorOps
	if ops == 0 || f.weightBytes() >= m.machine.wideBytes {
		return 0
	}
	return units.FLOPs(2 * ops / scaleBlock).At(m.deployment.Accelerator.Peak(hardware.FP32))
}

// quantizePass is the time per element of quantizing activations: the fit's
// quant_c times three bytes (two read, one written) over the bandwidth.
func quantizePass(e hardware.Efficiency, bandwidth units.BytesPerSecond) units.Seconds {
	return units.Bytes(3 * e.Quantize).At(bandwidth)
}
