package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestPer: a rate of 800 tok/s ± 10 on four accelerators of $2 an hour each, which draw 1600 W.
func TestPer(t *testing.T) {
	p := Point{Metrics: map[string]metrics.Estimate{
		metrics.OutputThroughput: {Mean: 800, Half: 10, N: 3},
		metrics.Accelerators:     {Mean: 4, N: 3},
		metrics.PricePerHour:     {Mean: 8, N: 3},
		metrics.MeanPower:        {Mean: 1600, Half: 1, N: 3},
	}}
	for unit, want := range map[string]float64{PerAccelerator: 200, PerDollar: 360_000, PerWatt: 0.5} {
		got := p.Per(metrics.OutputThroughput, unit)
		if math.Abs(got.Mean/want-1) > 1e-12 || math.Abs(got.Half/got.Mean-1.0/80) > 1e-12 || got.N != 3 {
			t.Errorf("per %s it is %+v, want %v", unit, got, want)
		}
	}
	delete(p.Metrics, metrics.MeanPower)
	for _, got := range []metrics.Estimate{p.Per(metrics.OutputThroughput, PerWatt), p.Per(metrics.Goodput, PerAccelerator)} {
		if got.N != 0 || !math.IsNaN(got.Mean) {
			t.Errorf("what is not known is %+v", got)
		}
	}
}
