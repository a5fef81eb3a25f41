package roofline

import "kneepoint/units"

// besideEachOther is how long three kinds of parts of a step take one after another: products and whatever else waits for compute, kernels
// that wait for memory, and exchanges. Beside each other they share the multiprocessors: whoever waits for memory
// or a link is given a part of them, and is as fast with it as was measured, and products have the rest. So a step takes the t with
//
//	products = t * (1 - part(memory/t) - part(links/t))
//
// where part(p) of the multiprocessors makes a kernel p times as fast as all of them do.
//
// Source: efeslab/Nanoflow at d6b381e5, autosearch/trace/gemv_interference.csv and net_interference.csv, measured on an A100.
type besideEachOther struct{ products, memory, links units.Seconds }

// Shares of the multiprocessors, one step of a tenth for each, and how fast kernels are with them.
var (
	memoryWithTenths = []float64{0, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1}
	linksWithTenths  = []float64{0, 0.4, 0.6, 0.7, 0.8, 0.9, 1}
)

func (b *besideEachOther) add(o *Operator) {
	switch {
	case o.LinkBytes > 0:
		b.links += o.Time
	case o.sides.compute >= o.sides.memory:
		b.products += o.Time
	default:
		b.memory += o.Time
	}
}

// time is t. What is left to products grows with it, so that it lies between the longest of the three and all of them in a row.
func (b *besideEachOther) time() units.Seconds {
	low, high := max(b.products, b.memory, b.links), b.products+b.memory+b.links
	for range 40 { // to a billionth of a thousandth
		t := (low + high) / 2
		if left := 1 - part(memoryWithTenths, float64(b.memory/t)) - part(linksWithTenths, float64(b.links/t)); t*units.Seconds(left) < b.products {
			low = t
		} else {
			high = t
		}
	}
	return high
}

// part is the share of the multiprocessors with which a kernel has a speed, of all with which it has 1.
func part(withTenths []float64, speed float64) float64 {
	for i := 1; i < len(withTenths); i++ {
		if below, above := withTenths[i-1], withTenths[i]; speed <= above {
			return (float64(i-1) + (speed-below)/(above-below)) / 10
		}
	}
	return 1
}
