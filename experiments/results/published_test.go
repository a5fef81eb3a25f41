package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// line is a series over a rate that doubles, with two metrics.
func line(strategy string, ttft, tpot []float64) Series {
	s := Series{Strategy: strategy}
	for i := range ttft {
		s.Points = append(s.Points, Point{Value: ValueOf(float64(int(1) << i)),
			Metrics: map[string]metrics.Estimate{metrics.MeanTTFT: {Mean: ttft[i]}, metrics.MeanTPOT: {Mean: tpot[i]}}})
	}
	return s
}

// TestPublishedPointsAreLookedUp: at a swept value, between two as figures draw the line, against
// another metric, over another strategy, and by strategies.
func TestPublishedPointsAreLookedUp(t *testing.T) {
	rates := axisOf("workload.arrival.rate", 1.0, 2.0, 4.0)
	plan := &Plan{Sweep: []Axis{rates}, Strategies: []string{"a", "b"}}
	all := []Series{line("a", []float64{10, 20, 60}, []float64{5, 7, 6}), line("b", []float64{1, 4, 8}, []float64{1, 1, 1})}
	middle := 30.0 // of 2 to 4, on an axis that is linear
	if rates.Geometric() {
		middle = 20 + 40*math.Log(2.5/2)/math.Log(2)
	}
	for name, c := range map[string]struct {
		curve PublishedCurve
		x     any
		want  float64
	}{
		"swept":            {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: rates.Path}, 2, 20},
		"between":          {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: rates.Path}, 2.5, middle},
		"beyond":           {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: rates.Path}, 5, math.NaN()},
		"a name":           {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: rates.Path}, "x", math.NaN()},
		"over another":     {PublishedCurve{Strategy: "a", Over: "b", Metric: metrics.MeanTTFT, X: rates.Path}, 2, 5},
		"of a metric":      {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: metrics.MeanTPOT}, 5.5, 12.5},
		"at one place":     {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: metrics.MeanTPOT}, 6.5, 17.5},
		"first of two":     {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: metrics.MeanTPOT}, 6, 15},
		"never that value": {PublishedCurve{Strategy: "a", Metric: metrics.MeanTTFT, X: metrics.MeanTPOT}, 8, math.NaN()},
		"by strategies":    {PublishedCurve{Metric: metrics.MeanTTFT, X: ByStrategy, Where: Setting{rates.Path: ValueOf(4.0)}}, "b", 8},
		"no such strategy": {PublishedCurve{Metric: metrics.MeanTTFT, X: ByStrategy, Where: Setting{rates.Path: ValueOf(4.0)}}, "c", math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			c.curve.Points = []PublishedPoint{{X: ValueOf(c.x), Y: 1}}
			plan.Published = []PublishedCurve{c.curve}
			got := plan.reproduced(all)[0].Simulated[0]
			switch {
			case got == nil && !math.IsNaN(c.want), got != nil && math.Abs(*got-c.want) > 1e-9, got != nil && math.IsNaN(c.want):
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
