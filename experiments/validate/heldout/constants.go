package heldout

import (
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
)

// constant is one that was chosen with serving runs in view.
type constant struct {
	key     string
	unit    string            // of values, as it is written behind them
	values  []float64         // that a refit tries; the first is what kernels' tables alone say
	against string            // the constant of which more does much the same
	shared  bool              // one value for all engines: the profiles have one, or few runs tell it
	shows   func(x *run) bool // runs in which it is told apart from the others: it is fitted to these alone where there are any; nil: to all
	matters func(d *roofline.Deployment) bool
	set     func(d *roofline.Deployment, x float64)
}

// ofEngine are the constants of engine profiles.
var ofEngine = []constant{
	{key: "compute_efficiency", values: []float64{1, .95, .9, .85, .8, .75, .7}, shared: true, matters: always,
		set: func(d *roofline.Deployment, x float64) { d.Engine.ComputeEfficiency = x }},
	{key: "step_cpu", unit: "ms", values: []float64{0, .25, .5, .75, 1, 1.5, 2}, against: "step_cpu_per_sequence", matters: waits,
		set: func(d *roofline.Deployment, x float64) { d.Engine.StepCPU = units.Seconds(x * 1e-3) }},
	{key: "step_cpu_per_sequence", unit: "us", values: []float64{0, 5, 10, 15, 20, 30}, matters: waits,
		set: func(d *roofline.Deployment, x float64) { d.Engine.StepCPUPerSequence = units.Microseconds(x) }},
	{key: "request_fixed", unit: "ms", values: []float64{0, 2, 4, 6, 8, 12, 16, 24}, against: "request_per_prompt_token", shared: true, matters: always, shows: cached,
		set: func(d *roofline.Deployment, x float64) { d.Engine.RequestFixed = units.Seconds(x * 1e-3) }},
	{key: "request_per_prompt_token", unit: "us", values: []float64{0, 2, 4, 6}, shared: true, matters: always, shows: cached,
		set: func(d *roofline.Deployment, x float64) { d.Engine.RequestPerPromptToken = units.Microseconds(x) }},
	{key: "prompt_launch_floor_per_layer", unit: "ms", values: []float64{0, .2, .3, .4, .5, .6, .7, .8, 1}, against: "compute_efficiency", matters: always,
		set: func(d *roofline.Deployment, x float64) { d.Engine.PromptLaunchFloor = units.Seconds(x * 1e-3) }},
	{key: "prompt_launch_floor_latent", unit: "ms", values: []float64{0, .4, .7, 1.1, 1.5, 2, 2.5}, against: "prompt_launch_floor_per_layer", matters: latent,
		set: func(d *roofline.Deployment, x float64) { d.Engine.PromptLaunchFloorLatent = units.Seconds(x * 1e-3) }},
}

// cached tells whether a run's prompts were cached: what is then left of TTFT beside decode steps is the front end.
func cached(x *run) bool { return x.c.Labels["prefill"] == "cached" }

func always(*roofline.Deployment) bool { return true }

func latent(d *roofline.Deployment) bool { return d.Architecture.Latent != nil }

// waits tells whether steps wait for the host: what is hidden behind the accelerator, no run tells.
func waits(d *roofline.Deployment) bool { return !d.Engine.Overlap }

// ofExperts is the time that the kernels of routed experts take to launch. The tables of
// single kernels hold 22 to 115 us, launches from the host included.
var ofExperts = constant{key: "experts' launches", unit: "us", values: []float64{60, 50, 40, 35, 30, 25, 20, 17, 14, 10, 7}, matters: always,
	set: func(d *roofline.Deployment, x float64) {
		for i := range d.Constants.Kernels {
			if d.Constants.Kernels[i].Operator == hardware.GroupedGEMM {
				d.Constants.Kernels[i].Efficiency.Latency = units.Microseconds(x)
			}
		}
	}}

// Kinds of expert kernels, whose launches differ in number.
const (
	mxfp4Experts = "experts in MXFP4 and 8 bits"
	otherExperts = "experts in other formats"
)

// expertKind is the kind of a deployment's expert kernels; empty where it has none.
func expertKind(d *roofline.Deployment) string {
	for _, k := range d.Constants.Kernels {
		switch {
		case k.Operator != hardware.GroupedGEMM:
			continue
		case k.Format == hardware.MXFP4FP8:
			return mxfp4Experts
		}
		return otherExperts
	}
	return ""
}
