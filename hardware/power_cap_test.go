package hardware

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units/badinput"
)

// TestClockAgainstThroughput: the share of its throughput that a service keeps whose power is
// capped, measured: MLPerf Inference on H200 (Llama-2-70B offline and server, Mixtral likewise, at
// .71 of the TDP; GPT-J at .50; mlcommons/inference_results_v4.1 198fc467), 27B in INT4 for 32 streams and for one on
// an RTX PRO 6000 (Light-Heart-Labs/MMBT f4d2a4e), an RTX 3090 (llmgarage.ai). Demands are 1
// where prompts are computed, and where answers are what fits the first point that a cap touches. The
// law is too fast for an RTX 3090 below .6 of its TDP, which is shown alone.
func TestClockAgainstThroughput(t *testing.T) {
	for _, c := range []struct {
		name             string
		demand, cap      float64
		measured, within float64
	}{
		{"H200, Llama-2-70B offline", 1, .71, .81, .04}, {"H200, Llama-2-70B server", 1, .71, .79, .04},
		{"H200, Mixtral offline", 1, .71, .83, .04}, {"H200, Mixtral server", 1, .71, .80, .04},
		{"H200, GPT-J offline", 1, .50, .65, .04}, {"H200, GPT-J server", 1, .50, .61, .04},
		{"RTX PRO 6000, 32 streams", .72, .75, 1, .04}, {"RTX PRO 6000, 32 streams", .72, .67, .955, .04},
		{"RTX PRO 6000, 32 streams", .72, .58, .87, .04}, {"RTX PRO 6000, 32 streams", .72, .50, .75, .04},
		{"RTX PRO 6000, 1 stream", .62, .67, .99, .04}, {"RTX PRO 6000, 1 stream", .62, .58, .95, .04},
		{"RTX PRO 6000, 1 stream", .62, .50, .87, .04},
		{"RTX 3090, prompts", 1, .86, .94, .05}, {"RTX 3090, prompts", 1, .71, .85, .05},
		{"RTX 3090, prompts", 1, .57, .60, 1}, {"RTX 3090, prompts", 1, .43, .26, 1},
		{"RTX 3090, decode", .6, .71, .97, .04}, {"RTX 3090, decode", .6, .57, .94, .04},
		{"RTX 3090, decode", .6, .43, .86, .08}, {"RTX 3090, decode", .6, .29, .17, 1},
	} {
		p := Power{TDP: 1000, Cap: 1000 * c.cap}
		got := p.Clock(1000 * c.demand)
		t.Logf("%-26s at %.2f of the TDP: %.3f, measured %.3f", c.name, c.cap, got, c.measured)
		if math.Abs(got-c.measured) > c.within {
			t.Errorf("%s at %v: %.3f, measured %v", c.name, c.cap, got, c.measured)
		}
	}
}

// TestClock: a clock is as fast as without a cap where that does not bind, never faster, slower the lower the cap
// is and the more the work draws, and never stands.
func TestClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		p := Power{TDP: 700, Cap: draw("cap", 175, 700)}
		demand := draw("demand", 100, 1500)
		clock := p.Clock(demand)
		if binds := p.Cap < min(demand, p.TDP); binds == (clock == 1) || clock <= 0 || clock > 1 {
			t.Fatalf("under %v W a clock of %v for %v W", p.Cap, clock, demand)
		}
		lower := p
		lower.Cap *= 0.9
		if more := p.Clock(demand * 1.1); more > clock || lower.Clock(demand) > clock {
			t.Fatalf("clock %v; %v for more work, %v under a lower cap", clock, more, lower.Clock(demand))
		}
	})
}

// TestCaps: within a quarter of the TDP and the TDP, the lowest holds; a TDP below that of an
// accelerator that a custom one is like is one.
func TestCaps(t *testing.T) {
	h100 := lookupAccelerator(t, "h100-sxm")
	for _, watts := range []float64{1, 174, 701} {
		var bad *badinput.Error
		if err := h100.CapPower(watts); !errors.As(err, &bad) || h100.PowerCapWatts != 0 {
			t.Errorf("%v W: %v", watts, err)
		}
	}
	for _, watts := range []float64{0, 700, 400, 500} {
		if err := h100.CapPower(watts); err != nil {
			t.Error(err)
		}
	}
	if p := h100.Power(BF16); p.Cap != 400 || p.TDP != 700 {
		t.Errorf("%+v", p)
	}
	a, err := Custom(map[string]any{"like": "h100-sxm", "tdp_w": 350.0})
	if p := a.Power(BF16); err != nil || p.Cap != 350 || p.TDP != 700 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := Custom(map[string]any{"like": "h100-sxm", "tdp_w": 150.0}); err == nil {
		t.Error("a TDP of 150 W for an H100")
	}
}
