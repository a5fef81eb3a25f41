package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// needsDeployment tells whether the model and the accelerator must be named. A
// measured cost model does without both when its KV capacity is given.
func (s *Spec) needsDeployment() bool {
	switch s.Hardware.CostModel {
	case "synthetic":
		return false
	case "measured":
		return s.Hardware.KVTokens == 0 || s.Model.Name != "" || s.Hardware.described()
	}
	return true
}

// measuredReplica takes its step times from measurements, and everything else
// from the model and the accelerator where they are named. Front end and
// scheduling are the engine's.
func measuredReplica(spec *Spec) (*replica, error) {
	engine, err := spec.engine()
	if err != nil {
		return nil, err
	}
	times := spec.Hardware.Measured
	if !spec.Hardware.described() {
		return bareMeasuredReplica(spec, times, &engine), nil
	}
	r, err := rooflineReplica(spec)
	if err != nil {
		return nil, err
	}
	r.cost = spec.Hardware.staged(&measuredCost{times: times, work: r.cost})
	r.estimated = estimatedBesideSteps(&engine)
	return r, checkFloor(r)
}

// bareMeasuredReplica has a context that only max_model_len bounds, and neither
// bytes nor FLOPs to count.
func bareMeasuredReplica(spec *Spec, times *hardware.Measured, engine *hardware.Engine) *replica {
	context := spec.Model.MaxModelLen
	if context == 0 {
		context = math.MaxInt
	}
	return &replica{
		cost:            spec.Hardware.staged(times),
		frontEnd:        engine.RequestTime,
		asyncScheduling: engine.AsyncScheduling,
		context:         context,
		estimated:       estimatedBesideSteps(engine),
		deployment: metrics.Deployment{
			Capacity:     hardware.Capacity{KVTokens: spec.Hardware.KVTokens},
			Accelerators: spec.Hardware.Accelerators(),
		},
	}
}

// estimatedBesideSteps names the engine's estimated parameters that matter when
// step times are measured: those of the front end and of memory.
func estimatedBesideSteps(engine *hardware.Engine) []string {
	var keys []string
	for _, key := range engine.Estimated {
		if strings.HasPrefix(key, "request_") || slices.Contains([]string{"async_scheduling", "memory_reserve", "activation_hidden", "activation_wide", "logit_bytes"}, key) {
			keys = append(keys, key)
		}
	}
	if keys == nil {
		return nil
	}
	return []string{"engine " + engine.Name + ": " + strings.Join(keys, ", ")}
}

var _ hardware.Windowed = (*measuredCost)(nil)

// measuredCost has the times of one cost model and the bytes and FLOPs of
// another.
type measuredCost struct {
	times *hardware.Measured
	work  hardware.CostModel
}

func (c *measuredCost) Step(w *hardware.Work) hardware.Cost {
	cost := c.work.Step(w)
	cost.Time = c.times.Step(w).Time
	return cost
}

func (c *measuredCost) Window() int { return hardware.WindowOf(c.work) }

// checkFloor refuses coefficients that no such accelerator can have: steps
// faster than their bytes over the bandwidth or their FLOPs over the peak.
func checkFloor(r *replica) error {
	peak := &r.deployment.Capacity
	for _, step := range []struct {
		key, what string
		work      hardware.Work
	}{
		{"decode", "a decode of 1 sequence", hardware.Work{DecodeRows: 1, DecodeContext: 1, LogitRows: 1}},
		{"decode", "a decode of 256 sequences with 1000 tokens", hardware.Work{DecodeRows: 256, DecodeContext: 256e3, LogitRows: 256}},
		{"prefill", "a prefill of 4096 tokens", hardware.Work{Prefill: []hardware.Chunk{{Tokens: 4096}}, LogitRows: 1}},
	} {
		cost := r.cost.Step(&step.work)
		floor := max(cost.Bytes.At(peak.PeakBandwidth), cost.FLOPs.At(peak.PeakCompute))
		if cost.Time < floor {
			return &badinput.Error{Key: "hardware.measured." + step.key,
				Problem: fmt.Sprintf("%s would take %s, which beats the peaks of the accelerators: %s", step.what, cost.Time, floor),
				Allowed: "coefficients measured with this model, these precisions and these accelerators"}
		}
	}
	return nil
}
