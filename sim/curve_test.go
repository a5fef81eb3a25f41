package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

// counted is a cost model that counts how often it is asked.
type counted struct {
	hardware.CostModel
	steps int
}

func (c *counted) Step(w *hardware.Work) hardware.Cost {
	c.steps++
	return c.CostModel.Step(w)
}

// shaped is a cost model whose steps take as long as a function of their work says.
type shaped struct {
	hardware.Plain
	time func(w *hardware.Work) float64
}

func (s shaped) Step(w *hardware.Work) hardware.Cost {
	return hardware.Cost{Time: units.Seconds(s.time(w)), Energy: math.Sqrt(float64(w.DecodeContext))}
}

// edged is a cost model whose steps take longer from where one range of contexts ends and another begins.
type edged struct{ hardware.Plain }

func (edged) Step(w *hardware.Work) hardware.Cost {
	return hardware.Cost{Time: units.Seconds(100+max(0, w.DecodeContext-2048)) / 1e4}
}

// TestCurvesAreTheCost: steps of sequences that guess cost what the model says, be it smooth, with a bend or in stairs.
func TestCurvesAreTheCost(t *testing.T) {
	models := map[string]hardware.CostModel{
		"roofline": withDrafter(t),
		"bend":     shaped{time: func(w *hardware.Work) float64 { return math.Max(1, float64(w.DecodeContext)/20_011) }},
		"edge":     edged{},
		"stairs":   shaped{time: func(w *hardware.Work) float64 { return 1 + float64(w.DecodeContext/int64(w.DecodeRows))/1e6 }},
		"power":    shaped{time: func(w *hardware.Work) float64 { return 1 + math.Pow(float64(w.DecodeContext), 1.3)/1e6 }},
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"roofline", "bend", "edge", "stairs", "power"}).Draw(t, "model")
		pool := &Pool{Cost: models[name]}
		rows, guesses := rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "guesses")
		var c curves
		context := int64(1)
		for range 200 {
			if on := c.last; on != nil && rapid.Bool().Draw(t, "along the curve") {
				context = on.until - int64(rapid.IntRange(0, 1).Draw(t, "before its end"))
			} else {
				context = int64(rapid.OneOf(rapid.IntRange(rows, 40_000), rapid.IntRange(1900, 2100)).Draw(t, "context"))
			}
			w := hardware.Work{DecodeRows: rows, DecodeContext: context, DraftRows: guesses * rows, DraftPasses: guesses,
				LogitRows: (1 + guesses) * rows, DraftContext: int64(guesses)*context + int64(rows*guesses*(guesses+1)/2)}
			on := c.last
			got, want := c.of(pool, &w), pool.Cost.Step(&w)
			if on != nil && !on.exact && context < on.until && context >= int64(on.from) {
				got = on.at(context)
			}
			for _, pair := range [][2]float64{{float64(got.Time), float64(want.Time)}, {float64(got.Draft), float64(want.Draft)},
				{float64(got.Bytes), float64(want.Bytes)}, {float64(got.FLOPs), float64(want.FLOPs)},
				{float64(got.DraftFLOPs), float64(want.DraftFLOPs)}, {got.Energy, want.Energy}} {
				if math.Abs(pair[0]-pair[1]) > 1e-11*pair[1] {
					t.Fatalf("%s, %d rows, %d tokens: %+v, want %+v", name, rows, context, got, want)
				}
			}
		}
	})
}

// TestCurvesSpareTheModel: a model whose costs are smooth is asked for few of many steps, one whose costs are not for each.
func TestCurvesSpareTheModel(t *testing.T) {
	for name, c := range map[string]struct {
		model       hardware.CostModel
		least, most int // calls for a thousand steps
	}{
		"roofline": {withDrafter(t), 8, 100},
		"stairs":   {shaped{time: func(w *hardware.Work) float64 { return float64(w.DecodeContext / 16) }}, 1000, 1200},
	} {
		model := &counted{CostModel: c.model}
		pool, known := &Pool{Cost: model}, curves{}
		for i := range int64(1000) {
			known.of(pool, &hardware.Work{DecodeRows: 16, DecodeContext: 30_000 + 40*i, DraftRows: 64, DraftPasses: 4, LogitRows: 80,
				DraftContext: 4*(30_000+40*i) + 160})
		}
		if model.steps < c.least || model.steps > c.most {
			t.Errorf("%s: the model was asked %d times, want %d to %d", name, model.steps, c.least, c.most)
		}
	}
}
