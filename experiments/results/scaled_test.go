package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestScaledAttainment: a point has the mean share at each scale, with an interval over the
// replications that have one, and none over replays of the same traffic.
func TestScaledAttainment(t *testing.T) {
	point := func(replay *Replay, shares ...[]float64) Point {
		g := group{}
		for _, s := range shares {
			g.runs = append(g.runs, &Run{Outcome: Outcome{Why: &metrics.Why{}, Replay: replay, ByScale: s}})
		}
		return (&Plan{}).pointOf(&g)
	}
	at := func(low, high float64) []float64 {
		all := make([]float64, len(metrics.Scales))
		for k := range all {
			all[k] = low + (high-low)*float64(k)/float64(len(all)-1)
		}
		return all
	}
	all := point(nil, at(0, 1), at(0.1, 1), at(0.2, 1), nil).ByScale
	if len(all) != len(metrics.Scales) {
		t.Fatalf("there are %d scales, want %d", len(all), len(metrics.Scales))
	}
	first, last := all[0], all[len(all)-1]
	half := 0.1 * 4.3027 / math.Sqrt(3)
	if a := first.Attainment; first.Scale != 0.25 || math.Abs(a.Mean-0.1) > 1e-12 || math.Abs(a.Half-half) > 1e-4 || a.N != 3 {
		t.Errorf("at the least scale it is %+v", first)
	}
	if last.Scale != 8 || last.Attainment.Mean != 1 || last.Attainment.Half != 0 {
		t.Errorf("at the largest scale it is %+v", last)
	}
	if all := point(&Replay{}, at(0, 1), at(0, 1), at(0, 1)).ByScale; !math.IsNaN(all[3].Attainment.Half) {
		t.Errorf("replays of the same traffic have an interval: %+v", all[3])
	}
	if all := point(nil, nil, nil).ByScale; all != nil {
		t.Errorf("without an objective there are shares: %v", all)
	}
}

// TestIntervalOfClass: the interval of a class's latency is that of its own logarithms.
func TestIntervalOfClass(t *testing.T) {
	g := group{}
	for _, v := range []float64{10, 100, 1000} {
		own := metrics.Values{metrics.P99TTFT: v}
		g.runs = append(g.runs, &Run{Outcome: Outcome{Metrics: metrics.Values{metrics.P99TTFT: 7}, Why: &metrics.Why{},
			Clients: []ClientRun{{"a", metrics.Values{}}, {"b", own}}}})
	}
	point := (&Plan{}).pointOf(&g)
	of := point.OfClass(1)
	low, high := of.Interval(metrics.P99TTFT)
	if math.Abs(low/370-math.Exp(-5.72)) > 1e-5 || math.Abs(high/370/math.Exp(5.72)-1) > 1e-3 {
		t.Errorf("the interval is from %v to %v", low, high)
	}
	of = point.OfClass(0)
	if low, _ := of.Interval(metrics.P99TTFT); !math.IsNaN(low) {
		t.Errorf("a class without the metric has an interval from %v", low)
	}
}
