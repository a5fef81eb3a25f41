package roofline

import "kneepoint/hardware"

var _ hardware.CostModel = (*Model)(nil)

// Bounds is the time of a step's operators by what each waits for most.
func (m *Model) Bounds(w *hardware.Work) (hardware.Bounds, bool) {
	var b hardware.Bounds
	for _, o := range m.Breakdown(w) {
		switch o.Bound {
		case ComputeBound:
			b.Compute += o.Time
		case MemoryBound:
			b.Memory += o.Time
		case LinkBound:
			b.Link += o.Time
		case HostBound:
			b.Host += o.Time
		default:
			b.Latency += o.Time
		}
	}
	return b, true
}
