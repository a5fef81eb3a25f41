package experiments

import (
	"math"

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
	r.cost = times.WithWork(r.cost)
	r.estimated = engine.EstimatedBesideSteps()
	return r, badinput.Under("hardware.measured", hardware.CheckFloor(r.cost, &r.deployment.Capacity))
}

// bareMeasuredReplica has a context that only max_model_len bounds, and neither
// bytes nor FLOPs to count.
func bareMeasuredReplica(spec *Spec, times *hardware.Measured, engine *hardware.Engine) *replica {
	context := spec.Model.MaxModelLen
	if context == 0 {
		context = math.MaxInt
	}
	return &replica{
		cost:            hardware.InStages(times, spec.Hardware.PP),
		frontEnd:        engine.RequestTime,
		asyncScheduling: engine.AsyncScheduling,
		context:         context,
		estimated:       engine.EstimatedBesideSteps(),
		deployment: metrics.Deployment{
			Capacity:     hardware.Capacity{KVTokens: spec.Hardware.KVTokens},
			Accelerators: spec.Hardware.Accelerators(),
		},
	}
}
