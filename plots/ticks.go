package plots

import (
	"math"

	"kneepoint/units"
)

// tick is a labelled position on an axis.
type tick struct {
	value float64
	label string
}

// rounding is the relative error that a bound may have and still be a tick.
const rounding = 1e-9

// linearTicks returns the multiples of a step of 1, 2 or 5 times a power of ten
// that lie in [lo, hi], with the smallest step that gives at most n of them
// (at least two).
func linearTicks(lo, hi float64, n int) []float64 {
	if !finite(lo) || !finite(hi) || hi <= lo {
		return nil
	}
	step := niceStep((hi-lo)/float64(5*max(n, 2)), false)
	for {
		first, last := math.Ceil(lo/step-rounding*math.Abs(lo/step)), math.Floor(hi/step+rounding*math.Abs(hi/step))
		if int(last-first)+1 <= max(n, 2) {
			return multiples(first, last, step)
		}
		step = niceStep(step, true)
	}
}

func multiples(first, last, step float64) []float64 {
	values := make([]float64, int(last-first)+1)
	for k := range values {
		values[k] = units.Round((first+float64(k))*step, 12) + 0 // +0: no minus zero
	}
	return values
}

// niceStep returns the smallest of 1, 2, 5 times a power of ten that is at
// least v, or, on request, above v.
func niceStep(v float64, above bool) float64 {
	base := math.Pow(10, math.Floor(math.Log10(v))-1)
	for {
		for _, m := range []float64{1, 2, 5} {
			step := units.Round(m*base, 3)
			if step > v*(1+1e-9) || !above && step > v*(1-1e-9) {
				return step
			}
		}
		base *= 10
	}
}

// logTicks returns at most n values in [lo, hi] of the densest series that
// allows it: 1-2-5 of every decade, every decade, every second decade, and so
// on. Both ends must be positive.
func logTicks(lo, hi float64, n int) []float64 {
	if !(lo > 0) || !finite(hi) || hi < lo {
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

// decades returns the mantissas times powers of ten in [lo, hi], of which it takes
// one in every.
func decades(lo, hi float64, every int, mantissas []float64) []float64 {
	var values []float64
	first := math.Floor(math.Log10(lo))
	for e := first - math.Mod(first, float64(every)) - float64(every); e <= math.Log10(hi)+1; e += float64(every) {
		for _, m := range mantissas {
			v := units.Round(m*math.Pow(10, e), 3)
			if v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				values = append(values, v)
			}
		}
	}
	return values
}

// labelTicks gives every value its label.
func labelTicks(values []float64, f format) []tick {
	ticks := make([]tick, len(values))
	for i, v := range values {
		ticks[i] = tick{v, f(v)}
	}
	return ticks
}
