package metrics

import (
	"math"
	"slices"

	"kneepoint/units"
)

// Percentiles are the tail percentiles of every latency, and SpreadPercentiles those that
// TTFT, TPOT, ITL and E2EL have besides, so that with the median their distribution can be drawn.
var (
	Percentiles       = []float64{90, 95, 99}
	SpreadPercentiles = []float64{1, 5, 10, 25, 75, 99.9}
)

// Distribution is the percentiles that TTFT, TPOT, ITL and E2EL have, the median included,
// in ascending order.
var Distribution = slices.Sorted(slices.Values(slices.Concat(SpreadPercentiles, []float64{50}, Percentiles)))

// PercentileKey is the key of a percentile of a latency, in the form of vLLM's benchmark:
// p99_ttft_ms. That of the 50th is the median's.
func PercentileKey(latency string, p float64) string {
	if p == 50 {
		return "median_" + latency + "_ms"
	}
	return "p" + units.Shortest(p) + "_" + latency + "_ms"
}

// ShareKey is the key of the latency (ttft, tpot or e2el) that a share of the requests
// keeps: of a percentile that every run has, or else of the one that is recorded for the
// attainment of an SLO.
func ShareKey(latency string, share float64) string {
	if p, ok := percentileAt(share); ok {
		return PercentileKey(latency, p)
	}
	return latency + "_at_attainment_ms"
}

// Listed tells whether every run has the percentiles at a share of the requests.
func Listed(share float64) bool {
	_, ok := percentileAt(share)
	return ok
}

// percentileAt is the percentile of Distribution at a share.
func percentileAt(share float64) (float64, bool) {
	for _, p := range Distribution {
		if math.Abs(p-100*share) < 1e-9 {
			return p, true
		}
	}
	return 0, false
}

// percentiles are those of the latency beside the median.
func (l Latency) percentiles() []float64 {
	if l.Spread {
		return slices.Concat(Percentiles, SpreadPercentiles)
	}
	return Percentiles
}

// leastBeyond is how many values lie beyond a percentile of SpreadPercentiles at least, on
// either side: of fewer, it is mostly one of the few largest or smallest values.
const leastBeyond = 3

// percentilesOf are the percentiles that n values of a latency have, beside the median.
func percentilesOf(latency string, n int) []float64 {
	all := slices.Clone(Percentiles)
	if !slices.ContainsFunc(Latencies, func(l Latency) bool { return l.Name == latency && l.Spread }) {
		return all
	}
	for _, p := range SpreadPercentiles {
		if math.Min(p, 100-p)/100*float64(n) > leastBeyond-1e-9 {
			all = append(all, p)
		}
	}
	return all
}
