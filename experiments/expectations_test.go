package experiments

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// curve is a made-up curve over request rates: throughput rises and falls, so
// that the highest load is not saturation.
func curve(strategy string, knee *Knee) Series {
	point := func(rate any, throughput, tpot float64) Point {
		return Point{Value: rate, Metrics: map[string]metrics.Estimate{"output_throughput": {Mean: throughput}, "mean_tpot_ms": {Mean: tpot}}}
	}
	return Series{Strategy: strategy, Knee: knee, Points: []Point{point(int64(1), 100, 10), point(int64(10), 400, 20), point(int64(100), 300, 40)}}
}

func TestExpectations(t *testing.T) {
	fast, slow := curve("fast", &Knee{KneeInterpolated, math.Sqrt(1000)}), curve("slow", &Knee{KneeBelow, 1})
	for i := range slow.Points {
		slow.Points[i].Metrics = map[string]metrics.Estimate{"output_throughput": {Mean: 100}}
	}
	res := &Results{Series: []Series{fast, slow}}
	e := &Experiment{Axes: []Axis{newAxis("workload.arrival.rate", []any{int64(1), int64(10), int64(100)})}}
	absent := math.NaN()
	for name, c := range map[string]struct {
		expect ExpectSpec
		want   float64
	}{
		"a point":                  {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "fast", At: Place{value: 10.0}}, 20},
		"a point by its path":      {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "fast", At: Place{values: map[string]any{"workload.arrival.rate": int64(100)}}}, 40},
		"the lowest load":          {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "fast", At: Place{word: "lowest"}}, 10},
		"the highest load":         {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "fast", At: Place{word: "highest"}}, 40},
		"saturation":               {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "fast", At: Place{word: "saturation"}}, 20},
		"halfway, logarithmically": {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "fast", At: Place{word: "knee"}}, 30},
		"a knee below the sweep":   {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "slow", At: Place{word: "knee"}}, absent},
		"a metric without a value": {ExpectSpec{Metric: "mean_tpot_ms", Strategy: "slow", At: Place{word: "lowest"}}, absent},
		"a ratio":                  {ExpectSpec{Metric: "output_throughput", Ratio: []string{"fast", "slow"}, At: Place{word: "saturation"}}, 4},
		"a ratio to nothing":       {ExpectSpec{Metric: "mean_tpot_ms", Ratio: []string{"fast", "slow"}, At: Place{word: "highest"}}, absent},
	} {
		t.Run(name, func(t *testing.T) {
			c.expect.Between = []float64{c.want, c.want} // bounds belong to the interval
			if math.IsNaN(c.want) {
				c.expect.Between = []float64{math.Inf(-1), math.Inf(1)}
			}
			e.Spec.Expect = []ExpectSpec{c.expect}
			got := e.expectations(res)[0]
			if math.IsNaN(c.want) {
				if got.Value != nil || got.Met {
					t.Errorf("is %+v, want no value and a miss", got)
				}
				return
			}
			if got.Value == nil || math.Abs(*got.Value-c.want) > 1e-9 {
				t.Fatalf("is %+v, want %v", got, c.want)
			}
			if *got.Value == c.want && !got.Met {
				t.Error("a value on the bound is missed")
			}
		})
	}
}

// TestExpectationOfSeveralCurves finds the curve by the other swept variable.
func TestExpectationOfSeveralCurves(t *testing.T) {
	small, large := curve("a", nil), curve("a", nil)
	small.Fixed, large.Fixed = map[string]any{"hardware.tp": int64(1)}, map[string]any{"hardware.tp": int64(2)}
	large.Points[1].Metrics["mean_tpot_ms"] = metrics.Estimate{Mean: 11}
	e := &Experiment{Axes: []Axis{newAxis("workload.arrival.rate", []any{int64(1), int64(10), int64(100)}), newAxis("hardware.tp", []any{int64(1), int64(2)})}}
	e.Spec.Expect = []ExpectSpec{{Metric: "mean_tpot_ms", Strategy: "a", Between: []float64{11, 11},
		At: Place{values: map[string]any{"workload.arrival.rate": int64(10), "hardware.tp": int64(2)}}}}
	if got := e.expectations(&Results{Series: []Series{small, large}})[0]; !got.Met {
		t.Errorf("the wrong curve: %+v", got)
	}
}

func TestPlacesAreChecked(t *testing.T) {
	rates, tps := newAxis("workload.arrival.rate", []any{int64(1), int64(2)}), newAxis("hardware.tp", []any{int64(1), int64(2)})
	for _, c := range []struct {
		name  string
		axes  []Axis
		place Place
		ok    bool
	}{
		{"nothing where nothing is swept", nil, Place{}, true},
		{"the one point is the lowest", nil, Place{word: "lowest"}, true},
		{"one point has no knee", nil, Place{word: "knee"}, false},
		{"a value where nothing is swept", nil, Place{value: int64(1)}, false},
		{"a swept value", []Axis{rates}, Place{value: 2.0}, true},
		{"another value", []Axis{rates}, Place{value: 3.0}, false},
		{"nothing", []Axis{rates}, Place{}, false},
		{"a knee of a load", []Axis{rates}, Place{word: "knee"}, true},
		{"a knee of what is no load", []Axis{tps}, Place{word: "knee"}, false},
		{"one value of two", []Axis{rates, tps}, Place{value: int64(1)}, false},
		{"a word for two", []Axis{rates, tps}, Place{word: "lowest"}, false},
		{"both values", []Axis{rates, tps}, Place{values: map[string]any{"workload.arrival.rate": int64(1), "hardware.tp": int64(2)}}, true},
		{"a value too many", []Axis{rates}, Place{values: map[string]any{"workload.arrival.rate": int64(1), "hardware.tp": int64(2)}}, false},
	} {
		e := &Experiment{Axes: c.axes}
		if err := e.checkPlace(&c.place); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
