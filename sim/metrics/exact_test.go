package metrics

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestExactQuantiles: quantiles in any order are those of the sorted values, to the last bit, however many are alike, and each
// value is kept.
func TestExactQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sorted := rapid.SliceOfN(rapid.IntRange(0, rapid.SampledFrom([]int{0, 3, 1000}).Draw(t, "most")), 1, 200).Draw(t, "values")
		if rapid.Bool().Draw(t, "in order") {
			slices.Sort(sorted)
		}
		e := newExactValues(0).(*exactValues)
		for _, v := range sorted {
			e.add(units.Seconds(v) / 7)
		}
		want, mean := slices.Sorted(slices.Values(e.values)), stat.Mean(e.values, nil)
		for _, p := range rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 9).Draw(t, "quantiles") {
			if got := e.quantile(p); got != Quantile(want, p) {
				t.Fatalf("the %v-quantile is %v, want %v", p, got, Quantile(want, p))
			}
		}
		if e.mean() != mean {
			t.Fatalf("the mean was %v and is %v", mean, e.mean())
		}
		if got := slices.Sorted(slices.Values(e.values)); !slices.Equal(got, want) {
			t.Fatalf("%v became %v", want, got)
		}
	})
}

// TestSplit: no part is empty, and none has a value of the other's.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 4), 3, 40).Draw(t, "values")
		if rapid.Bool().Draw(t, "whole") {
			for i := range values {
				values[i] = float64(int(values[i]))
			}
		}
		bound := split(values)
		if bound < 1 || bound >= len(values) || slices.Max(values[:bound]) > slices.Min(values[bound:]) {
			t.Fatalf("%v split at %d", values, bound)
		}
	})
}
