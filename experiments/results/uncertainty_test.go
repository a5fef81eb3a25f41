package results

import (
	"math"
	"slices"
	"testing"
)

// Draws without a number within reach are beyond all others, and prices are compared with spares; equal ones are both
// the cheapest.
func TestUncertainOptions(t *testing.T) {
	units := make([]int, 20)
	for i := range units {
		units[i] = 20 - i // 1 to 20
	}
	o := NewUncertainOption("a", 12, 11, units)
	if o.Low != 1 || o.Median != 10 || o.High != 19 || o.Enough != 0.6 || o.Probability(19) != 0.95 {
		t.Errorf("%+v", o)
	}
	if o = NewUncertainOption("a", 12, 11, []int{0, 0, 3, 0}); o.Low != 3 || o.Median != 0 || o.High != 0 || o.Enough != 0.25 || o.Probability(99) != 0.25 {
		t.Errorf("%+v", o)
	}
	u := Uncertainty{Draws: 4, Options: []UncertainOption{{Units: []int{1, 2, 3, 0}}, {Units: []int{1, 1, 1, 0}}}}
	u.Compare([]float64{1, 2}, 1) // 2, 3, 4 and none against 4, 4, 4 and none
	if a, b := u.Options[0].Cheapest, u.Options[1].Cheapest; math.Abs(a-0.75) > 1e-9 || math.Abs(b-0.25) > 1e-9 {
		t.Errorf("cheapest in %v and %v of the draws", a, b)
	}
	whole := Uncertainty{Draws: 40, Options: []UncertainOption{{Units: slices.Repeat([]int{1}, 40)}}}
	if whole.Compare([]float64{1}, 0); whole.Options[0].Cheapest != 1 {
		t.Errorf("cheapest with probability %v, where there is nothing else", whole.Options[0].Cheapest)
	}
	if s := u.Options[1].OverBest; s == nil || *s != (Spread{1, 1, 2}) || u.Options[0].OverBest != nil { // 4/3, too
		t.Errorf("over the best: %+v", s)
	}
	u = Uncertainty{Draws: 2, Options: []UncertainOption{{Units: []int{1, 1}}, {Units: []int{1, 0}}}}
	if u.Compare([]float64{1, 2}, 0); u.Options[1].OverBest != nil {
		t.Errorf("over the best, where it is out of reach: %+v", u.Options[1].OverBest)
	}
}

// What changes the number most comes first, what no number is enough for above all; of equal ones what changes the attainment.
func TestSortTornado(t *testing.T) {
	bar := func(name string, low, high int, attainment float64) TornadoBar {
		return TornadoBar{Factor: name, Low: TornadoEnd{Units: low, Attainment: 1}, High: TornadoEnd{Units: high, Attainment: attainment}}
	}
	bars := []TornadoBar{bar("d", 5, 5, 0.95), bar("c", 0, 0, 0.5), bar("b", 9, 4, 1), bar("a", 5, 0, 1)}
	SortTornado(bars)
	order := ""
	for _, b := range bars {
		order += b.Factor
	}
	if order != "abcd" {
		t.Error(order)
	}
}
