package experiments

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestClaimsAreCompleted: a claim that leaves out what it is compared with, and
// where, is about the first strategy, and over a load about three places.
func TestClaimsAreCompleted(t *testing.T) {
	const claim = "[[claim]]\nstrategy = \"b\"\nmetric = \"mean_tpot_ms\"\nfactor = [0.5, 1]\n"
	for name, c := range map[string]struct {
		text string
		want []results.Place
	}{
		"over a load":      {small + claim, results.Loads()},
		"nothing is swept": {small[:strings.Index(small, "[sweep]")] + claim, []results.Place{{}}},
		"what is no load":  {strings.Replace(small, "workload.arrival.rate\" = [1, 2]", "hardware.tp\" = [1]", 1) + claim + "at = 1\n", []results.Place{{Value: results.ValueOf(1)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := experiment(t, c.text).claimed()[0]
			same := func(a, b results.Place) bool {
				return a.Word == b.Word && a.Value == b.Value && len(a.Values) == len(b.Values)
			}
			if got.Over != "a" || !slices.EqualFunc(got.At, c.want, same) {
				t.Errorf("it is %+v, want at %+v over a", got, c.want)
			}
		})
	}
}

// TestFactorsOfClaims are two numbers above 0, in order.
func TestFactorsOfClaims(t *testing.T) {
	for _, c := range []struct {
		factor  []float64
		allowed bool
	}{
		{[]float64{0.5, 1}, true}, {[]float64{1, 1}, true}, {[]float64{1, 0.5}, false}, {[]float64{0, 1}, false}, {[]float64{-1, 1}, false},
		{[]float64{1}, false}, {[]float64{1, 2, 3}, false}, {nil, false}, {[]float64{math.NaN(), 1}, false},
	} {
		claim := ClaimSpec{Strategy: "b", Metric: "mean_tpot_ms", Factor: c.factor}
		if err := claim.Validate(); (err == nil) != c.allowed {
			t.Errorf("%v is allowed: %t (%v)", c.factor, err == nil, err)
		}
	}
}
