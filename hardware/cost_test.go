package hardware

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

func TestEvenStages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "stages")
		whole := &Synthetic{StepFixed: 1e-3, PerDecodeRow: 1e-6}
		even := EvenStages{CostModel: whole, N: n}
		w := &Work{DecodeRows: rapid.IntRange(1, 1000).Draw(t, "rows")}
		times := make([]units.Seconds, StagesOf(even))
		even.StageTimes(w, times)
		var sum units.Seconds
		for _, t := range times {
			sum += t
		}
		if len(times) != n || slices.Min(times) != slices.Max(times) || math.Abs(float64(sum/whole.Step(w).Time)-1) > 1e-12 {
			t.Fatalf("%v, in all %v, want %v", times, sum, whole.Step(w).Time)
		}
		if StagesOf(whole) != 1 {
			t.Fatalf("%d stages of a model without", StagesOf(whole))
		}
	})
}
