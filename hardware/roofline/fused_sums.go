package roofline

import "kneepoint/units"

// With hardware.Engine.FusedSums the product after attention and the last one of an MLP are one kernel with the sum over
// the accelerators: outputs are sent while others are computed. Such a kernel takes as long as the longer of product and sum,
// and no less than the product and the latency of the sum. That is the most that it gains. Products of experts, and sums
// between servers, stay apart.
//
// Source: NVIDIA/TensorRT-LLM, cpp/tensorrt_llm/plugins/gemmAllReducePlugin.

// fusedSum is products that are one kernel each with the sum of their outputs.
type fusedSum struct {
	layers    float64
	product   *product
	bandwidth units.BytesPerSecond
}

// fusesSums tells whether products are one kernel with their sums.
func (d *Deployment) fusesSums() bool {
	return d.Engine.FusedSums && d.TP > 1 && d.servers(d.tensorGroup()) == 1
}

// fusedSums lists them; nil where sums are kernels of their own.
func (m *Model) fusedSums() (list []fusedSum) {
	d := &m.deployment
	if !d.fusesSums() {
		return nil
	}
	for i := range m.layers {
		if l := &m.layers[i]; l.summed && len(l.products) > 0 {
			list = append(list, fusedSum{l.count, &l.products[len(l.products)-1], m.machine.bandwidth})
		}
	}
	return list
}

// hidden is the part of the exchanges' time during which products are computed.
func (e *exchange) hidden(tokens float64) (total units.Seconds) {
	if len(e.fused) == 0 {
		return 0
	}
	most := e.once(tokens) - e.latency(tokens)
	for _, f := range e.fused {
		total += units.Seconds(f.layers) * min(most, f.product.time(tokens, f.bandwidth))
	}
	return total
}
