package plots

import (
	"math"
	"strconv"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// format writes the value of a metric for people.
type format = chart.Format

// approximate writes an interpolated value, with a digit less than units.Short.
func approximate(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.5:
		return units.Short(units.Round(v, 3))
	case a >= 0.95:
		return units.Decimals(v, 1)
	default:
		return units.Short(units.Round(v, 2))
	}
}

// exact writes a number as a user would have written it, thousands separated.
func exact(v float64) string {
	if a := math.Abs(v); a >= 1e9 || a > 0 && a < 1e-4 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return units.SeparateThousands(strconv.FormatFloat(units.Round(v, 12), 'f', -1, 64))
}

// latency writes milliseconds in the unit that suits their size.
func latency(ms float64) string {
	switch a := math.Abs(ms); {
	case a == 0:
		return "0"
	case a < 0.9995:
		return units.Short(ms*1e3) + " µs"
	case a < 999.5:
		return units.Short(ms) + " ms"
	default:
		return units.Short(ms/1e3) + " s"
	}
}

// percent writes a fraction.
func percent(v float64) string { return units.Short(100*v) + " %" }

// times writes a ratio: "2.8×".
func times(v float64) string {
	if v >= 9.95 {
		return units.Decimals(v, 0) + "×"
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + "×"
}

// numeric returns a swept value as a number that an axis can show.
func numeric(v results.Value) (float64, bool) {
	x, ok := v.Number()
	return x, ok && measurable(x)
}

// measurable says whether v can be a measurement. What is beyond 1e±100 cannot,
// and would drive the arithmetic of axes to infinity.
func measurable(v float64) bool {
	a := math.Abs(v)
	return a == 0 || a > 1e-100 && a < 1e100
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
