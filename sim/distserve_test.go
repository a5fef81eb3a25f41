package sim

import (
	"math"
	"testing"

	"kneepoint/hardware"
)

// figure4 is what DistServe (Zhong et al., OSDI 2024) has in figure 4: mean TTFT of prompts of 512 tokens for OPT-66B on
// two A100, read off the figure, over the requests per second and accelerator. A prompt takes D = 0.2 s on one accelerator.
var figure4 = []struct {
	name    string
	cost    hardware.CostModel
	formula func(rate float64) float64 // section 3.1, from the requests per second of both accelerators
	rates   []float64
	read    []float64 // s
}{
	{
		// Both compute every layer, K = 1.7 times as fast as one: D/K + R D² / (2 K (K − R D)).
		name:    "intra-operator",
		cost:    &hardware.Synthetic{PerPrefillToken: 0.2 / 1.7 / 512},
		formula: func(r float64) float64 { return 0.2/1.7 + r*0.04/(2*1.7*(1.7-0.2*r)) },
		rates:   []float64{1, 2, 2.5, 3, 3.5, 3.9, 4},
		read:    []float64{0.137, 0.172, 0.203, 0.260, 0.399, 0.8, 1.05},
	},
	{
		// Each computes half of the layers: D + R D² / (4 (2 − R D)).
		name:    "inter-operator",
		cost:    hardware.EvenStages{CostModel: &hardware.Synthetic{PerPrefillToken: 0.2 / 512}, N: 2},
		formula: func(r float64) float64 { return 0.2 + r*0.04/(4*(2-0.2*r)) },
		rates:   []float64{1, 2, 3, 3.5, 4, 4.5},
		read:    []float64{0.214, 0.235, 0.28, 0.319, 0.402, 0.652},
	},
}

// TestDistServeFigure4: the engine is within 2 % of the formulas, which are within 5 % of
// the figure; but of the queues close to saturation, whose means take millions of requests.
func TestDistServeFigure4(t *testing.T) {
	for _, curve := range figure4 {
		t.Run(curve.name, func(t *testing.T) {
			for i, x := range curve.rates {
				theory := curve.formula(2 * x)
				if off := theory/curve.read[i] - 1; math.Abs(off) > 0.05 {
					t.Errorf("at %v the formula is %+.1f %% off the figure", x, 100*off)
				}
				if theory > 0.5 {
					continue
				}
				s := setup{
					workload: poisson(2*x, 10000, fixed(512), fixed(1)),
					cost:     curve.cost,
					batching: continuous(100, 512), // one prompt a step
					warmup:   1000,
				}
				s.replicate(t, sojourn).check(t, "mean TTFT", theory)
			}
		})
	}
}
