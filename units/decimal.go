package units

import (
	"strconv"
)

// ParseDecimal reads a number as data has it: digits, with a point and an exponent where
// needed. Other notations of Go (1_000, 0x1p9, Inf, NaN) and signs are no numbers here:
// in a table they are mistakes. Neither is what is too large for a float64.
func ParseDecimal(text string) (float64, bool) {
	if x, ok := shortDecimal(text); ok {
		return x, true
	}
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', c == '.', c == 'e', c == 'E':
		case i > 0 && (c == '+' || c == '-'):
		default:
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// tens are powers of ten.
var tens = [16]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortDecimal reads a number of up to fifteen digits, with or without a point: a whole number and a power of ten that are both exact, so
// that their quotient is rounded once. It is false for all others.
func shortDecimal(text string) (float64, bool) {
	n, digits, behind := uint64(0), 0, -1
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			n = 10*n + uint64(c-'0')
			digits++
		case c == '.' && behind < 0:
			behind = digits
		default:
			return 0, false
		}
	}
	if digits == 0 || digits > 15 {
		return 0, false
	}
	if behind < 0 {
		return float64(n), true
	}
	return float64(n) / tens[digits-behind], true
}

// ParseCount reads a whole number of digits alone.
func ParseCount(text string) (int64, bool) {
	n := int64(0)
	for i := range len(text) {
		c := text[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if len(text) > 0 && len(text) <= 18 {
		return n, true
	}
	n, err := strconv.ParseInt(text, 10, 64) // zeros in front, or too large
	return n, err == nil
}
