package roofline

import "kneepoint/units"

// besideEachOther is what three kinds of work in a step take of an accelerator that has nothing else to do: arithmetic; waiting for memory,
// which is by how much longer kernels read and write than they compute; and exchanges. Beside each other they share the
// multiprocessors: whoever waits for memory or a link is given a part of them, and is as fast with it as was measured, and arithmetic
// has the rest. So a step takes the t with
//
//	arithmetic = t * (1 - part(waiting/t) - part(exchanges/t))
//
// where part(p) of the multiprocessors makes a kernel p times as fast as all of them do, and p at most: so that what takes longer to
// compute and less to wait for, or an exchange that is slower, makes no step shorter.
//
// Source: efeslab/Nanoflow at d6b381e5, autosearch/trace/gemv_interference.csv and net_interference.csv, measured on an A100.
type besideEachOther struct{ arithmetic, waiting, exchanges units.Seconds }

// How fast kernels are with shares of the multiprocessors, one step of a tenth for each. Those that wait for memory are measured to
// have 0.85, 0.9 and 0.95 of their speed with seven to nine tenths, where each tenth more is worth less to them than to arithmetic: an
// accelerator that computes faster, and waits for memory instead, could then take longer for a step.
var (
	memoryWithTenths = []float64{0, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8}
	linksWithTenths  = []float64{0, 0.4, 0.6, 0.7, 0.8, 0.9, 1}
)

func (b *besideEachOther) add(o *Operator) {
	if o.LinkBytes > 0 {
		b.exchanges += o.Time
		return
	}
	b.arithmetic += o.sides.compute
	b.waiting += max(o.sides.memory-o.sides.compute, 0)
}

// time is t. What is left to arithmetic grows with it, so that it lies between the longest of the three and all of them in a row.
func (b *besideEachOther) time() units.Seconds {
	low, high := max(b.arithmetic, b.waiting, b.exchanges), b.arithmetic+b.waiting+b.exchanges
	for range 40 { // to a billionth of a thousandth
		t := (low + high) / 2
		if left := 1 - part(memoryWithTenths, float64(b.waiting/t)) - part(linksWithTenths, float64(b.exchanges/t)); t*units.Seconds(left) < b.arithmetic {
			low = t
		} else {
			high = t
		}
	}
	return high
}

// part is the share of the multiprocessors with which a kernel has a speed, of all with which it has 1. Beyond what was measured, or where
// another tenth adds less than a tenth to its speed, it has as much more as it is faster.
func part(withTenths []float64, speed float64) float64 {
	for i := 1; i < len(withTenths); i++ {
		if below, above := withTenths[i-1], withTenths[i]; speed <= above {
			return (float64(i-1) + (speed-below)/(above-below)) / 10
		}
	}
	last := len(withTenths) - 1
	return float64(last)/10 + speed - withTenths[last]
}
