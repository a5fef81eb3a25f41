package plots

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// A line is not drawn over buckets without a value.
func TestLinesBreakWhereNothingIs(t *testing.T) {
	none := math.NaN()
	times := []float64{1, 3, 5, 7, 9, 11}
	for _, c := range []struct {
		values []float64
		want   []plotter.XYs
	}{
		{[]float64{none, none, none, none, none, none}, nil},
		{[]float64{1, 2, none, none, 5, 6}, []plotter.XYs{{{X: 1, Y: 1}, {X: 3, Y: 2}}, {{X: 9, Y: 5}, {X: 11, Y: 6}}}},
		{[]float64{none, 2, none, 4, 5, none}, []plotter.XYs{{{X: 2, Y: 2}, {X: 4, Y: 2}}, {{X: 7, Y: 4}, {X: 9, Y: 5}}}},
		{[]float64{1, none, none, none, none, 6}, []plotter.XYs{{{X: 0, Y: 1}, {X: 2, Y: 1}}, {{X: 10, Y: 6}, {X: 12, Y: 6}}}},
	} {
		if got := unbroken(times, c.values, 2); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}
