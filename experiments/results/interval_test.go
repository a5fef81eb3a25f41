package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestInterval: the interval of a time is that of its logarithm, around the mean.
func TestInterval(t *testing.T) {
	near := func(x, want float64) bool { return math.Abs(x-want) <= 1e-3*want || math.IsNaN(x) && math.IsNaN(want) }
	point := func(replay *Replay, values ...float64) Point {
		g := group{}
		for i, v := range values {
			g.runs = append(g.runs, &Run{Replication: i, Outcome: Outcome{Metrics: metrics.Values{metrics.P99TTFT: v}, Why: &metrics.Why{}, Replay: replay}})
		}
		return (&Plan{}).pointOf(&g)
	}
	madeUp := Point{Metrics: map[string]metrics.Estimate{metrics.P99TTFT: {Mean: 100, Half: 50, N: 3}}}
	for name, c := range map[string]struct {
		point     Point
		low, high float64
	}{
		// ln 10, ln 100, ln 1000: s = ln 10, h = 4.3027 · 2.3026 / √3 = 5.72; mean 370.
		"three that differ by much": {point(nil, 10, 100, 1000), 370 * math.Exp(-5.7200), 370 * math.Exp(5.7200)},
		"three alike":               {point(nil, 100, 100, 100), 100, 100},
		"two":                       {point(nil, 10, 100), math.NaN(), math.NaN()},
		// No logarithm: 66.7 ± 4.3027 · 57.735 / √3, and not below 0.
		"one that is 0":        {point(nil, 0, 100, 100), 0, 210.088},
		"a replay":             {point(&Replay{Half: map[string]float64{metrics.P99TTFT: 10}}, 100, 100, 100), 100 * math.Exp(-0.1), 100 * math.Exp(0.1)},
		"a replay without any": {point(&Replay{}, 100, 100, 100), math.NaN(), math.NaN()},
		"an estimate alone":    {madeUp, 100 * math.Exp(-0.5), 100 * math.Exp(0.5)},
	} {
		if low, high := c.point.Interval(metrics.P99TTFT); !near(low, c.low) || !near(high, c.high) {
			t.Errorf("%s: %v to %v, want %v to %v", name, low, high, c.low, c.high)
		}
	}
}
