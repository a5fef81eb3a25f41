package results

import (
	"slices"
	"testing"
)

// TestToDraw: each figure has the point at its place, and points of several figures are there
// once.
func TestToDraw(t *testing.T) {
	p := twoByThree()
	at := func(place Place) PlotSpec { return PlotSpec{Kind: PlotTraffic, At: place} }
	for name, c := range map[string]struct {
		plots []PlotSpec
		want  []int
	}{
		"none":        {[]PlotSpec{{Kind: PlotCDF, At: Place{Word: Highest}}}, nil},
		"the highest": {[]PlotSpec{at(Place{Word: Highest})}, []int{2}},
		"a value":     {[]PlotSpec{at(Place{Value: ValueOf(2)})}, []int{1}},
		"twice":       {[]PlotSpec{at(Place{Word: Lowest}), at(Place{Value: ValueOf(1)})}, []int{0}},
		"elsewhere":   {[]PlotSpec{at(Place{Value: ValueOf(3)})}, nil},
	} {
		p.Plots = c.plots
		if got := Aggregate(p, ByKey(outcomesOf(p))).ToDraw(); !slices.Equal(got, c.want) {
			t.Errorf("%s: points %v, want %v", name, got, c.want)
		}
	}
}

func TestDrawnClass(t *testing.T) {
	c := NewDrawnClass("chat", []float64{30, 10, 20}, []float64{5, 5, 5})
	if c.Requests != 3 || c.Input[0] != 10 || c.Input[50] != 20 || c.Input[75] != 25 || c.Input[100] != 30 || c.Output[1] != 5 || len(c.Output) != 101 {
		t.Errorf("%+v", c)
	}
}

// TestBucketed: every arrival is in a bucket, of which there are at most a hundred.
func TestBucketed(t *testing.T) {
	for name, c := range map[string]struct {
		n, buckets int
		apart      float64
	}{
		"one":       {1, 0, 1},
		"at once":   {500, 0, 0},
		"few":       {30, 1, 0.5},
		"some":      {500, 20, 0.5},
		"many":      {5000, 100, 1e-3},
		"two hours": {5000, 100, 1.44},
	} {
		var arrivals []float64
		for i := range c.n {
			arrivals = append(arrivals, 3+float64(i)*c.apart)
		}
		var d DrawnTraffic
		d.Bucketed(arrivals)
		sum := 0.0
		for _, n := range d.Arrivals {
			sum += n
		}
		if len(d.Arrivals) != c.buckets || c.buckets > 0 && sum != float64(c.n) {
			t.Errorf("%s: %d buckets with %v requests", name, len(d.Arrivals), sum)
		}
	}
}
