package main

import (
	"math"
	"strconv"

	"kneepoint/sim/metrics"
)

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
			return format(e.Mean) + " ±" + percent(share)
		}
	}
}

// duration writes milliseconds in the unit that suits them.
func duration(ms float64) string {
	if ms >= 9995 {
		return significant(ms/1e3) + " s"
	}
	return significant(ms) + " ms"
}

func amount(x float64) string { return significant(x) }

func percent(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	p := x * 100
	if p > 99 && p < 100 {
		p = math.Floor(p*10) / 10 // what is not all is not called 100 %
	}
	if p != 0 && math.Abs(p) < 0.95 || p > 99 && p < 100 {
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// significant writes a number with three significant digits, whole from 100 on.
func significant(x float64) string {
	switch a := math.Abs(x); {
	case a >= 99.95 || a == 0:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case a >= 0.0995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	default:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
}
