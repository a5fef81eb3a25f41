package hardware

import (
	"fmt"

	"kneepoint/units/badinput"
)

// WithWork is a cost model with the times of m and everything else of another
// model of the same deployment: bytes, FLOPs, link bytes, window, and the number
// of stages, over which a step is spread evenly. What its steps wait for is not
// known, since the other model's bounds add up to other times. Where m gives a prefill
// no time, prompts are computed elsewhere, and their work is not this replica's.
func (m *Measured) WithWork(work Powered) CostModel { return &measuredWork{work, m} }

// Powered is a cost model that knows what a step draws, given its work and cost.
type Powered interface {
	CostModel
	Energy(c *Cost, w *Work) float64 // see Cost
}

type measuredWork struct {
	Powered
	times *Measured
}

// Step is the work of one model in the time of the other.
func (c *measuredWork) Step(w *Work) Cost {
	work := *w
	if !c.times.Prefills() {
		work.Prefill, work.LogitRows = nil, min(w.LogitRows, w.DecodeRows+w.DraftRows)
	}
	var cost Cost
	if work.Tokens() > 0 {
		cost = c.Powered.Step(&work)
	}
	cost.Time = c.times.Step(w).Time
	cost.Energy = c.Energy(&cost, &work)
	return cost
}

// Pipeline is the other model's number of stages, each with an equal part of the
// measured time.
func (c *measuredWork) Pipeline() Pipeline {
	return EvenStages{CostModel: c, N: PipelineOf(c.Powered).Stages()}
}

// Bounds is unknown.
func (c *measuredWork) Bounds(*Work) (Bounds, bool) { return Bounds{}, false }

// CheckFloor refuses coefficients that no accelerators with such peaks can have:
// steps of c, which has the times of m, that are faster than their bytes over the
// bandwidth or their FLOPs over the peak. Keys of its errors are relative to the
// table of the coefficients.
func (m *Measured) CheckFloor(c CostModel, peak *Capacity) error {
	for _, step := range []struct {
		key, what string
		work      Work
	}{
		{"decode", "a decode of 1 sequence", Work{DecodeRows: 1, DecodeContext: 1, LogitRows: 1}},
		{"decode", "a decode of 256 sequences with 1000 tokens", Work{DecodeRows: 256, DecodeContext: 256e3, LogitRows: 256}},
		{"prefill", "a prefill of 4096 tokens", Work{Prefill: []Chunk{{Tokens: 4096}}, LogitRows: 1}},
	} {
		if step.key == "prefill" && !m.Prefills() {
			continue
		}
		cost := c.Step(&step.work)
		floor := max(cost.Bytes.At(peak.PeakBandwidth), cost.FLOPs.At(peak.PeakCompute))
		if cost.Time < floor {
			return &badinput.Error{Key: step.key,
				Problem: fmt.Sprintf("%s would take %s, which beats the peaks of the accelerators: %s", step.what, cost.Time, floor),
				Allowed: "coefficients measured with this model, these precisions and these accelerators"}
		}
	}
	return nil
}
