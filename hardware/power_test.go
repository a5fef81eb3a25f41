package hardware

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestPowerOfSteps: idle power is not counted, a step costs at least the active power, bytes and
// FLOPs come on top until the cap is reached.
func TestPowerOfSteps(t *testing.T) {
	p := Power{Idle: 100, Active: 400, PerByte: 50e-12, PerFLOP: 1e-12, TDP: 700, Cap: 700}
	for name, c := range map[string]struct {
		n     float64
		t     units.Seconds
		bytes units.Bytes
		flops units.FLOPs
		want  float64
	}{
		"nothing":       {1, 0, 0, 0, 0},
		"no work":       {1, 2, 0, 0, 600},
		"memory":        {1, 2, 4e12, 0, 800},
		"compute":       {1, 2, 0, 1e14, 700},
		"both, of four": {4, 2, 4e12, 1e14, 2400 + 200 + 100},
		"at the cap":    {1, 1, 4e12, 1e14, 600},
	} {
		t.Run(name, func(t *testing.T) {
			if got := p.Joules(c.n, c.t, c.bytes, c.flops); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%v J, want %v", got, c.want)
			}
		})
	}
}

// TestPowerFollowsTheType: at the peaks of its types an accelerator draws the same for computing.
func TestPowerFollowsTheType(t *testing.T) {
	h100 := lookupAccelerator(t, "h100-sxm")
	for _, precision := range []Precision{BF16, FP8, FP32} {
		p := h100.Power(precision)
		if got, want := p.PerFLOP*float64(h100.Peak(precision)), 0.8e-12*989e12; math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%s: %v W at the peak, want %v", precision, got, want)
		}
	}
}

// TestPowerOfAllAccelerators: whatever a step does, an accelerator draws no less than when it is
// idle, no more than its TDP, and more the more it does.
func TestPowerOfAllAccelerators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := LookupAccelerator(rapid.SampledFrom(Accelerators()).Draw(t, "accelerator"))
		if err != nil {
			t.Fatal(err)
		}
		p := a.Power(rapid.SampledFrom(a.ComputePrecisions()).Draw(t, "precision"))
		share := rapid.Float64Range(0, 1)
		bytes := units.Bytes(share.Draw(t, "bytes") * float64(a.Bandwidth))
		flops := units.FLOPs(share.Draw(t, "FLOPs") * float64(a.widePeak()))
		less, more := p.Joules(1, 1, bytes/2, flops/2), p.Joules(1, 1, bytes, flops)
		if less < 0 || more < less || p.Idle+more > p.TDP*(1+1e-12) {
			t.Fatalf("%s draws %v W, half as much work %v W", a.Name, p.Idle+more, p.Idle+less)
		}
	})
}
