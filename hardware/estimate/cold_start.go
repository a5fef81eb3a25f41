package estimate

// ColdStart is roofline.ColdStart, the parts of which add up to TimeMS, and what it
// follows from.
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
	d := &m.deployment
	start, known := d.ColdStart(q.Load)
	if !known {
		return nil
	}
	bytes := float64(d.Checkpoint())
	c := &ColdStart{
		TimeMS:  (start.Ready() + start.FirstRequest).Milliseconds(),
		StartMS: start.Start.Milliseconds(), WeightsMS: start.Weights.Milliseconds(), CompileMS: start.Compile.Milliseconds(),
		GraphsMS: start.Graphs.Milliseconds(), FirstRequestMS: start.FirstRequest.Milliseconds(),
		WeightsBytes: bytes, LoadFrom: d.Engine.ColdStart.Storage(q.Load).Name, BytesPerSecond: bytes / float64(start.Weights),
	}
	if start.WakeUp > 0 {
		c.WakeUpMS = start.WakeUp.Milliseconds()
		c.WakeUpLink, c.WakeUpBytes = d.Accelerator.HostLink.Name, float64(d.MostWeights())
	}
	return c
}
