package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// splitSeed makes the choice of what is held out the same in every run.
const splitSeed = 20260821

// heldOut chooses round(fraction*n) of n measurements at random, the same for the same
// n, so that a fit can be repeated.
func heldOut(n int, fraction float64) []bool {
	chosen := make([]bool, n)
	order := rand.New(rand.NewPCG(splitSeed, uint64(n))).Perm(n)
	for _, i := range order[:int(math.Round(fraction*float64(n)))] {
		chosen[i] = true
	}
	return chosen
}

// checkHoldout refuses a share that would leave more to check than to fit.
func checkHoldout(fraction float64) error {
	if fraction >= 0 && fraction <= 0.5 {
		return nil
	}
	return &badinput.Error{Key: "--holdout", Value: fraction, Problem: "out of range", Allowed: "0 to 0.5"}
}

// Errors summarises relative errors (predicted - measured) / measured.
type Errors struct {
	N      int
	Median float64 // of the absolute errors
	P90    float64 // of the absolute errors
	Bias   float64 // mean of the signed errors
}

// summarize returns the zero Errors for no errors at all.
func summarize(signed []float64) Errors {
	if len(signed) == 0 {
		return Errors{}
	}
	absolute := make([]float64, len(signed))
	for i, e := range signed {
		absolute[i] = math.Abs(e)
	}
	slices.Sort(absolute)
	return Errors{N: len(signed), Median: metrics.Quantile(absolute, 0.5), P90: metrics.Quantile(absolute, 0.9), Bias: stat.Mean(signed, nil)}
}

// String is the errors in percent.
func (e Errors) String() string {
	return fmt.Sprintf("median error %.1f %%, p90 %.1f %%, bias %+.1f %%", 100*e.Median, 100*e.P90, 100*e.Bias)
}
