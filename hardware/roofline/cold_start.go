package roofline

import (
	"strings"

	"kneepoint/hardware"
	"kneepoint/units"
)

// ColdStart is how long a replica takes from the launch of its engine until it serves
// as it does later, by the parts of hardware.ColdStart.
//
// The weights of the whole replica come once from one storage, and go over the
// accelerators' host links at the same time; the slower of the two decides, as
// in ServerlessLLM (Fu et al., OSDI 2024: bytes over the slowest tier's
// bandwidth):
//
//	max(weights/storage, largest share of an accelerator / its host link)
type ColdStart struct {
	Start, Weights, Compile, Graphs units.Seconds // one after the other
	FirstRequest                    units.Seconds // longer than a later one
	WakeUp                          units.Seconds // instead of all these, with the weights in the host's memory; 0: it cannot sleep
}

// Ready is the time until the replica takes requests.
func (c *ColdStart) Ready() units.Seconds { return c.Start + c.Weights + c.Compile + c.Graphs }

// ColdStart is how long a replica takes to start from a storage; the zero storage is
// the engine's own. It is false for an engine that says nothing of its start. The
// deployment is a resolved one.
func (d *Deployment) ColdStart(from hardware.Storage) (c ColdStart, known bool) {
	engine := &d.Engine.ColdStart
	from = engine.Storage(from)
	if from.Bandwidth == 0 {
		return c, false
	}
	c = ColdStart{Start: engine.Start, Weights: d.Checkpoint().At(from.Bandwidth), Compile: engine.Compile, Graphs: engine.Graphs,
		FirstRequest: engine.FirstRequest}
	if d.Accelerators() > 1 {
		c.Start += engine.Distributed
	}
	link, most := d.HostBandwidth(), d.MostWeights()
	if link > 0 {
		c.Weights = max(c.Weights, most.At(link))
	}
	if reached := link * units.BytesPerSecond(engine.WakeUpEfficiency); reached > 0 {
		c.WakeUp = engine.WakeUpFixed + most.At(reached)
	}
	return c, true
}

// ColdStartEstimated says what a cold start from a storage rests on besides measurements.
func (d *Deployment) ColdStartEstimated(from hardware.Storage) []string {
	var reasons []string
	engine := &d.Engine
	if keys := engine.ColdStart.Estimated; len(keys) > 0 {
		reasons = append(reasons, "cold start of "+engine.Name+": "+strings.Join(keys, ", "))
	}
	if from = engine.ColdStart.Storage(from); from.Estimated {
		reasons = append(reasons, "bandwidth of "+from.Name+": class default")
	}
	return reasons
}
