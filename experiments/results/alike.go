package results

import (
	"cmp"

	"kneepoint/units"
)

// rounding is by which share prices and the like differ that are the same, but were added and multiplied in another order.
const rounding = 1e-9

// Compare is negative where a value is less than another one, and 0 where they differ by rounding alone.
func Compare(a, b float64) int {
	const digits = 9
	return cmp.Compare(units.Round(a, digits), units.Round(b, digits))
}
