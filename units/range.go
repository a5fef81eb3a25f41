package units

import (
	"fmt"
	"math"
)

// largest bounds every number that somebody writes, and its inverse every one but 0: a dozen
// of them can be multiplied and divided without an infinity or a zero, and nothing that is
// served, sold or measured is beyond.
const largest = 1e18

// OutOfRange says what is wrong with the size of a number, and what is allowed; "" where
// nothing is.
func OutOfRange(x float64) (problem, allowed string) {
	switch a := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "must be a finite number", ""
	case a > largest:
		return "too large", fmt.Sprintf("at most %.0e", largest)
	case a > 0 && a < 1/largest:
		return "too small", fmt.Sprintf("0, or from %.0e on", 1/largest)
	}
	return "", ""
}
