package units

import (
	"math"
	"strconv"
	"strings"
)

// The one place where numbers become text. People get few digits, by four rules:
//
//	Significant  in tables and sentences, as many digits in each row
//	Short        in figures, where there is little room
//	Decimals     where the number of decimals is known
//	Percent      shares
//
// and machines get Shortest, which loses nothing.

// Significant writes v with three significant digits, whole from 100 on, and
// with two from 0.1 down: "0", "0.012", "1.50", "12.3", "4120".
func Significant(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95 || a == 0:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.0995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
}

// Short writes v with at most three significant digits, without zeros at the
// end, its thousands separated, and millions and more by a letter: "0.35", "8.5",
// "4,120", "1.2M".
func Short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e15 || a > 0 && a < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 1e9:
		return Decimals(v/1e9, 1) + "G"
	case a >= 1e6:
		return Decimals(v/1e6, 1) + "M"
	case a >= 1000:
		return Decimals(math.Round(v/10)*10, 0)
	case a >= 99.95:
		return Decimals(v, 0)
	case a >= 9.995:
		return Decimals(v, 1)
	case a >= 0.9995:
		return Decimals(v, 2)
	default:
		return strconv.FormatFloat(Round(v, 3), 'f', -1, 64)
	}
}

// Decimals writes v with at most n decimals, without zeros at the end, and with
// separated thousands: "1,234.5".
func Decimals(v float64, n int) string {
	text := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return SeparateThousands(text)
}

// SeparateThousands puts a comma between the thousands of a decimal number
// without an exponent.
func SeparateThousands(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
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

// Percent writes a share in whole percents, with a decimal below one percent and
// above 99; what is not all is not called 100 %, and what is no number is a dash.
func Percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "–"
	}
	p := share * 100
	almost := p > 99 && p < 100
	if almost {
		p = math.Floor(p*10) / 10
	}
	if almost && p > 99 || p != 0 && math.Abs(p) < 0.95 {
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// Shortest writes v in the shortest decimal form that reads back as the same
// float64, without an exponent for everyday sizes.
func Shortest(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Round is v rounded to n significant decimal digits.
func Round(v float64, n int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	if err != nil {
		return v
	}
	return rounded
}
