package main

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/hardware/estimate"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// asked is the question of the flags, in SI units.
func (f *estimateFlags) asked() (estimate.Question, error) {
	q := f.question
	q.TTFT, q.TPOT = units.Seconds(f.ttftMS*1e-3), units.Seconds(f.tpotMS*1e-3)
	if f.loadBandwidth == "" { // of the engine's profile, which estimate knows
		return q, nil
	}
	var err error
	q.Load, err = hardware.ParseStorage(f.loadBandwidth)
	return q, badinput.At("--load-bandwidth", err)
}

// deployment looks up what the flags name.
func (f *estimateFlags) deployment() (roofline.Deployment, error) {
	d := roofline.Deployment{
		TP:                   f.tp,
		PP:                   f.pp,
		DP:                   f.dp,
		EP:                   f.ep,
		CPUOffload:           units.Bytes(f.cpuOffloadGB * (1 << 30)),
		GPUMemoryUtilization: f.memoryUtilization,
		MaxModelLen:          f.maxModelLen,
		MaxNumSeqs:           f.maxNumSeqs,
	}
	var err error
	if d.Architecture, err = model.Lookup(f.model); err != nil {
		return d, badinput.At("model", err) // the key that asFlag makes "--model" of
	}
	if f.expertSkew != 0 && d.Architecture.Experts == nil {
		return d, &badinput.Error{Key: "--expert-skew", Value: f.expertSkew,
			Problem: fmt.Sprintf("has no effect: %s has no experts", d.Architecture.Name), Allowed: "leave it out"}
	}
	if err := d.Architecture.SetSkew(f.expertSkew); err != nil {
		return d, err
	}
	if d.Accelerator, err = accelerator(f.accelerator); err != nil {
		return d, err
	}
	if err := d.Accelerator.CapPower(f.powerCapW); err != nil {
		return d, badinput.At("power_cap_w", err)
	}
	prices, err := f.pricesOf(d.Accelerator)
	if err != nil {
		return d, err
	}
	if prices != nil {
		d.Accelerator.USDPerHour = prices.Accelerators[0].USDPerHour
	}
	if d.Engine, err = hardware.LookupEngine(f.engine); err != nil {
		return d, err
	}
	if d.MaxNumSeqs == 0 { // who asks for a batch wants an engine that may run it
		d.MaxNumSeqs = max(d.Engine.BatchLimitsOn(&d.Accelerator).MaxNumSeqs, f.question.Batch)
	}
	return d, f.addPrecisions(&d)
}

// accelerator is the one of that name, or the one that a file describes.
func accelerator(name string) (hardware.Accelerator, error) {
	if hardware.IsProfilePath(name) {
		return hardware.LoadCustom(name)
	}
	return hardware.LookupAccelerator(name)
}

// addPrecisions sets the formats that were asked for, and those that follow from the model and
// the accelerator for the others.
func (f *estimateFlags) addPrecisions(d *roofline.Deployment) error {
	for _, p := range []struct {
		key, name string
		into      *hardware.Precision
	}{{"weights", f.weights, &d.Weights}, {"activations", f.activations, &d.Activations}, {"kv", f.kv, &d.KV}, {"other_weights", f.otherWeights, &d.OtherWeights}} {
		if p.name == "" {
			continue
		}
		var err error
		if *p.into, err = hardware.ParsePrecision(p.name); err != nil {
			return badinput.At(p.key, err)
		}
	}
	d.Weights, d.Activations, d.KV = d.Precisions()
	return nil
}
