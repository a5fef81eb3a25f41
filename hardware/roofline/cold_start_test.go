package roofline

import (
	"math"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// coldDeployment is Llama-3.1-8B with bf16 weights, 16.06 GB, on H100.
func coldDeployment(t *testing.T, engine string, tp int) *Deployment {
	t.Helper()
	d := build(t, deployment(t, "h100-sxm", engine, "llama-3.1-8b", tp)).Deployment()
	return &d
}

// TestColdStartHasTheEnginesParts: of vllm-v1, with its 16,060,522,496 bytes of weights
// at the 3.5 GB/s of a drive.
func TestColdStartHasTheEnginesParts(t *testing.T) {
	const weights = 16060522496 / 3.5e9
	for tp, want := range map[int]ColdStart{
		1: {Start: 11, Weights: weights, Compile: 9.2, Graphs: 17, FirstRequest: 2.3, WakeUp: 0.2 + 16060522496/(64e9*0.72)},
		2: {Start: 28.5, Weights: weights, Compile: 9.2, Graphs: 17, FirstRequest: 2.3, WakeUp: 0.2 + 8030261248/(64e9*0.72)},
	} {
		c, known := coldDeployment(t, "vllm-v1", tp).ColdStart(hardware.Storage{})
		near := func(what string, got, want units.Seconds) {
			if math.Abs(float64(got-want)) > 1e-3 {
				t.Errorf("TP %d: %s takes %v, not %v", tp, what, got, want)
			}
		}
		near("start", c.Start, want.Start)
		near("weights", c.Weights, want.Weights)
		near("compile", c.Compile, want.Compile)
		near("graphs", c.Graphs, want.Graphs)
		near("first request", c.FirstRequest, want.FirstRequest)
		near("wake-up", c.WakeUp, want.WakeUp)
		near("ready", c.Ready(), want.Start+want.Weights+want.Compile+want.Graphs)
		if !known {
			t.Errorf("TP %d: not known", tp)
		}
	}
}

func TestColdStartOfAnEngineThatSaysNothing(t *testing.T) {
	d := coldDeployment(t, "vllm-v1", 1)
	d.Engine.ColdStart = hardware.ColdStart{}
	if _, known := d.ColdStart(hardware.Storage{}); known {
		t.Error("known")
	}
	c, known := d.ColdStart(hardware.Storage{Bandwidth: 16060522496})
	if !known || math.Abs(float64(c.Ready())-1) > 1e-3 || c.WakeUp != 0 {
		t.Errorf("%+v, %v", c, known)
	}
}

func TestColdStartEstimated(t *testing.T) {
	const storage = "bandwidth of nvme: class default"
	d := coldDeployment(t, "sglang", 1)
	if got := d.ColdStartEstimated(hardware.Storage{}); len(got) != 2 || !slices.Contains(got, storage) {
		t.Errorf("%q", got)
	}
	if got := d.ColdStartEstimated(hardware.Storage{Bandwidth: 1e9}); len(got) != 1 || slices.Contains(got, storage) {
		t.Errorf("%q", got)
	}
}
