package plots

import "math"

// between returns the value at a share of the way from a to b, along the axis or along its
// logarithm.
func between(a, b, share float64, log bool) float64 {
	if log {
		return a * math.Pow(b/a, share)
	}
	return a + share*(b-a)
}

// wayTo is the share of the way from a to b at which v is, the inverse of between.
func wayTo(v, a, b float64, log bool) float64 {
	if log {
		return math.Log(v/a) / math.Log(b/a)
	}
	return (v - a) / (b - a)
}
