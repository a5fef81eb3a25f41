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
	return p.efficiency.Time(flops, bytes, p.peak, bandwidth) + p.quantizePerInput*units.Seconds(rows*p.inner)
}

// quantizePass is the time per element of quantizing activations: the fit's
// quant_c times three bytes (two read, one written) over the bandwidth.
func quantizePass(e hardware.Efficiency, bandwidth units.BytesPerSecond) units.Seconds {
	return units.Bytes(3 * e.Quantize).At(bandwidth)
}
