package experiments

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestClaims judges claims on made-up curves, of which the second has half of the
// first one's TPOT at low load and twice as much at the highest.
func TestClaims(t *testing.T) {
	base, other := curve("base", &Knee{KneeInterpolated, 12}), curve("other", &Knee{KneeBelow, 1})
	for i, tpot := range []float64{5, 20, 80} {
		other.Points[i].Metrics = map[string]metrics.Estimate{"mean_tpot_ms": {Mean: tpot}, "output_throughput": {Mean: 100}}
	}
	res := &Results{Series: []Series{base, other}}
	e := &Experiment{Axes: []Axis{newAxis("workload.arrival.rate", []any{int64(1), int64(10), int64(100)})}}
	e.Spec.Strategies = []StrategySpec{{Name: "base"}, {Name: "other"}}
	absent := math.NaN()
	type verdict struct {
		place  string
		factor float64
		holds  bool
	}
	for name, c := range map[string]struct {
		claim ClaimSpec
		want  []verdict
	}{
		"at all loads": {ClaimSpec{Strategy: "other", Metric: "mean_tpot_ms", Factor: []float64{0.5, 1}},
			[]verdict{{"low load (1 req/s)", 0.5, true}, {"the knee (10 req/s)", 1, true}, {"high load (100 req/s)", 2, false}}},
		"the knee of the first strategy": {ClaimSpec{Strategy: "base", Over: "other", Metric: "mean_tpot_ms", Factor: []float64{1, 3}, At: Places{{word: "knee"}}},
			[]verdict{{"the knee (10 req/s)", 1, true}}},
		"each at its own saturation": {ClaimSpec{Strategy: "other", Metric: "mean_tpot_ms", Factor: []float64{0.2, 0.3}, At: Places{{word: "saturation"}}},
			[]verdict{{"saturation", 0.25, true}}},
		"a swept value": {ClaimSpec{Strategy: "other", Metric: "output_throughput", Factor: []float64{1, 1}, At: Places{{value: int64(1)}, {value: int64(10)}}},
			[]verdict{{"request rate 1", 1, true}, {"request rate 10", 0.25, false}}},
		"a metric without a value": {ClaimSpec{Strategy: "other", Metric: "mean_ttft_ms", Factor: []float64{0.1, 10}, At: Places{{word: "highest"}}},
			[]verdict{{"high load (100 req/s)", absent, false}}},
	} {
		e.Spec.Claims = []ClaimSpec{c.claim}
		if err := e.checkClaims(); err != nil {
			t.Fatal(name, err)
		}
		got := e.claims(res)[0].Verdicts
		if len(got) != len(c.want) {
			t.Fatalf("%s: %d places, want %d", name, len(got), len(c.want))
		}
		for i, want := range c.want {
			factor := math.NaN()
			if got[i].Factor != nil {
				factor = *got[i].Factor
			}
			if got[i].Place != want.place || got[i].Holds != want.holds || !(math.Abs(factor-want.factor) < 1e-12 || math.IsNaN(factor) && math.IsNaN(want.factor)) {
				t.Errorf("%s: %+v with %v, want %+v", name, got[i], factor, want)
			}
		}
	}
	res.Series[0].Knee = &Knee{KneeBelow, 1}
	if x := e.tradeoffs(res)[1]; x.Place != "the knee" || x.Factors["other"]["mean_tpot_ms"] != nil {
		t.Errorf("at a knee below the sweep %+v", x)
	}
	res.Series = append(res.Series, curve("third", &Knee{KneeInterpolated, 12}), curve("fourth", &Knee{KneeInterpolated, 90}))
	e.Spec.Claims = []ClaimSpec{{Strategy: "third", Over: "fourth", Metric: "mean_tpot_ms", Factor: []float64{0.1, 10}, At: Places{{word: "knee"}}}}
	if v := e.claims(res)[0].Verdicts[0]; v.Factor != nil || v.Holds {
		t.Errorf("two strategies, each at its own knee: %+v", v)
	}
	if x := e.tradeoffs(res)[2].Factors["other"]; *x["mean_tpot_ms"] != 2 || *x["output_throughput"] != 1./3 || x["mean_ttft_ms"] != nil {
		t.Errorf("at the highest load %+v", x)
	}
}
