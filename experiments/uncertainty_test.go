package experiments

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/uncertainty"
	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// With units in closed form of two factors, the interval of 100 draws holds what the truth takes, drawn from the same
// distributions, in 90 ± 3 % of the cases; and the probability that is told is that with which so many units are enough.
func TestIntervalsOfDrawsCover(t *testing.T) {
	factors := []uncertainty.Factor{{Name: uncertainty.Memory, Width: 0.1}, {Name: uncertainty.Demand, Width: 0.2}}
	units := func(values []float64) int { return int(math.Ceil(1000 * values[1] / values[0])) }
	const cases = 1000 // of some 0.2 ms
	covered, told, enough := 0, 0.0, 0
	for seed := range uint64(cases) {
		var all []int
		for _, values := range uncertainty.Sample(factors, usualDraws, seed) {
			all = append(all, units(values))
		}
		r := rand.New(rand.NewPCG(seed, 1))
		planned := 800 + r.IntN(400)
		o := results.NewUncertainOption("a", planned, 1000, all)
		truth := units([]float64{factors[0].Quantile(r.Float64()), factors[1].Quantile(r.Float64())})
		if o.Low <= truth && truth <= o.High {
			covered++
		}
		if told += o.Enough; truth <= planned {
			enough++
		}
	}
	if share := float64(covered) / cases; math.Abs(share-0.9) > 0.03 {
		t.Errorf("the interval holds the truth in %.1f %% of the cases", 100*share)
	}
	if off := told/cases - float64(enough)/cases; math.Abs(off) > 0.03 {
		t.Errorf("told %.3f, enough in %.3f", told/cases, float64(enough)/cases)
	}
}

// The draws of M/M/k are around Erlang's number, and a plan without the table has none.
func TestDrawsOfServers(t *testing.T) {
	effort.Whole(t)
	text := strings.NewReplacer(`"0.001s"`, `"0.02s"`, "output.mean = 1000", "output.mean = 50").Replace(centralQueue(1, 5, 1, .5, .1))
	a := planned(t, strings.Replace(text, "[hardware]", "[plan.uncertainty]\ndraws = 20\ndemand = 0.2\n[hardware]", 1), PlanOptions{})
	o := &a.Uncertainty.Options[0]
	if o.Low > 8 || o.High <= 8 || o.High > 12 || o.Median < 7 || o.Median > 9 || len(o.Units) != 20 {
		t.Errorf("%d to %d units, mostly %d, want about 8", o.Low, o.High, o.Median)
	}
	if f := a.Uncertainty.Factors; len(f) != 1 || f[0].Name != "demand" || f[0].Basis != "given" {
		t.Errorf("factors %+v", f)
	}
	if planned(t, text, PlanOptions{}).Uncertainty != nil {
		t.Error("draws that nobody asked for")
	}
}

// Wrong tables say which key is wrong, and what is allowed.
func TestBadUncertainty(t *testing.T) {
	for table, want := range map[string]string{
		"draws = 5\ndemand = 0.1":    "plan.uncertainty.draws = 5: out of range; allowed: 0, or 20 to 10000",
		"draws = 20000":              "plan.uncertainty.draws = 20000: out of range",
		"demand = -0.1":              "plan.uncertainty.demand = -0.1: must not be negative",
		"demand = 1.5":               "plan.uncertainty.demand = 1.5: out of range; allowed: 0 to 1, ",
		"demand = nan":               "plan.uncertainty.demand",
		"demnd = 0.1":                `plan.uncertainty.demnd: unknown key; did you mean "demand"`,
		"acceptance = 0.1":           "plan.uncertainty.acceptance = 0.1: has no effect: no candidate has such constants",
		"memory = 0.1\ndemand = 0.1": "plan.uncertainty.memory = 0.1: has no effect",
		"links = 0.1":                "plan.uncertainty.links = 0.1: has no effect",
		"":                           "plan.uncertainty: nothing is uncertain: steps are synthetic, or widths are 0; allowed: a width of demand",
	} {
		t.Run(table, func(t *testing.T) {
			f, err := Parse("plan.toml", strings.Replace(centralQueue(1, 5, 1, .5, .1), "[hardware]", "[plan.uncertainty]\n"+table+"\n[hardware]", 1))
			if err == nil {
				_, err = f.Planning()
			}
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
