package units

import (
	"strconv"
	"strings"
)

// ParseDecimal reads a number as data has it: digits, with a point and an exponent where
// needed. Other notations of Go (1_000, 0x1p9, Inf, NaN) and signs are no numbers here:
// in a table they are mistakes. Neither is what is too large for a float64.
func ParseDecimal(text string) (float64, bool) {
	x, err := strconv.ParseFloat(text, 64)
	plain := strings.Trim(text, "0123456789.eE+-") == "" && !strings.HasPrefix(text, "+") && !strings.HasPrefix(text, "-")
	return x, plain && err == nil
}

// ParseCount reads a whole number of digits alone.
func ParseCount(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && text[0] != '+' && text[0] != '-'
}
