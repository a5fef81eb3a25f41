package hardware

import "kneepoint/units"

// Cost is what a step takes. Bytes, FLOPs and LinkBytes are summed over the
// replica's accelerators.
type Cost struct {
	Time units.Seconds

	// Draft is the part of Time in which tokens are proposed, before the model
	// verifies them.
	Draft units.Seconds

	// Bytes is the least that must be read from memory: the weights that the
	// step touches, once, and every sequence's keys and values, once.
	Bytes units.Bytes

	// FLOPs is the model's arithmetic for tokens that somebody wanted: neither
	// padding nor recomputed tokens count.
	FLOPs units.FLOPs

	// DraftFLOPs is the model's arithmetic for the proposed tokens, of which the
	// accepted ones turn out to be wanted.
	DraftFLOPs units.FLOPs

	// LinkBytes is what the accelerators send to each other.
	LinkBytes units.Bytes

	// Energy is what the replica's accelerators draw in the step above their idle
	// power, J; 0 where the cost model knows of no power. See Power.
	Energy float64
}

// Plus is c + n*other.
func (c Cost) Plus(other Cost, n float64) Cost {
	return Cost{
		Time:       c.Time + units.Seconds(n)*other.Time,
		Draft:      c.Draft + units.Seconds(n)*other.Draft,
		Bytes:      c.Bytes + units.Bytes(n)*other.Bytes,
		FLOPs:      c.FLOPs + units.FLOPs(n)*other.FLOPs,
		DraftFLOPs: c.DraftFLOPs + units.FLOPs(n)*other.DraftFLOPs,
		LinkBytes:  c.LinkBytes + units.Bytes(n)*other.LinkBytes,
		Energy:     c.Energy + n*other.Energy,
	}
}

// BesideLayers is how long work of a model's layers takes that computes for t and
// moves data for x, layer by layer side by side: all but one layer of the shorter
// one is hidden,
//
//	max(t/layers + x, t + x/layers)
func BesideLayers(t, x units.Seconds, layers int) units.Seconds {
	n := units.Seconds(layers)
	return max(t/n+x, t+x/n)
}

// Capacity is what a replica can hold and do at best; the denominators of
// memory-bandwidth and FLOPs utilization, summed over its accelerators.
type Capacity struct {
	KVTokens      int                  // tokens of KV cache that fit
	PeakBandwidth units.BytesPerSecond // of memory
	PeakCompute   units.FLOPsPerSecond // dense, in the compute type
	PeakLink      units.BytesPerSecond // zero for a single accelerator
}
