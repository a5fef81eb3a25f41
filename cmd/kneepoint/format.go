package main

import (
	"math"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// mean writes an estimate without its interval.
func mean(format func(float64) string) func(metrics.Estimate) string {
	return func(e metrics.Estimate) string { return format(e.Mean) }
}

// interval appends the half width of the confidence interval, in percent of the
// mean, when both are known.
func interval(format func(float64) string) func(metrics.Estimate) string {
	return func(e metrics.Estimate) string {
		switch share := e.Half / math.Abs(e.Mean); {
		case math.IsNaN(share):
			return format(e.Mean)
		case share > 1:
			return format(e.Mean) + " ±>100%"
		default:
			return format(e.Mean) + " ±" + units.Percent(share)
		}
	}
}

// duration writes milliseconds in the unit that suits them.
func duration(ms float64) string {
	if ms >= 9995 {
		return units.Significant(ms/1e3) + " s"
	}
	return units.Significant(ms) + " ms"
}
