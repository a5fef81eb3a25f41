package plots

import (
	"math"
	"strconv"
	"strings"

	"kneepoint/experiments/results"
)

// format writes the value of a metric for people.
type format func(float64) string

// short writes a number with at most three significant digits, thousands
// separated: "0.35", "8.5", "14.2", "4,120", "1.2M".
func short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e15 || a > 0 && a < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 1e9:
		return digits(v/1e9, 1) + "G"
	case a >= 1e6:
		return digits(v/1e6, 1) + "M"
	case a >= 1000:
		return digits(math.Round(v/10)*10, 0)
	case a >= 99.95:
		return digits(v, 0)
	case a >= 9.995:
		return digits(v, 1)
	case a >= 0.9995:
		return digits(v, 2)
	default:
		return strconv.FormatFloat(significant(v, 3), 'f', -1, 64)
	}
}

// approximate writes an interpolated value, with a digit less than short.
func approximate(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.5:
		return short(significant(v, 3))
	case a >= 0.95:
		return digits(v, 1)
	default:
		return short(significant(v, 2))
	}
}

// exact writes a number as a user would have written it, thousands separated.
func exact(v float64) string {
	if a := math.Abs(v); a >= 1e9 || a > 0 && a < 1e-4 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return separate(strconv.FormatFloat(significant(v, 12), 'f', -1, 64))
}

// latency writes milliseconds in the unit that suits their size.
func latency(ms float64) string {
	switch a := math.Abs(ms); {
	case a == 0:
		return "0"
	case a < 0.9995:
		return short(ms*1e3) + " µs"
	case a < 999.5:
		return short(ms) + " ms"
	default:
		return short(ms/1e3) + " s"
	}
}

// percent writes a fraction.
func percent(v float64) string { return short(100*v) + " %" }

// times writes a ratio: "2.8×".
func times(v float64) string {
	if v >= 9.95 {
		return digits(v, 0) + "×"
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + "×"
}

// digits writes v with at most n decimals and separated thousands.
func digits(v float64, n int) string {
	text := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return separate(text)
}

// separate puts a comma between the thousands of a decimal number.
func separate(text string) string {
	whole, fraction, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

func significant(v float64, n int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	if err != nil {
		return v
	}
	return rounded
}

// numeric returns a swept value as a number that has a place on
// an axis.
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
