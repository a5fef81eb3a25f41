package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Floor is the time that physics asks for: no step of this cost is faster,
// whatever the software,
//
//	max(Bytes/bandwidth, FLOPs/peak, LinkBytes/link)
//
// at the replica's peaks; the peak is that of the fastest type in which the
// deployment computes. What the time is bound by comes with it.
func (m *Model) Floor(c hardware.Cost) (units.Seconds, Bound) {
	peaks := m.Capacity()
	peak := max(peaks.PeakCompute, m.machine.wide*units.FLOPsPerSecond(m.deployment.Accelerators()))
	floor, bound := c.Bytes.At(peaks.PeakBandwidth), MemoryBound
	if t := c.FLOPs.At(peak); t > floor {
		floor, bound = t, ComputeBound
	}
	if peaks.PeakLink > 0 && c.LinkBytes.At(peaks.PeakLink) > floor {
		floor, bound = c.LinkBytes.At(peaks.PeakLink), LinkBound
	}
	return floor, bound
}
