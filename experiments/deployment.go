package experiments

import (
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// deployment is what the replicas of the only strategy run on. Names of models,
// accelerators and engines are replaced by their constants, so that a catalog may
// change under a name without changing the key of a finished simulation.
func (s *Spec) deployment(common *shared) (scenario.Deployment, error) {
	var d scenario.Deployment
	var err error
	switch s.Hardware.CostModel {
	case "synthetic":
		d.Synthetic = s.Hardware.Synthetic
		d.Bare = s.bare(1)
		if s.Hardware.Engine != "" {
			d.Bare.Engine, err = s.engineTaken()
		}
		return d, err
	case "measured":
		d.Measured = s.Hardware.Measured
		if !s.Hardware.described() {
			d.Bare = s.bare(s.Hardware.Accelerators())
			d.Bare.Engine, err = s.engineTaken()
			return d, err
		}
	}
	d.Roofline, err = s.roofline(common)
	return d, err
}

// bare is a replica without a model, whose KV capacity in tokens the file states.
func (s *Spec) bare(accelerators int) *scenario.Bare {
	return &scenario.Bare{KVTokens: s.Hardware.KVTokens, MaxModelLen: s.Model.MaxModelLen, Stages: s.Hardware.PP, Accelerators: accelerators}
}

// roofline is the model on its accelerators under its engine, as the strategy
// uses them.
func (s *Spec) roofline(common *shared) (*roofline.Deployment, error) {
	strategy := &s.Strategies[0]
	d := roofline.Deployment{
		TP:                   s.Hardware.TP,
		PP:                   s.Hardware.PP,
		DP:                   s.Hardware.DP,
		EP:                   s.Hardware.EP,
		GPUMemoryUtilization: s.Hardware.GPUMemoryUtilization,
		MaxModelLen:          s.Model.MaxModelLen,
		MaxNumBatchedTokens:  strategy.MaxNumBatchedTokens,
		MaxNumSeqs:           strategy.MaxNumSeqs,
		KVTokens:             s.Hardware.KVTokens,
		CPUOffload:           units.Bytes(s.Hardware.CPUOffloadGB * (1 << 30)),
		BlockSize:            strategy.KV.BlockSize,
	}
	var err error
	if d.Accelerator, err = s.Hardware.accelerator(); err != nil {
		return nil, err
	}
	if err := s.price(&d.Accelerator, common); err != nil {
		return nil, err
	}
	if d.Engine, err = s.engineTaken(); err != nil {
		return nil, err
	}
	if d.Architecture, err = s.architecture(); err != nil {
		return nil, err
	}
	if err := s.Model.precisions(&d); err != nil {
		return nil, err
	}
	if err := d.Architecture.SetSkew(s.Model.ExpertSkew); err != nil {
		return nil, badinput.Under("model", err)
	}
	if d.Speculation, err = s.proposer(); err != nil {
		return nil, err
	}
	return common.resolveDeployment(d)
}

// precisions sets the precisions of a deployment's weights, activations and KV cache
// that the file names, or returns a *badinput.Error for one that is not known.
func (m *ModelSpec) precisions(d *roofline.Deployment) (err error) {
	for _, p := range []struct {
		key, name string
		into      *hardware.Precision
	}{{"weights", m.Weights, &d.Weights}, {"activations", m.Activations, &d.Activations}, {"kv", m.KV, &d.KV}, {"other_weights", m.Other, &d.OtherWeights}} {
		if p.name == "" {
			continue
		}
		if *p.into, err = hardware.ParsePrecision(p.name); err != nil {
			return badinput.Under("model."+p.key, err)
		}
	}
	return nil
}
