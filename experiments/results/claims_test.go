package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestClaims judges claims on made-up curves, of which the second has half of the
// first one's TPOT at low load and twice as much at the highest.
func TestClaims(t *testing.T) {
	base, other := curve("base", &Knee{Kind: KneeInterpolated, Value: 12}), curve("other", &Knee{Kind: KneeBelow, Value: 1})
	for i, tpot := range []float64{5, 20, 80} {
		other.Points[i].Metrics = map[string]metrics.Estimate{"mean_tpot_ms": {Mean: tpot}, "output_throughput": {Mean: 100}}
	}
	curves := []Series{base, other}
	rates := axisOf("workload.arrival.rate", 1, 10, 100)
	rates.Label, rates.Unit = "request rate", "req/s"
	plan := &Plan{Sweep: []Axis{rates}, Strategies: []string{"base", "other"}}
	absent := math.NaN()
	type verdict struct {
		place  string
		factor float64
		holds  bool
	}
	for name, c := range map[string]struct {
		claim Claimed
		want  []verdict
	}{
		"at all loads": {Claimed{Strategy: "other", Over: "base", Metric: "mean_tpot_ms", Low: 0.5, High: 1, At: Loads()},
			[]verdict{{"low load (1 req/s)", 0.5, true}, {"the knee (10 req/s)", 1, true}, {"high load (100 req/s)", 2, false}}},
		"the knee of the first strategy": {Claimed{Strategy: "base", Over: "other", Metric: "mean_tpot_ms", Low: 1, High: 3, At: []Place{{Word: AtKnee}}},
			[]verdict{{"the knee (10 req/s)", 1, true}}},
		"each at its own saturation": {Claimed{Strategy: "other", Over: "base", Metric: "mean_tpot_ms", Low: 0.2, High: 0.3, At: []Place{{Word: Saturation}}},
			[]verdict{{"saturation", 0.25, true}}},
		"a swept value": {Claimed{Strategy: "other", Over: "base", Metric: "output_throughput", Low: 1, High: 1, At: []Place{{Value: ValueOf(1)}, {Value: ValueOf(10)}}},
			[]verdict{{"request rate 1", 1, true}, {"request rate 10", 0.25, false}}},
		"a metric without a value": {Claimed{Strategy: "other", Over: "base", Metric: "mean_ttft_ms", Low: 0.1, High: 10, At: []Place{{Word: Highest}}},
			[]verdict{{"high load (100 req/s)", absent, false}}},
	} {
		plan.Claimed = []Claimed{c.claim}
		got := plan.claims(curves)[0].Verdicts
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
	curves[0].Knee = &Knee{Kind: KneeBelow, Value: 1}
	if x := plan.tradeoffs(curves)[1]; x.Place != "the knee" || x.Factors["other"]["mean_tpot_ms"] != nil {
		t.Errorf("at a knee below the sweep %+v", x)
	}
	curves = append(curves, curve("third", &Knee{Kind: KneeInterpolated, Value: 12}), curve("fourth", &Knee{Kind: KneeInterpolated, Value: 90}))
	plan.Claimed = []Claimed{{Strategy: "third", Over: "fourth", Metric: "mean_tpot_ms", Low: 0.1, High: 10, At: []Place{{Word: AtKnee}}}}
	if v := plan.claims(curves)[0].Verdicts[0]; v.Factor != nil || v.Holds {
		t.Errorf("two strategies, each at its own knee: %+v", v)
	}
	if x := plan.tradeoffs(curves)[2].Factors["other"]; *x["mean_tpot_ms"] != 2 || *x["output_throughput"] != 1./3 || x["mean_ttft_ms"] != nil {
		t.Errorf("at the highest load %+v", x)
	}
}

// TestClaimsAreJudgedByPairs: where replications differ far more than the strategies do in
// each of them, the pairs tell, and a bound within their interval leaves it open.
func TestClaimsAreJudgedByPairs(t *testing.T) {
	plan := &Plan{Strategies: []string{"base", "other"}, Points: []PlannedPoint{{}}, Replications: 4}
	claim := func(low, high float64, factors []float64, replay *Replay) Verdict {
		groups := plan.groups()
		for i, f := range factors {
			base := math.Pow(3, float64(i))
			for g, v := range []float64{base, f * base} {
				outcome := Outcome{Metrics: metrics.Values{metrics.MeanTPOT: v}, Why: &metrics.Why{}, Replay: replay}
				groups[g].runs = append(groups[g].runs, &Run{Replication: i, Outcome: outcome})
			}
		}
		plan.Claimed = []Claimed{{Strategy: "other", Over: "base", Metric: metrics.MeanTPOT, Low: low, High: high, At: []Place{{}}}}
		return plan.claims(plan.series(groups))[0].Verdicts[0]
	}
	alike := []float64{0.48, 0.5, 0.5, 0.52}
	for _, c := range []struct {
		low, high    float64
		holds, clear bool
	}{{0.4, 0.6, true, true}, {0.6, 0.7, false, true}, {0.5, 0.6, true, false}, {0.53, 0.6, false, false}, {0.4, 0.53, true, false}} {
		v := claim(c.low, c.high, alike, nil)
		if v.Holds != c.holds || v.Clear != c.clear || v.FactorLow == nil || !(*v.FactorLow < *v.Factor && *v.Factor < *v.FactorHigh) {
			t.Errorf("%v to %v: %+v", c.low, c.high, v)
		}
	}
	// ln .48, ln .5, ln .5, ln .52: standard deviation .0327, t(.975, 3) = 3.182.
	if v := claim(0.4, 0.6, alike, nil); math.Abs(math.Log(*v.FactorHigh / *v.FactorLow)/2-3.182*0.0327/2) > 1e-4 {
		t.Errorf("interval from %v to %v", *v.FactorLow, *v.FactorHigh)
	}
	if v := claim(0.52, 0.6, alike[:2], nil); v.FactorLow != nil || !v.Clear {
		t.Errorf("of two replications: %+v", v)
	}
	if v := claim(0.52, 0.6, alike, &Replay{}); v.FactorLow != nil || !v.Clear {
		t.Errorf("of a replay, in which nothing is drawn: %+v", v)
	}
}

// TestExceededClaims: an effect that is larger than claimed is on the same side of 1.
func TestExceededClaims(t *testing.T) {
	for _, c := range []struct {
		low, high, factor float64
		want              bool
	}{{0.25, 0.5, 0.2, true}, {0.25, 0.5, 0.6, false}, {2, 4, 5, true}, {2, 4, 1.5, false}, {0.9, 1.1, 2, false}, {0.9, 1.1, 0.5, false}} {
		claim := Claim{Low: c.low, High: c.high}
		if got := claim.Exceeded(c.factor); got != c.want {
			t.Errorf("%g of a claim of %g to %g: %t", c.factor, c.low, c.high, got)
		}
	}
}
