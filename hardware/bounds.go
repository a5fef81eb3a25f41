package hardware

import "kneepoint/units"

// Bounds is the time of a step by what it waits for most: arithmetic, memory
// bandwidth, links, latencies that do not depend on the amount of work, or the
// host.
type Bounds struct {
	Compute, Memory, Link, Latency, Host units.Seconds
}

// Total is the time of the step.
func (b *Bounds) Total() units.Seconds { return b.Compute + b.Memory + b.Link + b.Latency + b.Host }

// Add adds n times the bounds c.
func (b *Bounds) Add(c *Bounds, n float64) {
	b.Compute += units.Seconds(n) * c.Compute
	b.Memory += units.Seconds(n) * c.Memory
	b.Link += units.Seconds(n) * c.Link
	b.Latency += units.Seconds(n) * c.Latency
	b.Host += units.Seconds(n) * c.Host
}
