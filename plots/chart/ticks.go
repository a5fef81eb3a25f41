package chart

import (
	"math"

	"kneepoint/units"
)

// rounding is the relative error that a bound may have and still be a tick.
const rounding = 1e-9

// LinearTicks returns the multiples of a step of 1, 2 or 5 times a power of ten that lie
// in [lo, hi], with the smallest step that gives at most n of them (at least two).
func LinearTicks(lo, hi float64, n int) []float64 {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	for exponent := math.Floor(math.Log10((hi-lo)/float64(n))) - 1; ; exponent++ {
		for _, m := range []float64{1, 2, 5} {
			step := m * math.Pow(10, exponent)
			first, last := math.Ceil(lo/step-rounding*math.Abs(lo/step)), math.Floor(hi/step+rounding*math.Abs(hi/step))
			if last-first < float64(max(n, 2)) {
				return multiples(first, last, step)
			}
		}
	}
}

func multiples(first, last, step float64) []float64 {
	var values []float64
	for k := first; k <= last; k++ {
		values = append(values, units.Round(k*step, 12)+0) // +0: no minus zero
	}
	return values
}

// LogTicks returns at most n values in [lo, hi] of the densest series that allows it:
// 1-2-5 of every decade, every decade, every second decade, and so on. Both ends must be
// positive.
func LogTicks(lo, hi float64, n int) []float64 {
	if !(lo > 0) || math.IsInf(hi, 0) || !(hi >= lo) {
		return nil
	}
	n = max(n, 2)
	if values := decades(lo, hi, 1, []float64{1, 2, 5}); len(values) <= n {
		return values
	}
	for every := 1; ; every++ {
		if values := decades(lo, hi, every, []float64{1}); len(values) <= n {
			return values
		}
	}
}

// decades returns the mantissas times powers of ten in [lo, hi], of which it takes one in
// every.
func decades(lo, hi float64, every int, mantissas []float64) []float64 {
	var values []float64
	first := math.Floor(math.Log10(lo))
	for e := first - math.Mod(first, float64(every)) - float64(every); e <= math.Log10(hi)+1; e += float64(every) {
		for _, m := range mantissas {
			v := units.Round(m*math.Pow(10, e), 3)
			if v >= lo*(1-rounding) && v <= hi*(1+rounding) {
				values = append(values, v)
			}
		}
	}
	return values
}
