package hardware

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// rich is a cost model that has everything.
type rich struct{ Plain }

func (rich) Step(*Work) Cost             { return Cost{Time: 8, Bytes: 3, FLOPs: 5, LinkBytes: 7} }
func (rich) Window() int                 { return 128 }
func (rich) Stages() int                 { return 4 }
func (r rich) Pipeline() Pipeline        { return r }
func (rich) Bounds(*Work) (Bounds, bool) { return Bounds{Compute: 8}, true }

func (rich) Energy(c *Cost, _ *Work) float64 { return 9 * float64(c.Time) }

func (rich) StageTimes(_ *Work, times []units.Seconds) {
	copy(times, []units.Seconds{5, 1, 1, 1})
}

// checkStages checks that the times of a model's stages add up to a step.
func checkStages(t *testing.T, c CostModel, w *Work) {
	t.Helper()
	times := make([]units.Seconds, PipelineOf(c).Stages())
	PipelineOf(c).StageTimes(w, times)
	var sum units.Seconds
	for _, t := range times {
		sum += t
	}
	if want := c.Step(w).Time; math.Abs(float64(sum/want)-1) > 1e-12 {
		t.Errorf("stages of %v take %v together, a step %v", times, sum, want)
	}
}

// What a wrapper does not change is what the model has that it wraps.
func TestWrappersKeepWhatTheyDoNotChange(t *testing.T) {
	w := &Work{DecodeRows: 2, DecodeContext: 20}
	t.Run("even stages", func(t *testing.T) {
		c := EvenStages{CostModel: rich{}, N: 2}
		if b, known := c.Bounds(w); !known || b != (Bounds{Compute: 8}) || c.Window() != 128 || c.Stages() != 2 {
			t.Errorf("bounds %v (%v), window %d, %d stages", b, known, c.Window(), c.Stages())
		}
		checkStages(t, c, w)
	})
	t.Run("measured times", func(t *testing.T) {
		c := twoRanges().WithWork(rich{})
		took := twoRanges().Step(w).Time
		want := Cost{Time: took, Bytes: 3, FLOPs: 5, LinkBytes: 7, Energy: 9 * float64(took)}
		if got := c.Step(w); got != want || c.Window() != 128 || PipelineOf(c).Stages() != 4 {
			t.Errorf("%+v, want %+v; window %d, %d stages", got, want, c.Window(), PipelineOf(c).Stages())
		}
		if b, known := c.Bounds(w); known {
			t.Errorf("bounds %v of other times", b)
		}
		checkStages(t, c, w)
	})
}

func TestPlainModels(t *testing.T) {
	c := InStages(&Synthetic{StepFixed: 1}, 1)
	if _, known := c.Bounds(&Work{}); known || c.Window() != 0 || PipelineOf(c).Stages() != 1 {
		t.Errorf("bounds known: %v, window %d, %d stages", known, c.Window(), PipelineOf(c).Stages())
	}
	checkStages(t, c, &Work{DecodeRows: 1})
}

func TestEvenStages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "stages")
		whole := &Synthetic{StepFixed: 1e-3, PerDecodeRow: 1e-6}
		even := PipelineOf(InStages(whole, n))
		w := &Work{DecodeRows: rapid.IntRange(1, 1000).Draw(t, "rows")}
		if even.Stages() != n {
			t.Fatalf("%d stages, want %d", even.Stages(), n)
		}
		times := make([]units.Seconds, n)
		even.StageTimes(w, times)
		var sum units.Seconds
		for _, t := range times {
			sum += t
		}
		if slices.Min(times) != slices.Max(times) || math.Abs(float64(sum/whole.Step(w).Time)-1) > 1e-12 {
			t.Fatalf("%v, in all %v, want %v", times, sum, whole.Step(w).Time)
		}
	})
}

// counted is a cost model that has no costs of several steps at once.
type counted struct{ Plain }

func (counted) Step(w *Work) Cost {
	return Cost{Time: units.Seconds(w.DecodeContext), Bytes: units.Bytes(w.Prefill[0].Context)}
}

// Of a model that does not know better, each step is asked for. The contexts grow from step to step.
func TestChunkStepsOneByOne(t *testing.T) {
	w := &Work{DecodeRows: 3, DecodeContext: 100, Prefill: []Chunk{{Context: 7, Tokens: 16}, {Tokens: 2}}}
	costs := make([]Cost, 3)
	ChunkSteps(counted{}, w, costs)
	if want := []Cost{{Time: 100, Bytes: 7}, {Time: 103, Bytes: 23}, {Time: 106, Bytes: 39}}; !slices.Equal(costs, want) {
		t.Errorf("costs %v, want %v", costs, want)
	}
	if w.DecodeContext != 109 || w.Prefill[0].Context != 55 || w.Prefill[1].Context != 6 {
		t.Errorf("the step behind them has the work %+v", w)
	}
}
