package roofline

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Steps that compute prompts in chunks of equal length cost at once what they cost one by one, to the last bit.
func TestChunkStepsAreSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyChunks(t)
		change(t, m, w)
		costs := make([]hardware.Cost, rapid.IntRange(1, 6).Draw(t, "steps"))
		for i := range costs {
			costs[i] = hardware.Cost{Time: 1, Draft: 1, DraftFLOPs: 1, LinkBytes: 1} // of steps before
		}
		other := *w
		other.Prefill = slices.Clone(w.Prefill)
		hardware.ChunkSteps(m, &other, costs)
		for i := range costs {
			if want := m.Step(w); costs[i] != want {
				t.Fatalf("step %d costs %+v, by itself %+v", i, costs[i], want)
			}
			w.NextChunk()
		}
		if !reflect.DeepEqual(*w, other) {
			t.Errorf("the step behind them has the work %+v, want %+v", other, *w)
		}
	})
}

// anyChunks is the first of steps with chunks, with guesses and padding beside them now and then.
func anyChunks(t *rapid.T) *hardware.Work {
	w := anyWork(t)
	w.DecodeWindowContext, w.Rested = 0, units.Seconds(rapid.SampledFrom([]float64{0, 1e-3, 10}).Draw(t, "rested"))
	if rapid.Bool().Draw(t, "one prompt") {
		w.Prefill = w.Prefill[:min(1, len(w.Prefill))]
	}
	if w.DecodeRows > 0 && rapid.Bool().Draw(t, "padding is read") {
		w.PaddingContext = 1000
	}
	if w.DecodeRows > 0 && rapid.Bool().Draw(t, "guesses") {
		w.DraftRows, w.DraftPasses, w.DraftContext = 2*w.DecodeRows, 2, 2*w.DecodeContext
		w.LogitRows += w.DraftRows
	}
	return w
}

// change makes a model one that has more to count in a step of some work.
func change(t *rapid.T, m *Model, w *hardware.Work) {
	if rapid.Bool().Draw(t, "capped") {
		m.power.Cap *= rapid.Float64Range(0.3, 1).Draw(t, "cap")
	}
	if w.DraftRows == 0 && rapid.Bool().Draw(t, "proposer") {
		drafter := *m
		m.proposer = &proposer{drafter: &drafter}
	}
	m.weightsFromHost = units.Seconds(rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "weights from the host"))
	m.mixed.perContext *= units.Seconds(rapid.SampledFrom([]float64{1, 3}).Draw(t, "reads"))
}
