package estimate

import (
	"strings"

	"kneepoint/hardware"
	"kneepoint/units"
)

// ColdStart is the time that an engine takes from its launch until it serves as
// it does later, the parts of hardwarr.ColdStart, which add up to TimeMS.
//
// The weights of the whole replica come once from one storage, and go over the
// accelerators' host links at the same time; the slower of the two decides, as
// in ServerlessLLM (Fu et al., OSDI 2024: bytes over the slowest tier's
// bandwidth):
//
//	max(weights/storage, largest share of an accelerator / its host link)
type ColdStart struct {
	TimeMS         float64 `json:"time_ms"`
	StartMS        float64 `json:"start_ms"`
	WeightsMS      float64 `json:"weights_ms"`
	CompileMS      float64 `json:"compile_ms"`
	GraphsMS       float64 `json:"graphs_ms"`
	FirstRequestMS float64 `json:"first_request_ms"`

	WeightsBytes   float64 `json:"weights_bytes"`            // of the replica
	LoadFrom       string  `json:"load_from,omitempty"`      // a class of storage; absent for a bandwidth
	BytesPerSecond float64 `json:"weights_bytes_per_second"` // at which they come
	WakeUpMS       float64 `json:"wake_up_ms,omitempty"`     // with the weights in the host's memory
	WakeUpLink     string  `json:"wake_up_link,omitempty"`   // over which they come
	WakeUpBytes    float64 `json:"wake_up_bytes,omitempty"`  // of the accelerator with the most
}

// coldStart is nil for an engine that says nothing of its start.
func (m *deployed) coldStart(q *Question) *ColdStart {
	engine := &m.deployment.Engine.ColdStart
	from := q.Load
	if from.Bandwidth == 0 {
		from, _ = hardware.ParseStorage(engine.LoadFrom)
	}
	if from.Bandwidth == 0 {
		return nil
	}
	start := engine.Start
	if m.deployment.Accelerators() > 1 {
		start += engine.Distributed
	}
	bytes := m.deployment.Checkpoint()
	weights := bytes.At(from.Bandwidth)
	link, most := m.deployment.HostBandwidth(), m.deployment.MostWeights()
	if link > 0 {
		weights = max(weights, most.At(link))
	}
	c := &ColdStart{
		TimeMS:  (start + weights + engine.Compile + engine.Graphs + engine.FirstRequest).Milliseconds(),
		StartMS: start.Milliseconds(), WeightsMS: weights.Milliseconds(), CompileMS: engine.Compile.Milliseconds(),
		GraphsMS: engine.Graphs.Milliseconds(), FirstRequestMS: engine.FirstRequest.Milliseconds(),
		WeightsBytes: float64(bytes), LoadFrom: from.Name, BytesPerSecond: float64(bytes) / float64(weights),
	}
	if reached := link * units.BytesPerSecond(engine.WakeUpEfficiency); reached > 0 {
		c.WakeUpMS = (engine.WakeUpFixed + most.At(reached)).Milliseconds()
		c.WakeUpLink, c.WakeUpBytes = m.deployment.Accelerator.HostLink.Name, float64(most)
	}
	return c
}

// coldStartEstimates are the parts of the cold start that were not measured.
func (m *deployed) coldStartEstimates(r *Report) []string {
	var reasons []string
	engine := &m.deployment.Engine
	if keys := engine.ColdStart.Estimated; len(keys) > 0 {
		reasons = append(reasons, "cold start of "+engine.Name+": "+strings.Join(keys, ", "))
	}
	if from, err := hardware.ParseStorage(r.ColdStart.LoadFrom); err == nil && from.Estimated {
		reasons = append(reasons, "bandwidth of "+from.Name+": class default")
	}
	return reasons
}
