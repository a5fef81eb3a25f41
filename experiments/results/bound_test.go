package results

import (
	"testing"

	"kneepoint/sim/metrics"
)

// TestLimitingBound: the bound that is missed first is the one that the fewest requests meet at
// the knee, whatever happens at the loads beside it.
func TestLimitingBound(t *testing.T) {
	at := func(load, ttft, tpot, rejected float64) Point {
		return Point{Value: ValueOf(load), Metrics: map[string]metrics.Estimate{
			metrics.TTFTAttainment: {Mean: ttft}, metrics.TPOTAttainment: {Mean: tpot}, metrics.CompletedRequests: {Mean: 100 - rejected},
			metrics.RejectedRequests: {Mean: rejected}, metrics.UnfinishedRequests: {},
		}}
	}
	unserved := func(key string, of float64, p Point) Point {
		p.Metrics[key] = metrics.Estimate{Mean: of}
		return p
	}
	between := func(x float64) *Knee { return &Knee{Kind: KneeInterpolated, Value: x, Target: 0.9} }
	below := &Knee{Kind: KneeBelow, Value: 0.5, Target: 0.9}
	for name, c := range map[string]struct {
		points []Point
		knee   *Knee
		want   string
	}{
		"TTFT":                      {[]Point{at(1, 0.99, 1, 0), at(2, 0.5, 0.9, 0)}, between(1.5), "TTFT"},
		"TPOT, and TTFT soon after": {[]Point{at(1, 1, 0.91, 0), at(2, 0.1, 0.2, 0)}, between(1.05), "TPOT"},
		"never met":                 {[]Point{at(2, 0.2, 0.3, 0), at(1, 0.4, 0.3, 0)}, below, "TPOT"},
		"no load beyond":            {[]Point{at(1, 0.95, 1, 0)}, &Knee{Kind: KneeBeyond, Value: 1, Target: 0.9}, ""},
		"refused":                   {[]Point{at(1, 1, 1, 0), at(2, 0.8, 0.8, 20)}, between(1.5), Rejections},
		"refused, most of them":     {[]Point{at(2, 0.4, 0.3, 10), at(1, 0.7, 0.8, 16)}, below, Rejections},
		"timed out":                 {[]Point{unserved(metrics.TimedOutRequests, 0, at(1, 1, 1, 0)), unserved(metrics.TimedOutRequests, 30, at(2, 0.8, 0.8, 0))}, between(1.5), TimeOuts},
		"lost":                      {[]Point{unserved(metrics.LostRequests, 30, at(2, 0.7, 0.8, 0))}, below, Losses},
		"some lost, more late":      {[]Point{unserved(metrics.LostRequests, 10, at(2, 0.7, 0.8, 0))}, below, "TTFT"},
		"some refused, more late":   {[]Point{at(1, 1, 1, 0), at(2, 0.2, 0.8, 20)}, between(1.5), "TTFT"},
		"no objective":              {[]Point{at(1, 1, 1, 0), at(2, 1, 1, 0)}, &Knee{Kind: KneePower, Value: 1}, ""},
		"no load":                   {[]Point{at(1, 0.2, 0.3, 0)}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := Plan{Sweep: []Axis{axisOf("workload.arrival.rate", 1.0, 2.0)}}
			if got := p.LimitingBound(&Series{Points: c.points, Knee: c.knee}); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
