package results

import (
	"math"
	"slices"
	"testing"

	"kneepoint/sim/metrics"
)

// curve is a made-up curve over request rates: throughput rises and falls, so
// that the highest load is not saturation.
func curve(strategy string, knee *Knee) Series {
	point := func(rate any, throughput, tpot float64) Point {
		return Point{Value: ValueOf(rate), Metrics: map[string]metrics.Estimate{"output_throughput": {Mean: throughput}, "mean_tpot_ms": {Mean: tpot}}}
	}
	return Series{Strategy: strategy, Knee: knee, Points: []Point{point(int64(1), 100, 10), point(int64(10), 400, 20), point(int64(100), 300, 40)}}
}

func TestExpectations(t *testing.T) {
	fast, slow := curve("fast", &Knee{Kind: KneeInterpolated, Value: math.Sqrt(1000)}), curve("slow", &Knee{Kind: KneeBelow, Value: 1})
	for i := range slow.Points {
		slow.Points[i].Metrics = map[string]metrics.Estimate{"output_throughput": {Mean: 100}}
	}
	curves := []Series{fast, slow}
	plan := &Plan{Sweep: []Axis{axisOf("workload.arrival.rate", 1, 10, 100)}}
	absent := math.NaN()
	for name, c := range map[string]struct {
		expect Expected
		want   float64
	}{
		"a point":                  {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Value: ValueOf(10.0)}}, 20},
		"a point by its path":      {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Values: Setting{"workload.arrival.rate": ValueOf(100)}}}, 40},
		"the lowest load":          {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Word: Lowest}}, 10},
		"the highest load":         {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Word: Highest}}, 40},
		"saturation":               {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Word: Saturation}}, 20},
		"halfway, logarithmically": {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Word: AtKnee}}, 30},
		"a knee below the sweep":   {Expected{Metric: "mean_tpot_ms", Strategies: []string{"slow"}, At: Place{Word: AtKnee}}, absent},
		"a metric without a value": {Expected{Metric: "mean_tpot_ms", Strategies: []string{"slow"}, At: Place{Word: Lowest}}, absent},
		"a ratio":                  {Expected{Metric: "output_throughput", Strategies: []string{"fast", "slow"}, At: Place{Word: Saturation}}, 4},
		"a ratio to nothing":       {Expected{Metric: "mean_tpot_ms", Strategies: []string{"fast", "slow"}, At: Place{Word: Highest}}, absent},
	} {
		t.Run(name, func(t *testing.T) {
			c.expect.Low, c.expect.High = c.want, c.want // bounds belong to the interval
			if math.IsNaN(c.want) {
				c.expect.Low, c.expect.High = math.Inf(-1), math.Inf(1)
			}
			plan.Expected = []Expected{c.expect}
			got := plan.expectations(curves)[0]
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
	small.Fixed, large.Fixed = Setting{"hardware.tp": ValueOf(1)}, Setting{"hardware.tp": ValueOf(2)}
	large.Points[1].Metrics["mean_tpot_ms"] = metrics.Estimate{Mean: 11}
	plan := &Plan{Sweep: []Axis{axisOf("workload.arrival.rate", 1, 10, 100), axisOf("hardware.tp", 1, 2)}}
	plan.Expected = []Expected{{Metric: "mean_tpot_ms", Strategies: []string{"a"}, Low: 11, High: 11,
		At: Place{Values: Setting{"workload.arrival.rate": ValueOf(10), "hardware.tp": ValueOf(2)}}}}
	if got := plan.expectations([]Series{small, large})[0]; !got.Met {
		t.Errorf("the wrong curve: %+v", got)
	}
}

// TestExpectationOverTwoPlaces: the metric at one place over that at another, of one
// strategy or of two.
func TestExpectationOverTwoPlaces(t *testing.T) {
	fast, slow := curve("fast", nil), curve("slow", nil)
	slow.Points[0].Metrics["mean_tpot_ms"] = metrics.Estimate{Mean: 80}
	rates := axisOf("workload.arrival.rate", 1, 10, 100)
	rates.Label = "rate"
	plan := &Plan{Sweep: []Axis{rates}}
	one := Place{Value: ValueOf(1)}
	plan.Expected = []Expected{
		{Metric: "mean_tpot_ms", Strategies: []string{"fast"}, At: Place{Word: Highest}, Over: &one},
		{Metric: "mean_tpot_ms", Strategies: []string{"fast", "slow"}, At: Place{Word: Highest}, Over: &one},
	}
	got := plan.expectations([]Series{fast, slow})
	for i, want := range []struct {
		value float64
		what  string
	}{{4, "mean_tpot_ms of fast at highest over that at rate 1"}, {0.5, "mean_tpot_ms of fast at highest over slow at rate 1"}} {
		if got[i].Value == nil || *got[i].Value != want.value || got[i].What != want.what {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
}

// TestZippedCurves: which zipped variables tell curves apart.
func TestZippedCurves(t *testing.T) {
	axis := func(path string, values ...any) Axis {
		a := Axis{Path: path, Label: path}
		for _, v := range values {
			a.Values = append(a.Values, ValueOf(v))
		}
		return a
	}
	for name, c := range map[string]struct {
		axes []Axis
		want []string
	}{
		"the first differs":        {[]Axis{axis("x", 1, 2, 3), axis("y", 1, 1, 2)}, nil},
		"the first repeats":        {[]Axis{axis("x", 1, 2, 1, 2), axis("y", 5, 5, 6, 6)}, []string{"y"}},
		"one of the others tells":  {[]Axis{axis("x", 1, 2, 1, 2), axis("y", 5, 5, 6, 6), axis("z", 1, 2, 3, 4)}, []string{"y"}},
		"none of the others tells": {[]Axis{axis("x", 1, 1, 2), axis("y", 5, 6, 7)}, []string{"y"}},
		"equal as numbers":         {[]Axis{axis("x", 1, 1.0), axis("y", 5, 6)}, []string{"y"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := Plan{Sweep: c.axes, Zipped: true}
			var got []string
			for _, a := range p.CurveAxes() {
				got = append(got, a.Path)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("curves by %v, want %v", got, c.want)
			}
		})
	}
}
