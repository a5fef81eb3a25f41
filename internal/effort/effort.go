// Package effort says how much work a long test does: how many random cases it
// draws, how many replications it simulates. By default little, so that all
// tests together take a minute or two; KNEEPOINT_EFFORT multiplies it.
//
// It knows that a test can do the same with more. It must not know any test:
// what is worth repeating, and what follows from fewer repetitions, each test
// says itself. Nothing is tested with the larger counts alone.
package effort

import (
	"math"
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable that multiplies the default counts.
const Variable = "KNEEPOINT_EFFORT"

// short is what is left of the default counts with -short.
const short = 0.1

// Times is how often to repeat something that is done n times by default, at
// least once.
func Times(t testing.TB, n int) int {
	t.Helper()
	return max(1, int(math.Round(level(t)*float64(n))))
}

// Whole skips a test with -short that takes long as it is, and that fewer repetitions do not
// make shorter.
func Whole(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("long")
	}
}

// level is the factor on the default counts, a tenth of it under the race detector.
func level(t testing.TB) float64 {
	t.Helper()
	factor := 1.0
	if text := os.Getenv(Variable); text != "" {
		var err error
		factor, err = strconv.ParseFloat(text, 64)
		if err != nil || !(factor > 0) || factor > 1000 {
			t.Fatalf("%s = %q: want a number above 0, at most 1000", Variable, text)
		}
	}
	if testing.Short() {
		factor *= short
	}
	return factor * detector
}
